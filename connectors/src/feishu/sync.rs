//! How one run reads what changed in the selected spaces, nodes and folders.

use std::collections::{BTreeMap, HashSet};

use headwater_domain::ErrorKind;
use headwater_domain::sync::{FailedItem, Receipt, SkipReason, SkippedItem, SyncCursor};
use headwater_ports::{Error, Result};

use super::api::{Api, Found};
use super::calls::Listing;
use super::config::{OPERATION, Selected};
use super::node::{Node, Version};
use super::reading::{Read, Wholeness, read};
use crate::delivery::Delivery;

/// One run over what is selected.
pub(super) struct Run<'a> {
    api: &'a Api,
    delivery: Delivery<'a>,
    /// Documents that were listed, by the tokens of their content: a shortcut to one of them is left out.
    objects: HashSet<String>,
    /// Shortcuts, with the resource in which they stand: they are looked at last.
    shortcuts: Vec<(String, Node)>,
    any_listed: bool,
    failed: Option<Error>,
}

/// A folder or node whose children are to be listed.
struct Branch {
    token: Option<String>,
    path: Vec<String>,
}

/// What a walk below one resource saw.
#[derive(Default)]
struct Walked {
    ids: HashSet<String>,
    /// Nodes and folders that were listed to their end; the topmost is empty.
    whole: HashSet<String>,
    any_failed: bool,
}

impl<'a> Run<'a> {
    pub(super) fn new(api: &'a Api, delivery: Delivery<'a>) -> Self {
        Self { api, delivery, objects: HashSet::new(), shortcuts: Vec::new(), any_listed: false, failed: None }
    }

    /// Reads everything, hands over what is gone, and gives the cursor of the end.
    pub(super) async fn run(mut self, selected: &[Selected]) -> Result<SyncCursor> {
        match self.read_all(selected).await {
            Ok(()) => self.delivery.finish().await,
            Err(error) => {
                // The first error says more than one of the checkpoint would.
                let _ = self.delivery.checkpoint().await;
                Err(error)
            }
        }
    }

    async fn read_all(&mut self, selected: &[Selected]) -> Result<()> {
        let mut walks = Vec::new();
        for one in selected {
            let source = one.id();
            let walked = self.walk(one, &source).await?;
            walks.push((one, source, walked));
        }
        if let Some(error) = self.failed.take_if(|_| !self.any_listed) {
            return Err(error);
        }
        for (source, node) in std::mem::take(&mut self.shortcuts) {
            self.shortcut(&source, node).await?;
        }
        for (one, source, walked) in walks {
            self.find_gone(one, &source, &walked).await?;
        }
        Ok(())
    }

    /// Lists everything below a resource, level by level, and reads what changed on the way.
    async fn walk(&mut self, selected: &Selected, source: &str) -> Result<Walked> {
        let mut walked = Walked::default();
        let mut open = match self.roots(selected, source, &mut walked).await {
            Ok(roots) => roots,
            Err(error) => {
                walked.any_failed = true;
                self.on_branch_failed(source, error).await?;
                return Ok(walked);
            }
        };
        while let Some(branch) = open.pop() {
            let mut listing = Listing::new();
            let token = branch.token.clone().unwrap_or_default();
            while !listing.is_over() {
                let page = match page(self.api, selected, &branch, &mut listing).await {
                    Ok(page) => page,
                    Err(error) => {
                        walked.any_failed = true;
                        let name = if token.is_empty() { source } else { token.as_str() };
                        self.on_branch_failed(name, error).await?;
                        break;
                    }
                };
                self.any_listed = true;
                for node in page {
                    self.visit(source, node, &mut walked, &mut open).await?;
                }
                if listing.is_over() {
                    walked.whole.insert(token.clone());
                }
            }
        }
        Ok(walked)
    }

    /// Where a walk begins. A selected node is a document itself.
    async fn roots(&mut self, selected: &Selected, source: &str, walked: &mut Walked) -> Result<Vec<Branch>> {
        Ok(match selected {
            Selected::Space(_) => vec![Branch { token: None, path: Vec::new() }],
            Selected::Folder(folder) => {
                let name = match self.api.folder(folder).await? {
                    Found::Here(meta) => meta.name,
                    // The name is for people only; the listing shows whether the folder may be read.
                    Found::Missing | Found::Hidden(_) => String::new(),
                };
                let path = Some(name).filter(|name| !name.is_empty()).into_iter().collect();
                vec![Branch { token: Some(folder.clone()), path }]
            }
            Selected::Node(_, node) => {
                let root = self.api.node(node).await?.required(&format!("node {node}"))?;
                self.any_listed = true;
                let root = Node::wiki(root, Vec::new(), &self.api.settings);
                let mut open = Vec::new();
                self.visit(source, root, walked, &mut open).await?;
                open
            }
        })
    }

    /// Looks at a node once: reads its content where it changed, and remembers what lies below it.
    async fn visit(&mut self, source: &str, node: Node, walked: &mut Walked, open: &mut Vec<Branch>) -> Result<()> {
        if !walked.ids.insert(node.id.clone()) {
            return Ok(());
        }
        if node.is_shortcut {
            // What lies below a shortcut lies below its target, and may lead in circles.
            self.shortcuts.push((source.to_owned(), node));
            return Ok(());
        }
        if node.has_children {
            let path = node.path.iter().cloned().chain([node.title.clone()]).collect();
            open.push(Branch { token: Some(node.id.clone()), path });
        }
        self.objects.insert(node.obj_token.clone());
        if node.obj_type == "folder" {
            return Ok(());
        }
        self.document(source, &node).await
    }

    /// A shortcut to a document that is followed anyway is left out; another is read like the document that it names.
    async fn shortcut(&mut self, source: &str, node: Node) -> Result<()> {
        if self.objects.contains(&node.obj_token) || node.obj_type == "folder" {
            return self.skip(&node, SkipReason::Shortcut).await;
        }
        self.objects.insert(node.obj_token.clone());
        self.document(source, &node).await
    }

    async fn document(&mut self, source: &str, node: &Node) -> Result<()> {
        let mode = self.api.settings.mode;
        let Some(form) = node.form(mode) else {
            return self.skip(node, SkipReason::UnsupportedType).await;
        };
        let known = self.delivery.cursor().version(source, &node.id).and_then(Version::parse);
        let version = node.version(mode, self.api.paces.wiki.now());
        if !version.is_news(known.as_ref()) {
            self.delivery.unchanged(1);
            return Ok(());
        }
        let (content, wholeness) = match read(self.api, node, source, form, &mut self.delivery).await {
            Ok(Read::Content(content, wholeness)) => (content, wholeness),
            Ok(Read::Hidden) => return self.skip(node, SkipReason::Hidden).await,
            Ok(Read::TooLarge) => return self.skip(node, SkipReason::TooLarge).await,
            Ok(Read::Missing) => return self.skip(node, SkipReason::Trashed).await,
            Err(error) if error.kind == ErrorKind::BodyTooLarge => return self.skip(node, SkipReason::TooLarge).await,
            Err(error) => return self.on_document_failed(node, error).await,
        };
        let children = content.children.clone();
        let item = node.item(source, content);
        let receipt = match wholeness {
            Wholeness::Whole => self.delivery.emit(item, &version.to_string()).await?,
            Wholeness::Partial => {
                let receipt = self.delivery.emit_unversioned(item).await?;
                self.on_partial(node).await?;
                receipt
            }
        };
        if receipt == Receipt::Kept {
            self.forget_children(source, &node.id, children.as_deref().unwrap_or_default());
        }
        self.delivery.checkpoint_if_due().await
    }

    /// The knowledge base removes children that a document has no more; the cursor forgets them.
    fn forget_children(&mut self, source: &str, parent: &str, children: &[String]) {
        let kept: HashSet<&str> = children.iter().map(String::as_str).collect();
        let prefix = format!("{parent}#");
        let known = self.delivery.cursor().known_below(source, &prefix).map(|(id, _)| id);
        let gone: Vec<String> = known.filter(|id| !kept.contains(id)).map(str::to_owned).collect();
        for id in gone {
            self.delivery.cursor_mut().forget(source, &id);
        }
    }

    /// Finds out what became of known documents that were not listed. One counts as gone only if what stood above it was
    /// listed to its end, and if it is missing when it is asked for by its id: what the app may not see any more is not listed
    /// either.
    async fn find_gone(&mut self, selected: &Selected, source: &str, walked: &Walked) -> Result<()> {
        let known: BTreeMap<String, Version> = self
            .delivery
            .cursor()
            .known(source)
            .filter(|(id, _)| !id.contains('#') && !walked.ids.contains(*id))
            .filter_map(|(id, version)| Some((id.to_owned(), Version::parse(version)?)))
            .collect();
        let mut gone = HashSet::new();
        for (id, version) in &known {
            let parent = version.parent();
            let is_certain = !walked.any_failed || walked.whole.contains(parent) || known.contains_key(parent);
            if !is_certain {
                continue;
            }
            match is_missing(self.api, selected, &self.objects, id).await {
                Ok(true) => {
                    gone.insert(id.clone());
                }
                Ok(false) => {}
                Err(error) => {
                    let node = Node { id: id.clone(), ..Node::default() };
                    self.on_document_failed(&node, error).await?;
                }
            }
        }
        let with_children: Vec<String> = self
            .delivery
            .cursor()
            .known(source)
            .map(|(id, _)| id)
            .filter(|id| gone.contains(id.split('#').next().unwrap_or_default()))
            .map(str::to_owned)
            .collect();
        with_children.iter().for_each(|id| self.delivery.delete(source, id));
        Ok(())
    }

    async fn skip(&mut self, node: &Node, reason: SkipReason) -> Result<()> {
        let skipped = SkippedItem { external_id: node.id.clone(), title: Some(node.title.clone()), reason };
        self.delivery.skip(skipped).await
    }

    async fn on_partial(&mut self, node: &Node) -> Result<()> {
        let error = Error::new(ErrorKind::PartialFetch, OPERATION, "files inside of the document could not be had");
        self.on_document_failed(node, error).await
    }

    async fn on_document_failed(&mut self, node: &Node, error: Error) -> Result<()> {
        if ends_the_run(error.kind) {
            return Err(error);
        }
        let title = Some(node.title.clone()).filter(|title| !title.is_empty());
        let failed = FailedItem { external_id: Some(node.id.clone()), title, ..failed_item(&error) };
        self.delivery.fail(failed).await
    }

    async fn on_branch_failed(&mut self, resource: &str, error: Error) -> Result<()> {
        if ends_the_run(error.kind) {
            return Err(error);
        }
        let failed = FailedItem { resource_id: Some(resource.to_owned()), ..failed_item(&error) };
        self.failed.get_or_insert(error);
        self.delivery.fail(failed).await
    }
}

/// A page of what lies right below a branch.
async fn page(api: &Api, selected: &Selected, branch: &Branch, listing: &mut Listing) -> Result<Vec<Node>> {
    let path = || branch.path.clone();
    match selected {
        Selected::Space(space) | Selected::Node(space, _) => {
            let page = api.nodes(space, branch.token.as_deref(), listing).await?;
            let page = page.required(&format!("space {space}"))?;
            Ok(page.into_iter().map(|node| Node::wiki(node, path(), &api.settings)).collect())
        }
        Selected::Folder(_) => {
            let folder = branch.token.as_deref().unwrap_or_default();
            let page = api.files(folder, listing).await?.required(&format!("folder {folder}"))?;
            Ok(page.into_iter().map(|file| Node::drive(file, folder, path())).collect())
        }
    }
}

/// Whether a document that was not listed is gone from what is selected.
async fn is_missing(api: &Api, selected: &Selected, objects: &HashSet<String>, id: &str) -> Result<bool> {
    if !matches!(selected, Selected::Folder(_)) {
        return Ok(match api.node(id).await? {
            Found::Missing => true,
            Found::Hidden(_) => false,
            // It lives on elsewhere: below another node that is not followed it is gone from here.
            Found::Here(node) => !objects.contains(&node.obj_token) && has_left(selected, &node.space_id),
        });
    }
    for kind in DRIVE_KINDS {
        let metas = api.metas(&[(id.to_owned(), kind.to_owned())]).await?;
        if metas.metas.iter().any(|meta| meta.doc_token == id) {
            return Ok(false);
        }
        if metas.failed_list.iter().any(|failed| failed.token == id && failed.code == NO_PERMISSION) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a node that was not listed is in another space now. Within the same space nothing is certain.
fn has_left(selected: &Selected, space_now: &str) -> bool {
    match selected {
        Selected::Space(space) => space != space_now,
        Selected::Node(..) | Selected::Folder(_) => false,
    }
}

fn failed_item(error: &Error) -> FailedItem {
    FailedItem {
        external_id: None,
        resource_id: None,
        title: None,
        kind: error.kind,
        params: BTreeMap::new(),
        message: error.to_string(),
    }
}

/// Whether nothing else of this app can be had either.
fn ends_the_run(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::InvalidCredentials | ErrorKind::Throttled | ErrorKind::BlockedAddress)
}

/// Kinds under which a file of the drive is asked for: the wrong one finds nothing.
const DRIVE_KINDS: [&str; 5] = ["docx", "file", "sheet", "bitable", "doc"];

/// The code of a document that the app may not see.
const NO_PERMISSION: i64 = 970_003;
