//! Which paths a pattern means.

/// A pattern of paths: `*` stands for anything within a name, `?` for one character of it, `**` for any folders, none too.
/// A pattern without `/` means names in every folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glob(Vec<String>);

impl Glob {
    pub(super) fn new(pattern: &str) -> Self {
        let pattern = pattern.trim_matches('/');
        let anywhere = if pattern.contains('/') { "" } else { "**/" };
        let mut parts: Vec<String> = format!("{anywhere}{pattern}").split('/').map(str::to_owned).collect();
        parts.dedup_by(|one, other| one == "**" && other == "**");
        Self(parts)
    }

    /// In time of the product of both lengths, whatever the pattern.
    pub(super) fn matches(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').collect();
        let parts: Vec<&str> = self.0.iter().map(String::as_str).collect();
        walk(&parts, &names, |part| *part == "**", |part, name| name_matches(part, name))
    }
}

fn name_matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    walk(&pattern, &name, |wild| *wild == '*', |wanted, found| *wanted == '?' || wanted == found)
}

/// Matches from the left; after a failure the last wild card takes one piece more. Earlier ones need never take more.
fn walk<P, N>(pattern: &[P], text: &[N], is_wild: impl Fn(&P) -> bool, fits: impl Fn(&P, &N) -> bool) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut retry = None;
    while t < text.len() {
        if p < pattern.len() && is_wild(&pattern[p]) {
            retry = Some((p, t));
            p += 1;
        } else if p < pattern.len() && fits(&pattern[p], &text[t]) {
            (p, t) = (p + 1, t + 1);
        } else if let Some((wild, taken)) = retry {
            retry = Some((wild, taken + 1));
            (p, t) = (wild + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(is_wild)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, path: &str, expected: bool) {
        assert_eq!(Glob::new(pattern).matches(path), expected, "{pattern} on {path}");
    }

    #[test]
    fn patterns_mean_names_and_folders() {
        check("*.md", "a.md", true);
        check("*.md", "deep/down/a.md", true);
        check("*.md", "a.mdx", false);
        check("notes/*.md", "notes/a.md", true);
        check("notes/*.md", "notes/deep/a.md", false);
        check("notes/**", "notes/deep/a.md", true);
        check("notes/**/a.md", "notes/a.md", true);
        check("**/tmp/**", "x/tmp/y/z", true);
        check("/notes/?.md", "notes/ä.md", true);
        check("notes/?.md", "notes/ab.md", false);
        check("*a*b*", "xxaxxbxx", true);
        check("*a*b", "xxaxxbxx", false);
        check("**", "anything/at/all", true);
    }

    #[test]
    fn a_malicious_pattern_costs_little() {
        let pattern = "*a".repeat(2000) + "b";
        assert!(!Glob::new(&pattern).matches(&"a".repeat(5000)));
    }
}
