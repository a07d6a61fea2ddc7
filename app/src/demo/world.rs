//! Which sites and articles the demo's web is made of.

use anyhow::Context as _;
use headwater_domain::ErrorKind;
use headwater_ports::{Error, Result};
use jiff::{Timestamp, ToSpan as _};
use serde::Deserialize;

/// The whole web of the demo, as it stands at one moment.
#[derive(Debug, Clone)]
pub(crate) struct World {
    /// The sites that answer with articles.
    pub(crate) sites: Vec<Site>,
}

/// A site with articles.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Site {
    /// Its host name, which only the demo's own server answers to.
    pub(crate) host: String,
    /// What it is called.
    pub(crate) name: String,
    /// What it says it is about.
    pub(crate) tagline: String,
    /// A language tag.
    pub(crate) language: String,
    /// What its pages look like.
    pub(crate) layout: Layout,
    /// Which feed it has.
    pub(crate) feed: FeedShape,
    /// Where the feed is.
    #[serde(default)]
    pub(crate) feed_path: Option<String>,
    /// Where an article is; `{slug}` stands for its slug.
    article_path: String,
    /// What the demo's run is given for this site.
    pub(crate) source: String,
    /// The articles, newest first.
    #[serde(rename = "article")]
    pub(crate) articles: Vec<Article>,
}

/// An article of a site.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Article {
    /// The part of the URL that is its own.
    pub(crate) slug: String,
    /// The headline.
    pub(crate) title: String,
    /// Who wrote it.
    pub(crate) author: String,
    /// The part of the site in which it stands.
    pub(crate) section: String,
    /// How long before the present it was published.
    hours_ago: i64,
    /// Paragraphs, quotations and lists, with blank lines between.
    pub(crate) text: String,
    /// When it was published.
    #[serde(skip)]
    pub(crate) published_at: Timestamp,
}

/// What the pages of a site look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Layout {
    /// Bars, boxes and teasers all around; data for search engines.
    Magazine,
    /// One column with a margin.
    Journal,
    /// Hardly any classes to go by.
    Plain,
}

/// Which feed a site has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(crate) enum FeedShape {
    /// None: its links must be read from the page.
    #[serde(rename = "none")]
    None,
    /// RSS 2.0.
    #[serde(rename = "rss-2.0")]
    Rss20,
    /// RSS 1.0.
    #[serde(rename = "rss-1.0")]
    Rss10,
    /// Atom.
    #[serde(rename = "atom")]
    Atom,
    /// JSON Feed.
    #[serde(rename = "json")]
    Json,
    /// RSS 2.0 with two entries: too few to go by.
    #[serde(rename = "two-entries")]
    TwoEntries,
    /// RSS 2.0 that is not well-formed, and has to be repaired.
    #[serde(rename = "broken")]
    Broken,
}

/// The host that answers everything with 500.
pub(crate) const FAILING_HOST: &str = "harbour.demo.test";

/// The host that sends everybody elsewhere for good, and where to.
pub(crate) const MOVED_HOST: (&str, &str) = ("oldtrees.demo.test", "canopy.demo.test");

/// The topics of the demo's reader, in the form of a topics file.
pub(crate) const TOPICS: &str = include_str!("world/topics.toml");

impl World {
    /// The web as it stands at `now`.
    ///
    /// # Errors
    /// `internal` if a file that was built in cannot be read.
    pub(crate) fn at(now: Timestamp) -> Result<Self> {
        let site = |text: &&str| Site::parse(text, now);
        let sites = SITES.iter().map(site).collect::<anyhow::Result<Vec<_>>>().map_err(|error| {
            Error::new(ErrorKind::Internal, "set up the demo", "a site of the demo cannot be read").with_source(error)
        })?;
        Ok(Self { sites })
    }

    /// What the demo's run is given: every site, and the one that fails.
    pub(crate) fn sources(&self) -> Vec<String> {
        let sites = self.sites.iter().map(|site| site.source.clone());
        sites.chain([format!("http://{FAILING_HOST}/")]).collect()
    }

    /// Every host name of this web.
    pub(crate) fn hosts(&self) -> Vec<&str> {
        self.sites.iter().map(|site| site.host.as_str()).chain([FAILING_HOST, MOVED_HOST.0]).collect()
    }

    /// The site of that host name.
    pub(crate) fn site(&self, host: &str) -> Option<&Site> {
        self.sites.iter().find(|site| site.host == host)
    }
}

impl Site {
    fn parse(text: &str, now: Timestamp) -> anyhow::Result<Self> {
        let mut site: Self = toml::from_str(text).context("a site of the demo is no TOML")?;
        for article in &mut site.articles {
            // Not all on the hour.
            let minutes = article.slug.len() as i64 * 7 % 60;
            article.published_at = now.checked_sub(article.hours_ago.hours().minutes(minutes))?;
        }
        site.articles.sort_by_key(|article| std::cmp::Reverse(article.published_at));
        Ok(site)
    }

    /// An absolute URL of this site.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    /// Where an article is, from the root of the site.
    pub(crate) fn path_of(&self, article: &Article) -> String {
        self.article_path.replace("{slug}", &article.slug)
    }

    /// Where an article is.
    pub(crate) fn url_of(&self, article: &Article) -> String {
        self.url(&self.path_of(article))
    }

    /// The sections, each once, in the order of their newest article.
    pub(crate) fn sections(&self) -> Vec<&str> {
        let mut sections = Vec::new();
        for article in &self.articles {
            if !sections.contains(&article.section.as_str()) {
                sections.push(&article.section);
            }
        }
        sections
    }
}

impl Article {
    /// The first two sentences or so.
    pub(crate) fn summary(&self) -> String {
        let lead = self.text.trim().split("\n\n").next().unwrap_or_default();
        let ends = lead.match_indices(". ").map(|(at, _)| at + 1);
        let end = ends.into_iter().find(|end| *end >= SUMMARY_BYTES).unwrap_or(lead.len());
        lead[..end].to_owned()
    }
}

/// A summary ends with the first sentence that reaches this far.
const SUMMARY_BYTES: usize = 90;

const SITES: [&str; 9] = [
    include_str!("world/slow_grid.toml"),
    include_str!("world/two_wheels.toml"),
    include_str!("world/ice_notes.toml"),
    include_str!("world/open_bench.toml"),
    include_str!("world/counter_and_stem.toml"),
    include_str!("world/honest_crumb.toml"),
    include_str!("world/fifth_rank.toml"),
    include_str!("world/under_the_canopy.toml"),
    include_str!("world/dark_sky_diary.toml"),
];
