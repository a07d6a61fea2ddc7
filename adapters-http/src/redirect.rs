//! Where a redirect leads, and when it is not followed.

use std::collections::HashSet;

use headwater_domain::ErrorKind;
use headwater_domain::secret::PrivateUrl;
use headwater_ports::Error;
use url::Url;

use crate::error::failure;

/// The redirects of one exchange.
#[derive(Debug)]
pub(crate) struct Trail {
    max: usize,
    followed: usize,
    visited: HashSet<(bool, Url)>,
    permanent: Option<Url>,
    /// Whether all redirects so far were permanent.
    unbroken: bool,
}

/// The next request of an exchange.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hop {
    /// Where it goes.
    pub(crate) url: Url,
    /// Whether a POST has become a GET.
    pub(crate) drops_body: bool,
}

impl Trail {
    /// The trail of an exchange that follows at most `max` redirects.
    pub(crate) fn new(max: usize) -> Self {
        Self { max, followed: 0, visited: HashSet::new(), permanent: None, unbroken: true }
    }

    /// The target of the unbroken run of 301 and 308 from the first URL on.
    pub(crate) fn permanent(self) -> Option<Url> {
        self.permanent
    }

    /// Judges a response: the next hop, or none if the response is to be handed on as it is.
    ///
    /// A POST is not repeated (307, 308) at another origin, since its body may be a secret.
    ///
    /// # Errors
    /// `too_many_redirects`, `redirect_loop`, `invalid_url`, or `blocked_address` for a step from https down to http.
    pub(crate) fn follow(
        &mut self,
        current: &Url,
        is_post: bool,
        status: u16,
        location: Option<&[u8]>,
    ) -> Result<Option<Hop>, Error> {
        let (301 | 302 | 303 | 307 | 308, Some(location)) = (status, location) else { return Ok(None) };
        let url = target(current, location)?;
        let drops_body = is_post && matches!(status, 301..=303);
        if is_post && !drops_body && url.origin() != current.origin() {
            return Ok(None);
        }
        if current.scheme() == "https" && url.scheme() == "http" {
            let detail = format!("the redirect from {} leads from https down to http", shown(current));
            return Err(failure(ErrorKind::BlockedAddress, detail));
        }
        if self.followed == self.max {
            return Err(failure(ErrorKind::TooManyRedirects, format!("more than {} redirects", self.max)));
        }
        self.followed += 1;
        // Most exchanges have no redirect, and then nothing is noted.
        self.visited.insert((is_post, bare(current)));
        if !self.visited.insert((is_post && !drops_body, bare(&url))) {
            let detail = format!("the redirects lead in a circle, back to {}", shown(&url));
            return Err(failure(ErrorKind::RedirectLoop, detail)
                .with_hint("some sites do this to visitors who keep no cookies"));
        }
        self.unbroken &= matches!(status, 301 | 308);
        if self.unbroken {
            self.permanent = Some(url.clone());
        }
        Ok(Some(Hop { url, drops_body }))
    }
}

/// The absolute form of a `Location`, whose bytes may be of any charset; the fragment stays where it names none.
fn target(current: &Url, location: &[u8]) -> Result<Url, Error> {
    let text = match std::str::from_utf8(location) {
        Ok(text) => text.to_owned(),
        Err(_) => location.iter().map(|&byte| char::from(byte)).collect(),
    };
    let mut url = current.join(text.trim()).map_err(|_| {
        failure(ErrorKind::InvalidUrl, format!("{} redirects to something that is no URL", shown(current)))
    })?;
    if url.fragment().is_none() {
        url.set_fragment(current.fragment());
    }
    Ok(url)
}

fn bare(url: &Url) -> Url {
    let mut bare = url.clone();
    bare.set_fragment(None);
    bare
}

fn shown(url: &Url) -> String {
    PrivateUrl::new(url.clone()).to_string()
}

#[cfg(test)]
mod tests;
