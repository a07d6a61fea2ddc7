//! How much a run may spend on a language model, and how much it has spent.

/// What tokens cost, per million.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Prices {
    /// A million tokens that are sent.
    pub input: f64,
    /// A million tokens that come back.
    pub output: f64,
}

/// Tokens, sent and received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    /// Sent.
    pub input: u64,
    /// Received.
    pub output: u64,
}

/// Keeps what is spent below what may be spent.
///
/// Call [`reserve`](Self::reserve) with an estimate before a request, and [`settle`](Self::settle) with the same estimate
/// and what was used after it. What is reserved counts as spent until then, so that requests under way together do not
/// overdraw.
#[derive(Debug, Clone)]
pub struct Budget {
    max_tokens: Option<u64>,
    max_cost: Option<f64>,
    prices: Prices,
    reserved: Tokens,
    spent: Tokens,
}

/// The budget has no room for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    /// The tokens of the run are used up.
    Tokens,
    /// The money of the run is used up.
    Cost,
}

impl Budget {
    /// A budget of which nothing is spent. Without a limit there is none of that kind.
    pub fn new(max_tokens: Option<u64>, max_cost: Option<f64>, prices: Prices) -> Self {
        Self { max_tokens, max_cost, prices, reserved: Tokens::default(), spent: Tokens::default() }
    }

    /// Sets an estimate aside.
    ///
    /// # Errors
    /// There is no room for it; nothing is set aside then.
    pub fn reserve(&mut self, estimate: Tokens) -> Result<(), Exhausted> {
        let after = self.spent.plus(self.reserved).plus(estimate);
        if self.max_tokens.is_some_and(|max| after.total() > max) {
            return Err(Exhausted::Tokens);
        }
        if self.max_cost.is_some_and(|max| self.prices.cost(after) > max) {
            return Err(Exhausted::Cost);
        }
        self.reserved = self.reserved.plus(estimate);
        Ok(())
    }

    /// Replaces an estimate by what was used.
    pub fn settle(&mut self, estimate: Tokens, used: Tokens) {
        self.reserved = self.reserved.minus(estimate);
        self.spent = self.spent.plus(used);
    }

    /// What was used so far, without what is set aside.
    pub fn spent(&self) -> Tokens {
        self.spent
    }

    /// What that costs; none where no prices are known.
    pub fn cost(&self) -> Option<f64> {
        (self.prices != Prices::default()).then(|| self.prices.cost(self.spent))
    }
}

impl Prices {
    fn cost(&self, tokens: Tokens) -> f64 {
        (self.input * tokens.input as f64 + self.output * tokens.output as f64) / 1e6
    }
}

impl Tokens {
    /// Both together.
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    fn plus(self, other: Self) -> Self {
        Self { input: self.input.saturating_add(other.input), output: self.output.saturating_add(other.output) }
    }

    fn minus(self, other: Self) -> Self {
        Self { input: self.input.saturating_sub(other.input), output: self.output.saturating_sub(other.output) }
    }
}

/// About how many tokens a text has, rather too many than too few: three ASCII characters a token, and one and a half
/// tokens for any other character.
pub fn estimated_tokens(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count() as u64;
    let others = text.chars().filter(|letter| !letter.is_ascii()).count() as u64;
    ascii.div_ceil(3).saturating_add((others * 3).div_ceil(2))
}

#[cfg(test)]
mod tests;
