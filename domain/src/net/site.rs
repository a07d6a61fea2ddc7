//! When two URLs belong to one site.

use url::{Host, Url};

/// Whether two URLs belong to one site: hosts under one registrable domain, or one address and port.
///
/// By the public suffix list: `a.example.co.uk` and `example.co.uk` are one site, `a.github.io` and `b.github.io` two.
pub fn same_site(a: &Url, b: &Url) -> bool {
    match (a.host(), b.host()) {
        (Some(Host::Domain(a_name)), Some(Host::Domain(b_name))) => {
            let (a_name, b_name) = (a_name.trim_end_matches('.'), b_name.trim_end_matches('.'));
            match (psl::domain_str(a_name), psl::domain_str(b_name)) {
                (Some(a_domain), Some(b_domain)) => a_domain == b_domain,
                _ => a_name == b_name && a.port_or_known_default() == b.port_or_known_default(),
            }
        }
        (Some(a_host), Some(b_host)) => a_host == b_host && a.port_or_known_default() == b.port_or_known_default(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
