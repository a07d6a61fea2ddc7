//! Whether a URL may be fetched and an address be dialled for it.

use std::fmt;
use std::net::IpAddr;

use url::{Host, Url};

use super::address::{Inside, inside};
use super::exemptions::Exemptions;
use crate::ErrorKind;

/// Judges every URL before a request, and every address before a connection.
///
/// Call [`judge_url`](Self::judge_url) for the first URL and for the target of each redirect, and
/// [`judge_address`](Self::judge_address) for **all** addresses behind a name before the first of them is dialled. What is
/// dialled must be the very address that was judged: a second look-up may answer otherwise.
#[derive(Debug, Clone, Default)]
pub struct UrlGuard {
    exemptions: Exemptions,
    ports: Ports,
}

/// Which ports may be dialled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Ports {
    /// Those at which a web server may answer.
    #[default]
    Web,
    /// Those at which mail is handed in.
    Mail,
}

/// Why the guard said no.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// Only http and https are fetched.
    Scheme(String),
    /// There is no host to connect to.
    NoHost,
    /// The URL is longer than [`MAX_URL_BYTES`].
    TooLong,
    /// A port at which no web server answers, but something that would misunderstand a request.
    Port(u16),
    /// A port at which no mail is handed in.
    MailPort(u16),
    /// A name that leads inside wherever it is looked up.
    Name(String),
    /// An address inside.
    Address(IpAddr, Inside),
}

/// The longest URL that is fetched.
pub const MAX_URL_BYTES: usize = 16 * 1024;

impl UrlGuard {
    /// A guard that lets the exempt through.
    pub fn new(exemptions: Exemptions) -> Self {
        Self { exemptions, ports: Ports::Web }
    }

    /// A guard for mail servers: the same addresses, and the ports at which mail is handed in instead of the web's.
    pub fn for_mail(exemptions: Exemptions) -> Self {
        Self { exemptions, ports: Ports::Mail }
    }

    /// Judges scheme, host and port; a name is judged by what it says, not by where it leads.
    ///
    /// Decimal, octal, hex and short forms of IPv4 addresses are addresses to the URL parser; trailing dots are looked
    /// behind here.
    ///
    /// # Errors
    /// The URL must not be fetched.
    pub fn judge_url(&self, url: &Url) -> Result<(), Refusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refusal::Scheme(url.scheme().to_owned()));
        }
        if url.as_str().len() > MAX_URL_BYTES {
            return Err(Refusal::TooLong);
        }
        let port = url.port_or_known_default().ok_or(Refusal::NoHost)?;
        match url.host().ok_or(Refusal::NoHost)? {
            Host::Domain(name) => self.judge_name(name, port),
            Host::Ipv4(address) => self.judge_literal(address.into(), port),
            Host::Ipv6(address) => self.judge_literal(address.into(), port),
        }
    }

    /// Judges an address to which `host` (a name, or the address itself) led.
    ///
    /// # Errors
    /// The address must not be dialled, and none of its siblings either.
    pub fn judge_address(&self, host: &str, port: u16, address: IpAddr) -> Result<(), Refusal> {
        if self.exemptions.covers_host(host, port) {
            return Ok(());
        }
        self.judge_literal(address, port)
    }

    /// Judges a host name by what it says.
    ///
    /// # Errors
    /// The name leads inside, or the port is none of the web's.
    pub fn judge_name(&self, name: &str, port: u16) -> Result<(), Refusal> {
        let bare = name.trim_end_matches('.');
        if self.exemptions.covers_host(bare, port) {
            return Ok(());
        }
        match Host::parse(bare) {
            Ok(Host::Ipv4(address)) => return self.judge_literal(address.into(), port),
            Ok(Host::Ipv6(address)) => return self.judge_literal(address.into(), port),
            Ok(Host::Domain(_)) => {}
            Err(_) => return Err(Refusal::NoHost),
        }
        if leads_inside(bare) {
            return Err(Refusal::Name(bare.to_owned()));
        }
        self.ports.judge(port)
    }

    fn judge_literal(&self, address: IpAddr, port: u16) -> Result<(), Refusal> {
        if self.exemptions.covers_address(address, port) {
            return Ok(());
        }
        match inside(address) {
            Some(reason) => Err(Refusal::Address(address, reason)),
            None => self.ports.judge(port),
        }
    }
}

impl Refusal {
    /// `invalid_url` for what is no web URL, `blocked_address` for what leads inside.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Scheme(_) | Self::NoHost | Self::TooLong => ErrorKind::InvalidUrl,
            Self::Port(_) | Self::MailPort(_) | Self::Name(_) | Self::Address(..) => ErrorKind::BlockedAddress,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme(scheme) => write!(f, "only http and https are fetched, not {scheme}"),
            Self::NoHost => f.write_str("the URL names no host"),
            Self::TooLong => write!(f, "the URL is longer than {MAX_URL_BYTES} bytes"),
            Self::Port(port) => write!(f, "port {port} is not one of the web's"),
            Self::MailPort(port) => write!(f, "port {port} is not one at which mail is handed in"),
            Self::Name(name) => write!(f, "{name} is a name of the inside network"),
            Self::Address(address, reason) => write!(f, "{address} is {reason}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl Ports {
    fn judge(self, port: u16) -> Result<(), Refusal> {
        match self {
            Self::Web if CLOSED_PORTS.binary_search(&port).is_ok() => Err(Refusal::Port(port)),
            Self::Mail if !MAIL_PORTS.contains(&port) => Err(Refusal::MailPort(port)),
            _ => Ok(()),
        }
    }
}

/// Submission with and without TLS from the start, relaying, and the usual way around a blocked port 25.
const MAIL_PORTS: [u16; 4] = [25, 465, 587, 2525];

/// A name without a dot is completed by the resolver's search list, so it is always one of the inside.
fn leads_inside(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let Some((_, last)) = name.rsplit_once('.') else { return true };
    INSIDE_TOP_LABELS.contains(&last)
        || INSIDE_NAMES
            .iter()
            .any(|inside| name.strip_suffix(inside).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// Top-level labels that never lead to the internet: RFC 6761, RFC 6762, ICANN's `internal`, the names that ICANN holds
/// back because networks use them inside, and those of container platforms.
const INSIDE_TOP_LABELS: &[&str] = &[
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "mail",
    "svc",
    "consul",
    "docker",
    "fritz",
];

/// Names, with all below them, that clouds and home routers answer inside under a public top level.
const INSIDE_NAMES: &[&str] = &[
    "home.arpa",
    "fritz.box",
    "metadata.goog",
    "metadata.tencentyun.com",
    "metadata.platformequinix.com",
    "metadata.packet.net",
];

/// Sorted. The fetch standard's blocked ports, and those of databases, caches, directories and control planes, which
/// take parts of a request for commands or answer without asking who is there.
const CLOSED_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 162, 179, 389, 427, 445, 465, 512, 513, 514, 515,
    526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1433, 1434, 1521, 1719, 1720,
    1723, 2049, 2181, 2375, 2376, 2377, 2379, 2380, 3268, 3269, 3306, 3389, 3659, 4001, 4045, 4190, 5060, 5061, 5432,
    5672, 5900, 5984, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 8500, 9042, 9092, 9200, 9300,
    10080, 10250, 10255, 11211, 27017, 27018, 27019,
];

#[cfg(test)]
mod tests;
