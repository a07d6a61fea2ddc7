//! Which flags the help of a command shows: those that do something there.

use clap::{Command, CommandFactory};

use super::Cli;
use crate::context::REQUESTS;

/// The commands that make requests or judge their URLs, and the groups that hold such commands.
const WITH_REQUESTS: [&str; 14] = [
    "",
    " run",
    " digest",
    " digest deliver",
    " feed",
    " feed discover",
    " feed fetch",
    " url",
    " url check",
    " datasource",
    " datasource validate",
    " datasource resources",
    " datasource fetch",
    " datasource sync",
];

/// The command line as it is parsed and explained. The flags that shape requests are taken everywhere, since they may
/// stand before the command, but are shown only where requests are made.
pub(super) fn command() -> Command {
    let mut command = Cli::command();
    // The flags of all commands come to each command only now.
    command.build();
    hide_idle_flags(command, "")
}

fn hide_idle_flags(mut command: Command, path: &str) -> Command {
    for inner in command.get_subcommands_mut() {
        let path = format!("{path} {}", inner.get_name());
        *inner = hide_idle_flags(std::mem::take(inner), &path);
    }
    if WITH_REQUESTS.contains(&path) {
        return command;
    }
    command.mut_args(|flag| if flag.get_help_heading() == Some(REQUESTS) { flag.hide(true) } else { flag })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &[&str], shown: bool) {
        let mut command = command();
        let command = path.iter().fold(&mut command, |outer, name| outer.find_subcommand_mut(name).unwrap());
        let help = command.render_help().to_string();
        assert_eq!(help.contains("--connect-to"), shown, "{help}");
        assert!(help.contains("--config"), "{help}");
    }

    #[test]
    fn flags_of_requests_are_shown_where_requests_are_made() {
        check(&[], true);
        check(&["run"], true);
        check(&["feed", "fetch"], true);
        check(&["feed", "parse"], false);
        check(&["redact"], false);
        check(&["db", "check"], false);
    }

    #[test]
    fn hidden_flags_are_still_taken() {
        let words = ["headwater", "--allow", "a.test", "redact", "--connect-to", "a:1:b:2"];
        assert!(command().try_get_matches_from(words).is_ok());
    }
}
