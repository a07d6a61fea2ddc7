//! Which hosts, networks and ports the owner exempts from the address guard.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use url::Host;

/// What the owner lets through: hosts, suffixes, addresses and networks, each on one port or on all.
///
/// An exemption of a name holds for the addresses behind it; one of an address or network holds for whatever name leads
/// there. Nothing exempts from the rule that only http and https are fetched.
///
/// ```
/// use headwater_domain::net::Exemptions;
/// let mut exemptions = Exemptions::default();
/// exemptions.add("wiki.corp:8443").unwrap();
/// exemptions.add("*.lan").unwrap();
/// exemptions.add("10.1.0.0/16").unwrap();
/// assert!(exemptions.covers_host("wiki.corp", 8443) && !exemptions.covers_host("wiki.corp", 443));
/// assert!(exemptions.covers_host("nas.lan", 80) && exemptions.covers_host("lan", 80));
/// assert!(exemptions.covers_address("10.1.2.3".parse().unwrap(), 80));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exemptions(Vec<Exemption>);

/// A text that names no host, suffix, address or network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseExemptionError(String);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Exemption {
    subject: Subject,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    Host(String),
    Suffix(String),
    Net(IpNet),
}

impl Exemptions {
    /// Adds `HOST[:PORT]`, `*.SUFFIX[:PORT]` (the suffix itself included), `ADDRESS[:PORT]` or `CIDR[:PORT]`.
    ///
    /// # Errors
    /// The text is none of these; nothing was added.
    pub fn add(&mut self, text: &str) -> Result<(), ParseExemptionError> {
        self.0.push(text.trim().parse()?);
        Ok(())
    }

    /// Whether the name (lower case, ASCII) is exempt on that port.
    pub fn covers_host(&self, host: &str, port: u16) -> bool {
        let host = host.trim_end_matches('.');
        self.on_port(port).any(|subject| match subject {
            Subject::Host(name) => name == host,
            Subject::Suffix(suffix) => {
                host.strip_suffix(suffix.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
            Subject::Net(_) => false,
        })
    }

    /// Whether the address is exempt on that port.
    pub fn covers_address(&self, address: IpAddr, port: u16) -> bool {
        self.on_port(port).any(|subject| matches!(subject, Subject::Net(net) if net.contains(&address)))
    }

    fn on_port(&self, port: u16) -> impl Iterator<Item = &Subject> {
        self.0.iter().filter(move |one| one.port.is_none_or(|own| own == port)).map(|one| &one.subject)
    }
}

impl FromStr for Exemption {
    type Err = ParseExemptionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || ParseExemptionError(text.to_owned());
        if let Some(subject) = network(text) {
            return Ok(Self { subject, port: None });
        }
        let (rest, port) = match text.rsplit_once(':') {
            Some((rest, port)) => (rest, Some(port.parse().map_err(|_| refused())?)),
            None => (text, None),
        };
        let subject = network(rest).or_else(|| name(rest)).ok_or_else(refused)?;
        Ok(Self { subject, port })
    }
}

impl fmt::Display for ParseExemptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no host, *.suffix, address or network, with or without :port", self.0)
    }
}

impl std::error::Error for ParseExemptionError {}

fn network(text: &str) -> Option<Subject> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let net = bare.parse::<IpNet>().ok().or_else(|| bare.parse::<IpAddr>().ok().map(IpNet::from))?;
    Some(Subject::Net(net))
}

fn name(text: &str) -> Option<Subject> {
    let suffix = text.strip_prefix("*.").or_else(|| text.strip_prefix('.'));
    match (Host::parse(suffix.unwrap_or(text)).ok()?, suffix) {
        (Host::Domain(name), None) => Some(Subject::Host(name.trim_end_matches('.').to_owned())),
        (Host::Domain(name), Some(_)) => Some(Subject::Suffix(name.trim_end_matches('.').to_owned())),
        (Host::Ipv4(address), None) => Some(Subject::Net(IpAddr::from(address).into())),
        (Host::Ipv6(address), None) => Some(Subject::Net(IpAddr::from(address).into())),
        (_, Some(_)) => None,
    }
}

#[cfg(test)]
mod tests;
