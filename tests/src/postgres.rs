//! Where do the tests get a PostgreSQL server from?

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, fs};

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use tempfile::TempDir;
use url::Url;

/// A server for tests: that of `DATABASE_URL`, else one of its own from the binaries on this machine, with its data in a
/// temporary folder and a socket for only door, gone when this value is dropped or its process ends in any way.
///
/// Each test takes a database of its own.
#[derive(Debug)]
pub struct PostgresServer {
    base: Url,
    own: Option<OwnServer>,
    databases: AtomicU32,
}

#[derive(Debug)]
struct OwnServer {
    process: Child,
    folder: TempDir,
}

impl PostgresServer {
    /// Finds or starts a server. One of its own syncs nothing to the disk: tests end before the power fails.
    ///
    /// # Panics
    /// If there is none and none can be started, with a sentence that says what to install: a test that needs PostgreSQL
    /// fails without one.
    pub async fn start() -> Self {
        Self::start_with(UNSYNCED).await
    }

    /// Finds or starts a server whose own settings are those of one in earnest: each commit is on the disk. For benches.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    pub async fn start_durable() -> Self {
        Self::start_with("").await
    }

    async fn start_with(settings: &str) -> Self {
        if let Ok(url) = env::var("DATABASE_URL").map(|url| url.parse::<Url>().expect("DATABASE_URL is a URL"))
            && url.scheme().starts_with("postgres")
        {
            return Self { base: url, own: None, databases: AtomicU32::new(0) };
        }
        let binaries = binaries().expect(
            "these tests need PostgreSQL 13 or later: install it (`apt install postgresql`), or name a server whose user \
             may create databases in DATABASE_URL",
        );
        let own = OwnServer::start(&binaries, settings);
        let base = format!("postgres://postgres@localhost/postgres?host={}", own.folder.path().display());
        let server = Self {
            base: base.parse().expect("a path in a URL is a URL"),
            own: Some(own),
            databases: AtomicU32::new(0),
        };
        server.wait_until_it_answers().await;
        server
    }

    /// Makes a database, and gives its URL.
    pub async fn database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("headwater_test_{}_{number}", std::process::id());
        let mut connection = self.connect().await.expect("the server answers");
        connection.execute(AssertSqlSafe(format!("DROP DATABASE IF EXISTS {name}"))).await.expect("the server obeys");
        connection
            .execute(AssertSqlSafe(format!("CREATE DATABASE {name}")))
            .await
            .expect("the user may create databases");
        let mut url = self.base.clone();
        url.set_path(&name);
        url.into()
    }

    async fn connect(&self) -> sqlx::Result<PgConnection> {
        let options: PgConnectOptions = self.base.as_str().parse()?;
        options.disable_statement_logging().connect().await
    }

    /// The socket is there before the server takes orders.
    async fn wait_until_it_answers(&self) {
        let mut last = None;
        for _ in 0..600 {
            match self.connect().await {
                Ok(_) => return,
                Err(error) => last = Some(error),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let log = self.own.as_ref().map(|own| fs::read_to_string(own.folder.path().join("log")).unwrap_or_default());
        panic!("PostgreSQL did not start within 30 s: {last:?}\n{}", log.unwrap_or_default());
    }
}

impl OwnServer {
    fn start(binaries: &Path, settings: &str) -> Self {
        let folder =
            tempfile::Builder::new().prefix("headwater-pg-").tempdir().expect("the temporary folder can be written");
        let user = user_for_server(folder.path());
        let data = folder.path().join("data");
        let mut init = Command::new(binaries.join("initdb"));
        init.args(["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(&data);
        let output = as_user(&mut init, user).output().expect("initdb can be run");
        assert!(output.status.success(), "initdb failed: {}", String::from_utf8_lossy(&output.stderr));

        // The shell stops the server when its input ends: at our drop, and at our death, however it comes.
        let mut guarded = Command::new("/bin/sh");
        guarded.args(["-c", GUARD, "sh"]).arg(binaries.join("postgres")).arg(&data).arg(folder.path()).arg(settings);
        let process = as_user(&mut guarded, user)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell can be run");
        Self { process, folder }
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        if let Some(mut input) = self.process.stdin.take() {
            let _ = input.flush();
        }
        let _ = self.process.wait();
    }
}

/// PostgreSQL refuses to run as root: then it runs as `postgres`, else as `nobody`, who get the folder.
fn user_for_server(folder: &Path) -> Option<(u32, u32)> {
    if fs::metadata(folder).expect("the folder was just made").uid() != 0 {
        return None;
    }
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let user = ["postgres", "nobody"].into_iter().find_map(|name| {
        let mut fields = passwd.lines().find(|line| line.split(':').next() == Some(name))?.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    });
    let (uid, gid) = user.expect("the machine has a user `postgres` or `nobody`");
    chown(folder, Some(uid), Some(gid)).expect("root may give a folder away");
    Some((uid, gid))
}

fn as_user(command: &mut Command, user: Option<(u32, u32)>) -> &mut Command {
    command.env_remove("DATABASE_URL").current_dir("/");
    match user {
        Some((uid, gid)) => command.uid(uid).gid(gid),
        None => command,
    }
}

/// The folder with `initdb` and `postgres`: of the search path, else the newest of those where distributions put them.
fn binaries() -> Option<PathBuf> {
    let search = env::var_os("PATH").unwrap_or_default();
    let versions =
        fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|entry| entry.path().join("bin"));
    let mut versions: Vec<_> = versions.collect();
    versions.sort_by_key(|path| std::cmp::Reverse(version(path)));
    let usual = ["/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql/bin"].map(PathBuf::from);
    let folders = env::split_paths(&search).chain(versions).chain(usual);
    folders.into_iter().find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
}

/// The number in `/usr/lib/postgresql/15/bin`.
fn version(binaries: &Path) -> u32 {
    let name = binaries.parent().and_then(Path::file_name).and_then(OsStr::to_str);
    name.and_then(|name| name.parse().ok()).unwrap_or_default()
}

const UNSYNCED: &str = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off";

/// Starts the server ($1) on its data ($2) with a socket in $3 and settings ($4), and stops it when standard input ends.
const GUARD: &str = r#"
"$1" -D "$2" -k "$3" -c listen_addresses= -c max_connections=200 -c shared_buffers=64MB $4 >"$3/log" 2>&1 &
server=$!
cat >/dev/null
kill -INT "$server"
wait "$server"
"#;
