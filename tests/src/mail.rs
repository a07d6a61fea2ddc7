//! A small SMTP server on loopback: greeting, EHLO, STARTTLS, AUTH, mail and quit, and a memory of what it was handed.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use crate::server::Identity;

/// A mail server that lives until it is dropped.
#[derive(Debug)]
pub struct MailServer {
    address: SocketAddr,
    memory: Arc<Memory>,
    task: JoinHandle<()>,
}

/// How a mail server behaves.
#[derive(Debug, Clone, Default)]
pub struct MailRules {
    /// With this it offers STARTTLS.
    pub start_tls: Option<Identity>,
    /// With this it speaks TLS from the first byte.
    pub tls: Option<Identity>,
    /// The login that it wants, as `user` and `password`; without, it wants none.
    pub login: Option<(String, String)>,
    /// A recipient that it refuses.
    pub refuses: Option<String>,
    /// Bytes that are sent behind the answer to STARTTLS in the clear, as somebody in between would.
    pub injects: Vec<u8>,
    /// Instead of a greeting it sends so many bytes without an end of line.
    pub floods: usize,
}

/// A mail that was handed in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mail {
    /// The sender of the envelope.
    pub from: String,
    /// The recipients of the envelope.
    pub to: Vec<String>,
    /// The message, with dots as they were meant.
    pub message: String,
    /// Whether it came over TLS.
    pub encrypted: bool,
    /// Who logged in.
    pub user: Option<String>,
}

#[derive(Debug, Default)]
struct Memory {
    mails: Mutex<Vec<Mail>>,
    commands: Mutex<Vec<String>>,
}

impl MailServer {
    /// Starts a server.
    pub async fn start(rules: MailRules) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port is free");
        let address = listener.local_addr().expect("a bound socket has an address");
        let memory = Arc::new(Memory::default());
        let task = tokio::spawn(accept(listener, Arc::new(rules), Arc::clone(&memory)));
        Self { address, memory, task }
    }

    /// Its port, on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The mails so far.
    pub fn mails(&self) -> Vec<Mail> {
        self.memory.mails.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The commands so far, whatever connection they came over.
    pub fn commands(&self) -> Vec<String> {
        self.memory.commands.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, rules: Arc<MailRules>, memory: Arc<Memory>) {
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        let (rules, memory) = (Arc::clone(&rules), Arc::clone(&memory));
        // A client that breaks off is no concern of the server's.
        connections.spawn(async move { converse(stream, &rules, &memory).await.ok() });
    }
}

async fn converse(stream: TcpStream, rules: &MailRules, memory: &Memory) -> io::Result<()> {
    if let Some(identity) = &rules.tls {
        let stream = acceptor(identity).accept(stream).await?;
        return Session::new(stream, rules, memory, true).run(true).await.map(drop);
    }
    let upgrade = Session::new(stream, rules, memory, false).run(true).await?;
    if let (Some(stream), Some(identity)) = (upgrade, &rules.start_tls) {
        let stream = acceptor(identity).accept(stream).await?;
        Session::new(stream, rules, memory, true).run(false).await?;
    }
    Ok(())
}

fn acceptor(identity: &Identity) -> TlsAcceptor {
    identity.acceptor(&[])
}

/// A connection, before or after it became encrypted.
struct Session<'a, S> {
    stream: BufReader<S>,
    rules: &'a MailRules,
    memory: &'a Memory,
    mail: Mail,
}

impl<'a, S: AsyncRead + AsyncWrite + Unpin> Session<'a, S> {
    fn new(stream: S, rules: &'a MailRules, memory: &'a Memory, encrypted: bool) -> Self {
        Self { stream: BufReader::new(stream), rules, memory, mail: Mail { encrypted, ..Mail::default() } }
    }

    /// Runs until the client quits; gives the stream where it is to become encrypted.
    async fn run(mut self, greets: bool) -> io::Result<Option<S>> {
        if self.rules.floods > 0 {
            self.say(&"x".repeat(self.rules.floods)).await?;
        }
        if greets {
            self.say("220 mail.example.test ready\r\n").await?;
        }
        while let Some(line) = self.line().await? {
            let verb = line.split(' ').next().unwrap_or_default().to_ascii_uppercase();
            match verb.as_str() {
                "EHLO" => self.hello().await?,
                "STARTTLS" => {
                    self.say("220 go ahead\r\n").await?;
                    let injected = self.rules.injects.clone();
                    self.stream.get_mut().write_all(&injected).await?;
                    return Ok(Some(self.stream.into_inner()));
                }
                "AUTH" => self.login(&line).await?,
                "MAIL" => {
                    self.mail.from = address(&line);
                    self.say("250 ok\r\n").await?;
                }
                "RCPT" if self.rules.refuses.as_deref() == Some(address(&line).as_str()) => {
                    self.say("550 no such mailbox\r\n").await?;
                }
                "RCPT" => {
                    self.mail.to.push(address(&line));
                    self.say("250 ok\r\n").await?;
                }
                "DATA" => self.message().await?,
                "QUIT" => {
                    self.say("221 bye\r\n").await?;
                    return Ok(None);
                }
                _ => self.say("502 unknown\r\n").await?,
            }
        }
        Ok(None)
    }

    async fn hello(&mut self) -> io::Result<()> {
        let mut said = "250-mail.example.test\r\n".to_owned();
        if self.rules.start_tls.is_some() && !self.mail.encrypted {
            said.push_str("250-STARTTLS\r\n");
        }
        if self.rules.login.is_some() && self.mail.encrypted {
            said.push_str("250-AUTH PLAIN LOGIN\r\n");
        }
        said.push_str("250 8BITMIME\r\n");
        self.say(&said).await
    }

    async fn login(&mut self, line: &str) -> io::Result<()> {
        use std::fmt::Write as _;
        let Some((user, word)) = &self.rules.login else { return self.say("503 no\r\n").await };
        // AUTH PLAIN: base64 of NUL, user, NUL, password.
        let expected = base64(format!("\0{user}\0{word}").as_bytes());
        let given = line.rsplit(' ').next().unwrap_or_default();
        if given == expected {
            self.mail.user = Some(user.clone());
            return self.say("235 welcome\r\n").await;
        }
        let mut said = String::new();
        let _ = write!(said, "535 {given} is wrong\r\n");
        self.say(&said).await
    }

    async fn message(&mut self) -> io::Result<()> {
        self.say("354 go on\r\n").await?;
        while let Some(line) = self.line().await? {
            if line == "." {
                break;
            }
            self.mail.message.push_str(line.strip_prefix('.').unwrap_or(&line));
            self.mail.message.push('\n');
        }
        let done = std::mem::take(&mut self.mail);
        self.mail = Mail { encrypted: done.encrypted, user: done.user.clone(), ..Mail::default() };
        self.memory.mails.lock().unwrap_or_else(PoisonError::into_inner).push(done);
        self.say("250 taken\r\n").await
    }

    async fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        if self.stream.read_line(&mut line).await? == 0 {
            return Ok(None);
        }
        let line = line.trim_end_matches(['\r', '\n']).to_owned();
        self.memory.commands.lock().unwrap_or_else(PoisonError::into_inner).push(line.clone());
        Ok(Some(line))
    }

    async fn say(&mut self, text: &str) -> io::Result<()> {
        self.stream.get_mut().write_all(text.as_bytes()).await?;
        self.stream.get_mut().flush().await
    }
}

/// What stands in angle brackets.
fn address(line: &str) -> String {
    let inside = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inside.map(|(address, _)| address.to_owned()).unwrap_or_default()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}
