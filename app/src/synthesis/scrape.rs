//! How the selected links become articles: fetched, read, and where a page cannot be read, taken from the feed.

use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream;
use headwater_domain::ErrorKind;
use headwater_domain::feed::{Content, ContentKind};
use headwater_domain::net::essence_of;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::article::{Article, LinkVia, PageArticle};
use headwater_domain::synthesis::candidate::Candidate;
use headwater_domain::synthesis::history::ArticleKey;
use headwater_domain::synthesis::near_duplicate::Fingerprint;
use headwater_domain::synthesis::wave::interleave;
use headwater_domain::text::{excerpt, plain_text_of_markdown};
use headwater_ports::{Error, PageReader, Result, Sanitiser};

use super::cpu::Cpu;
use super::fetch::{Fetched, Web, Wish};
use super::select::Links;
use super::stop::Stop;
use crate::progress::Progress;

/// Reads articles.
#[derive(Clone)]
pub(crate) struct Scraper {
    /// Fetches.
    pub(crate) web: Web,
    /// Reads pages.
    pub(crate) pages: Arc<dyn PageReader>,
    /// Makes a feed's own bodies safe.
    pub(crate) sanitiser: Arc<dyn Sanitiser>,
    /// Where they are read.
    pub(crate) cpu: Cpu,
    /// What is asked for.
    pub(crate) wish: Wish,
    /// Articles fetched at the same time.
    pub(crate) at_once: usize,
    /// From so many characters a feed's own body stands in for its page.
    pub(crate) substantial_chars: usize,
}

/// What became of one link.
#[derive(Debug)]
pub(crate) struct Scraped {
    /// The number of its source.
    pub(crate) source: usize,
    /// By what it is known.
    pub(crate) key: ArticleKey,
    /// Where it is.
    pub(crate) url: PrivateUrl,
    /// The source that led to it.
    pub(crate) source_url: PrivateUrl,
    /// How often reading it failed in earlier runs.
    pub(crate) failures: u32,
    /// The article, or why there is none.
    pub(crate) outcome: Result<Reading>,
}

/// An article that was read.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The article.
    pub(crate) article: Article,
    /// Other keys of the same article: where redirects led, and what the page calls its canonical URL.
    pub(crate) other_keys: Vec<ArticleKey>,
    /// By what a copy of it is recognised.
    pub(crate) fingerprint: Option<Fingerprint>,
}

/// A link on its way, with its place in the result.
struct Task {
    place: usize,
    source: usize,
    source_url: PrivateUrl,
    candidate: Candidate,
}

impl Scraper {
    /// Reads all links of a wave and gives them in the order in which they came. Links that were not reached before the
    /// run was asked to stop are left out.
    pub(crate) async fn scrape(
        &self,
        wave: Vec<Links>,
        source_url: impl Fn(usize) -> PrivateUrl,
        stop: &Stop,
        progress: &dyn Progress,
    ) -> Vec<Scraped> {
        let tasks = tasks(wave, source_url);
        let mut done: Vec<(usize, Scraped)> = Vec::with_capacity(tasks.len());
        let mut running = stream::iter(tasks).map(|task| self.carry_out(task)).buffer_unordered(self.at_once.max(1));
        loop {
            tokio::select! {
                biased;
                () = stop.requested() => break,
                next = running.next() => match next {
                    Some((place, scraped)) => {
                        progress.on_article(scraped.outcome.is_ok());
                        done.push((place, scraped));
                    }
                    None => break,
                },
            }
        }
        done.sort_by_key(|(place, _)| *place);
        done.into_iter().map(|(_, scraped)| scraped).collect()
    }

    async fn carry_out(&self, task: Task) -> (usize, Scraped) {
        let Task { place, source, source_url, mut candidate } = task;
        let content = candidate.content.take();
        let (key, url, failures) = (candidate.key.clone(), candidate.url.clone(), candidate.failures);
        let outcome = match self.web.document(&url, self.wish).await {
            Ok(fetched) => self.read(candidate, source_url.clone(), content, fetched).await,
            Err(missing) => self.stand_in(candidate, source_url.clone(), content, *missing.error).await,
        };
        (place, Scraped { source, key, url, source_url, failures, outcome })
    }

    /// Reads a page; the body is gone when this is done.
    async fn read(
        &self,
        candidate: Candidate,
        source_url: PrivateUrl,
        content: Option<Content>,
        fetched: Fetched,
    ) -> Result<Reading> {
        let this = self.clone();
        self.cpu
            .run(move || {
                let page = match web_page(&fetched) {
                    Ok(()) => this.pages.article(&fetched.page()),
                    Err(error) => Err(error),
                };
                let final_url = PrivateUrl::new(fetched.url);
                drop(fetched.body);
                let own = content.and_then(|content| this.own_body(&content));
                let page = match (page, own) {
                    (Ok(page), Some(own)) if is_stub(&page, &own) => own,
                    (Ok(page), _) => page,
                    (Err(_), Some(own)) => own,
                    (Err(error), None) => return Err(error),
                };
                Ok(reading(candidate, source_url, page, Some(final_url)))
            })
            .await
    }

    /// The feed's own body, where it is substantial; else the failure of the page.
    async fn stand_in(
        &self,
        candidate: Candidate,
        source_url: PrivateUrl,
        content: Option<Content>,
        error: Error,
    ) -> Result<Reading> {
        let Some(content) = content else { return Err(error) };
        let this = self.clone();
        self.cpu
            .run(move || match this.own_body(&content) {
                Some(own) => Ok(reading(candidate, source_url, own, None)),
                None => Err(error),
            })
            .await
    }

    /// A feed's own body as an article, where it is substantial.
    fn own_body(&self, content: &Content) -> Option<PageArticle> {
        if content.raw.len() < self.substantial_chars {
            return None;
        }
        let content_markdown = match content.kind {
            ContentKind::Text => content.raw.trim().to_owned(),
            ContentKind::Html => {
                let html = self.sanitiser.sanitise(content);
                self.sanitiser.markdown(&html, content.base.as_ref())
            }
        };
        let text_length = plain_text_of_markdown(&content_markdown).chars().count();
        let article = PageArticle { content_markdown, text_length, ..PageArticle::default() };
        (text_length >= self.substantial_chars).then_some(article)
    }
}

/// The links in the order in which they are fetched: the sources take turns, so that their hosts share the work.
fn tasks(wave: Vec<Links>, source_url: impl Fn(usize) -> PrivateUrl) -> Vec<Task> {
    let mut place = 0..;
    let lists = wave.into_iter().map(|links| {
        let task = |candidate| {
            let place = place.next().expect("the range has no end");
            Task { place, source: links.source, source_url: source_url(links.source), candidate }
        };
        links.candidates.into_iter().map(task).collect()
    });
    interleave(lists.collect())
}

/// Whether the document is one that a page reader can make something of.
fn web_page(fetched: &Fetched) -> Result<()> {
    let media_type = essence_of(fetched.content_type().unwrap_or_default());
    let readable = ["", "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"];
    if readable.contains(&media_type.as_str()) || fetched.looks_like_html() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::NoReadableContent, "read article", format!("{media_type} is no web page")))
}

/// Whether a page gives only the beginning of what the feed has in full.
fn is_stub(page: &PageArticle, own: &PageArticle) -> bool {
    page.text_length < STUB_CHARS && own.text_length > 2 * page.text_length
}

fn reading(candidate: Candidate, source_url: PrivateUrl, page: PageArticle, final_url: Option<PrivateUrl>) -> Reading {
    let text = plain_text_of_markdown(&page.content_markdown);
    let fingerprint = Fingerprint::of(&text);
    let canonical_url = page.canonical_url.filter(|canonical| names_one_page(canonical, &candidate.url));
    let other_keys = [final_url, canonical_url].into_iter().flatten().map(|url| ArticleKey::of(&url));
    let mut other_keys: Vec<ArticleKey> = other_keys.filter(|key| *key != candidate.key).collect();
    other_keys.dedup();
    let beginning = page.excerpt.filter(|known| !known.trim().is_empty()).unwrap_or_else(|| text.clone());
    let shortened = excerpt(&beginning, EXCERPT_CHARS);
    // A feed's title is the author's; a link's text may be anything.
    let title = match candidate.found_via {
        LinkVia::Feed => candidate.title.or(page.title),
        LinkVia::Html => page.title.or(candidate.title),
    };
    let article = Article {
        title: title.unwrap_or_else(|| excerpt(&text, TITLE_CHARS)),
        url: candidate.url,
        source_url,
        published_at: candidate.published_at.or(page.published_at),
        language: page.language.or(candidate.language),
        found_via: candidate.found_via,
        excerpt: Some(shortened).filter(|text| !text.is_empty()),
        content_markdown: page.content_markdown,
    };
    Reading { article, other_keys, fingerprint }
}

/// Whether a canonical URL can be that of one article: sites exist whose every page names the home page, or another host.
fn names_one_page(canonical: &PrivateUrl, url: &PrivateUrl) -> bool {
    let (canonical, url) = (canonical.expose(), url.expose());
    let is_home = canonical.path() == "/" && canonical.query().is_none();
    !is_home && canonical.host_str() == url.host_str()
}

/// Shorter texts may be the beginning of an article behind a wall.
const STUB_CHARS: usize = 600;

/// Characters of an excerpt.
const EXCERPT_CHARS: usize = 300;

/// Characters of a title that has to be made of the text.
const TITLE_CHARS: usize = 80;

#[cfg(test)]
mod tests;
