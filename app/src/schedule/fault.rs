//! What is wrong with a cron expression that is not understood.

/// One sentence's worth: the first field that cannot be, or that there are too few or too many.
pub(super) fn fault(expression: &str) -> String {
    let texts: Vec<&str> = expression.split_whitespace().collect();
    let fields = match texts.len() {
        0 => return "it is empty".to_owned(),
        1 if expression.starts_with('@') => return "there is no such name".to_owned(),
        5 => &FIELDS[1..],
        6 => &FIELDS[..],
        1 => return "it has one field, where five or six are needed".to_owned(),
        count => return format!("it has {count} fields, where five or six are needed"),
    };
    let faults = fields.iter().zip(texts).filter_map(|(field, text)| field.fault(text));
    faults.into_iter().next().unwrap_or_else(|| "its fields do not go together".to_owned())
}

struct Field {
    name: &'static str,
    least: u32,
    most: u32,
    /// Words that stand for numbers, and signs that only this field knows.
    words: &'static [&'static str],
}

impl Field {
    fn fault(&self, text: &str) -> Option<String> {
        text.split(',').find_map(|part| self.fault_of_part(part))
    }

    /// A part is a value, a range or a `*`, with a step if wanted.
    fn fault_of_part(&self, part: &str) -> Option<String> {
        let (range, step) = part.split_once('/').map_or((part, None), |(range, step)| (range, Some(step)));
        if step.is_some_and(|step| !step.parse::<u32>().is_ok_and(|step| step > 0)) {
            return Some(format!("the step of the {} {part:?} is no number above 0", self.name));
        }
        if matches!(range, "*" | "?") {
            return None;
        }
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let ends = [from, to].map(|end| self.value(end));
        match ends {
            [Ok(from), Ok(to)] if from > to => Some(format!("the {} {range:?} ends before it begins", self.name)),
            [Ok(_), Ok(_)] => None,
            [Err(fault), _] | [_, Err(fault)] => Some(fault),
        }
    }

    fn value(&self, text: &str) -> Result<u32, String> {
        let lower = text.to_ascii_lowercase();
        if let Some(place) = self.words.iter().position(|word| *word == lower) {
            return Ok(self.least + u32::try_from(place).unwrap_or_default());
        }
        // `L`, `15W`, `5#2`: what is wrong with these is not told apart.
        let digits = lower.trim_start_matches('+').trim_end_matches(['l', 'w']);
        let digits = digits.split('#').next().unwrap_or_default();
        if digits.is_empty() && !lower.is_empty() {
            return Ok(self.least);
        }
        match digits.parse::<u32>() {
            Ok(number) if (self.least..=self.most).contains(&number) => Ok(number),
            Ok(number) => Err(format!("the {} {number} is not between {} and {}", self.name, self.least, self.most)),
            Err(_) => Err(format!("the {} {text:?} is not understood", self.name)),
        }
    }
}

const fn field(name: &'static str, least: u32, most: u32, words: &'static [&'static str]) -> Field {
    Field { name, least, most, words }
}

const FIELDS: [Field; 6] = [
    field("second", 0, 59, &[]),
    field("minute", 0, 59, &[]),
    field("hour", 0, 23, &[]),
    field("day of the month", 1, 31, &[]),
    field("month", 1, 12, &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]),
    field("day of the week", 0, 7, &["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
];
