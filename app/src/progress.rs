//! How a person sees a run go on: bars on a terminal, plain lines elsewhere, on standard error only.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use headwater_domain::synthesis::digest::{SourceOutcome, SourceReport};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::output;

/// Is told how a run goes on.
pub(crate) trait Progress: Send + Sync {
    /// So many sources will be read.
    fn on_start(&self, sources: usize);
    /// A source was read.
    fn on_source(&self, report: &SourceReport);
    /// So many more articles will be read.
    fn on_articles(&self, more: usize);
    /// An article was read, or could not be.
    fn on_article(&self, is_read: bool);
    /// Nothing more comes.
    fn on_end(&self);
}

/// Tells nobody.
#[cfg(test)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Silent;

/// What suits standard error: bars on a terminal, lines elsewhere.
pub(crate) fn for_standard_error() -> Arc<dyn Progress> {
    let wants_bars = io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    if wants_bars { Arc::new(Bars::new()) } else { Arc::new(Lines::default()) }
}

/// Two bars: sources and articles.
struct Bars {
    all: MultiProgress,
    sources: ProgressBar,
    articles: ProgressBar,
}

/// A line for each source, and one for every hundred articles.
#[derive(Debug, Default)]
struct Lines {
    sources: AtomicUsize,
    sources_done: AtomicUsize,
    articles: AtomicUsize,
    articles_done: AtomicUsize,
}

impl Bars {
    fn new() -> Self {
        let all = MultiProgress::new();
        let bar = |name: &'static str| {
            // The library leaves out colours where NO_COLOR is set.
            let style = ProgressStyle::with_template("{prefix:>8} {bar:28.cyan/dim} {pos}/{len} {wide_msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            all.add(ProgressBar::new(0).with_style(style).with_prefix(name))
        };
        let (sources, articles) = (bar("sources"), bar("articles"));
        Self { all, sources, articles }
    }
}

impl Progress for Bars {
    fn on_start(&self, sources: usize) {
        self.sources.set_length(sources as u64);
    }

    fn on_source(&self, report: &SourceReport) {
        self.sources.inc(1);
        self.sources.set_message(report.url.clone());
        if report.outcome == SourceOutcome::Failed {
            let _ = self.all.println(line(report));
        }
    }

    fn on_articles(&self, more: usize) {
        self.articles.inc_length(more as u64);
    }

    fn on_article(&self, _is_read: bool) {
        self.articles.inc(1);
    }

    fn on_end(&self) {
        let _ = self.all.clear();
    }
}

impl Progress for Lines {
    fn on_start(&self, sources: usize) {
        self.sources.store(sources, Ordering::Relaxed);
    }

    fn on_source(&self, report: &SourceReport) {
        let done = self.sources_done.fetch_add(1, Ordering::Relaxed) + 1;
        output::note(&format!("[{done}/{}] {}", self.sources.load(Ordering::Relaxed), line(report)));
    }

    fn on_articles(&self, more: usize) {
        self.articles.fetch_add(more, Ordering::Relaxed);
    }

    fn on_article(&self, _is_read: bool) {
        let done = self.articles_done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(ARTICLES_PER_LINE) {
            output::note(&format!("{done} of {} articles read", self.articles.load(Ordering::Relaxed)));
        }
    }

    fn on_end(&self) {}
}

#[cfg(test)]
impl Progress for Silent {
    fn on_start(&self, _sources: usize) {}
    fn on_source(&self, _report: &SourceReport) {}
    fn on_articles(&self, _more: usize) {}
    fn on_article(&self, _is_read: bool) {}
    fn on_end(&self) {}
}

/// A source and what it gave, on one line.
fn line(report: &SourceReport) -> String {
    let links = match report.links {
        1 => "1 link".to_owned(),
        links => format!("{links} links"),
    };
    match (report.outcome, &report.error, &report.fallback_reason) {
        (SourceOutcome::Failed, Some(error), _) => {
            format!("{}: failed ({}): {}", report.url, error.code, error.message)
        }
        (SourceOutcome::Failed, None, _) => format!("{}: failed", report.url),
        (SourceOutcome::Skipped, _, Some(reason)) => format!("{}: not read: {reason}", report.url),
        (SourceOutcome::Skipped, ..) => format!("{}: not read", report.url),
        (SourceOutcome::Feed, ..) if report.unchanged => format!("{}: nothing new in its feed", report.url),
        (SourceOutcome::Feed, ..) => format!("{}: {links} from its feed", report.url),
        (SourceOutcome::Html, _, Some(reason)) => format!("{}: {links} from its page; {reason}", report.url),
        (SourceOutcome::Html, ..) => format!("{}: {links} from its page", report.url),
    }
}

const ARTICLES_PER_LINE: usize = 100;
