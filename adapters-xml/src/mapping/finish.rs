//! What becomes of an item once all its elements are read: precedence, and whether it is kept.

use headwater_domain::feed::derived_title::derived_title;
use headwater_domain::feed::digest::raw_digest;
use headwater_domain::feed::extras::Licence;
use headwater_domain::feed::{Content, Enclosure, FeedItem, LinkFrom, WarningCode};
use headwater_domain::secret::{PrivateUrl, redact_content, redact_url};
use headwater_ports::Preset;

use super::item::{Draft, fill};
use super::text::redacted;
use super::urls::Base;
use super::{Context, links};

/// The item, if the preset keeps it.
pub(super) fn finish(mut draft: Draft<'_>, base: &Base<'_>, context: &Context<'_>) -> Option<FeedItem> {
    note_text_links(&draft, context);
    take_linked_files(&mut draft);
    let (link, link_from) = link_of(&draft, base, context).unzip();
    let published = draft.published.or(draft.other_published);
    let date_zone = published.or(draft.updated).map(|date| date.zone);
    let media = std::mem::take(&mut draft.media);
    let enclosures = media.files.into_enclosures();
    let (link, link_from) = or_enclosure(link, link_from, &enclosures);
    let guid = draft.guid.as_deref().or(draft.about).map(str::trim).filter(|guid| !guid.is_empty());
    let guid = guid.map(redacted_guid);
    let comments = draft.comments.or_else(|| links::of_relation(&draft.links, "replies").cloned());
    let licence = links::of_relation(&draft.links, "license").cloned();
    fill(&mut draft.extras.extras.licence, || licence.map(|url| Licence { name: None, url: Some(url) }));
    let (description, content) = bodies(draft.description, draft.other_description, draft.content);
    let mut item = FeedItem {
        guid_is_permalink: guid.as_ref().and(draft.guid_is_permalink),
        guid,
        title: draft.title.or(draft.other_title).map(redacted),
        title_derived: false,
        link,
        link_from,
        published_at: published.map(|date| date.at),
        updated_at: draft.updated.map(|date| date.at),
        date_zone,
        nickname: draft.nickname.map(redacted),
        authors: draft.authors.into_names().into_iter().map(redacted).collect(),
        categories: draft.categories.into_iter().map(redacted).collect(),
        description,
        content,
        image_url: draft.image.or(media.thumbnail).or_else(|| pictured(&enclosures)),
        enclosures,
        comments_url: comments,
        language: draft.language,
        extras: draft.extras.finish(),
        raw_digest: String::new(),
    };
    if !is_kept(&item, context) {
        return None;
    }
    if item.title.is_none() && context.setup.preset == Preset::Reader {
        item.title = derived_title(&item).map(redacted);
        item.title_derived = item.title.is_some();
    }
    item.raw_digest = raw_digest(&item);
    Some(item)
}

/// An Atom link that carries its URL as text is understood, and said so.
fn note_text_links(draft: &Draft<'_>, context: &Context<'_>) {
    if draft.links.iter().any(|link| link.as_text && !link.plain && context.is_atom()) {
        context.repaired.set(true);
        context.warn(WarningCode::BrokenMarkup, "the URL of an Atom link stood there as text");
    }
}

fn take_linked_files(draft: &mut Draft<'_>) {
    let Draft { links, media, .. } = draft;
    for link in links.iter().filter(|link| link.rel == "enclosure") {
        media.files.add(link.url.clone(), link.mime, link.length);
    }
}

/// The link of an item but for its enclosures: links, the original of a proxied link, a guid that is a permalink.
fn link_of(draft: &Draft<'_>, base: &Base<'_>, context: &Context<'_>) -> Option<(PrivateUrl, LinkFrom)> {
    if let Some(link) = links::main(&draft.links).or(draft.original_link.as_ref()) {
        return Some((link.clone(), LinkFrom::Link));
    }
    let permalink = draft.guid.as_deref().filter(|_| draft.guid_is_permalink == Some(true));
    permalink.and_then(|guid| base.resolve(guid, context)).map(|url| (url, LinkFrom::Guid))
}

fn or_enclosure(
    link: Option<PrivateUrl>,
    from: Option<LinkFrom>,
    enclosures: &[Enclosure],
) -> (Option<PrivateUrl>, Option<LinkFrom>) {
    match (link, enclosures.first()) {
        (None, Some(enclosure)) => (Some(enclosure.url.clone()), Some(LinkFrom::Enclosure)),
        (link, _) => (link, from),
    }
}

/// A guid without the secrets that may stand in it, as published otherwise.
pub(super) fn redacted_guid(guid: &str) -> String {
    if guid.contains("://") { redact_url(guid).into_owned() } else { redact_content(guid).into_owned() }
}

/// Which body is which: a full text beside a summary of another vocabulary.
fn bodies(
    own: Option<Content>,
    other: Option<Content>,
    content: Option<Content>,
) -> (Option<Content>, Option<Content>) {
    let description = own.or(other.filter(|other| content.as_ref().is_none_or(|content| content.raw != other.raw)));
    (description, content)
}

fn pictured(enclosures: &[Enclosure]) -> Option<PrivateUrl> {
    let picture = |file: &&Enclosure| file.mime.as_deref().is_some_and(|mime| mime.starts_with("image/"));
    enclosures.iter().find(picture).map(|file| file.url.clone())
}

fn is_kept(item: &FeedItem, context: &Context<'_>) -> bool {
    let kept = match context.setup.preset {
        Preset::Reader => {
            let named = item.guid.is_some() || item.link.is_some() || item.title.is_some();
            named || item.description.is_some() || item.content.is_some()
        }
        Preset::Torrent => item.title.is_some() && (item.link.is_some() || !item.enclosures.is_empty()),
    };
    if !kept {
        let detail = match context.setup.preset {
            Preset::Reader => "an item without guid, link, title and content",
            Preset::Torrent => "an item without title, or without link and enclosure",
        };
        context.warn(WarningCode::ItemSkipped, detail);
    }
    kept
}
