//! The questions that are put to Feishu's API, a function each.

use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::sync::PageGuard;
use headwater_ports::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::api::{Api, Call, Found};
use super::config::OPERATION;
use super::wire::{
    Block, DriveFile, ExportAnswer, ExportResult, FolderMeta, FolderPage, Metas, NodeAnswer, Page, SheetValues, Space,
    TableField, TableRecord, Ticket, WikiNode,
};

/// A listing that is read page by page. An empty page with more behind it is legal.
pub(super) struct Listing {
    guard: PageGuard,
    next: Option<String>,
    is_over: bool,
}

impl Listing {
    /// A listing at its beginning.
    pub(super) fn new() -> Self {
        Self { guard: PageGuard::default(), next: None, is_over: false }
    }

    /// Whether the last page was read.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Takes what a page says of the next.
    ///
    /// # Errors
    /// `pagination_loop`, if that was read before.
    fn on_page(&mut self, has_more: bool, token: Option<String>) -> Result<()> {
        self.next = token.filter(|token| has_more && !token.is_empty());
        self.is_over = self.next.is_none();
        if has_more && self.is_over {
            return Err(Error::new(ErrorKind::PartialFetch, OPERATION, "a listing has more, but does not say where"));
        }
        match &self.next {
            Some(token) => self
                .guard
                .on_next(token)
                .map_err(|error| Error::new(ErrorKind::PaginationLoop, OPERATION, error.to_string())),
            None => Ok(()),
        }
    }
}

impl Api {
    /// The next page of the spaces that the app is a member of.
    pub(super) async fn spaces(&self, listing: &mut Listing) -> Result<Vec<Space>> {
        let call = Call::get(&self.paces.wiki, "/wiki/v2/spaces".to_owned()).with("page_size", "50");
        self.page(call, listing).await?.required("the list of spaces")
    }

    /// The next page of the nodes right below a node, or of the topmost ones.
    pub(super) async fn nodes(
        &self,
        space: &str,
        parent: Option<&str>,
        listing: &mut Listing,
    ) -> Result<Found<Vec<WikiNode>>> {
        let mut call = Call::get(&self.paces.wiki, format!("/wiki/v2/spaces/{space}/nodes")).with("page_size", "50");
        if let Some(parent) = parent {
            call = call.with("parent_node_token", parent);
        }
        self.page(call, listing).await
    }

    /// One node.
    pub(super) async fn node(&self, token: &str) -> Result<Found<WikiNode>> {
        let call = Call::get(&self.paces.wiki, "/wiki/v2/spaces/get_node".to_owned()).with("token", token);
        Ok(match self.json::<NodeAnswer>(&call).await? {
            Found::Here(answer) => Found::Here(answer.node),
            Found::Missing => Found::Missing,
            Found::Hidden(error) => Found::Hidden(error),
        })
    }

    /// The next page of a folder.
    pub(super) async fn files(&self, folder: &str, listing: &mut Listing) -> Result<Found<Vec<DriveFile>>> {
        let mut call = Call::get(&self.paces.wiki, "/drive/v1/files".to_owned())
            .with("folder_token", folder)
            .with("page_size", "200")
            .with("order_by", "EditedTime")
            .with("direction", "DESC");
        if let Some(token) = &listing.next {
            call = call.with("page_token", token);
        }
        Ok(match self.json::<FolderPage>(&call).await? {
            Found::Here(page) => {
                listing.on_page(page.has_more, page.next_page_token)?;
                Found::Here(page.files)
            }
            Found::Missing => Found::Missing,
            Found::Hidden(error) => Found::Hidden(error),
        })
    }

    /// The name of a folder.
    pub(super) async fn folder(&self, token: &str) -> Result<Found<FolderMeta>> {
        self.json(&Call::get(&self.paces.wiki, format!("/drive/explorer/v2/folder/{token}/meta"))).await
    }

    /// Whether documents of the drive still exist, of at most 200 at once: token and kind of each.
    pub(super) async fn metas(&self, docs: &[(String, String)]) -> Result<Metas> {
        let docs: Vec<_> = docs.iter().map(|(token, kind)| json!({"doc_token": token, "doc_type": kind})).collect();
        let call = Call::get(&self.paces.wiki, "/drive/v1/metas/batch_query".to_owned())
            .post(json!({"request_docs": docs, "with_url": false}));
        self.json(&call).await?.required("what is known of documents")
    }

    /// Begins an export; gives its ticket.
    pub(super) async fn begin_export(&self, token: &str, kind: &str, extension: &str) -> Result<Found<Ticket>> {
        let body = json!({"file_extension": extension, "token": token, "type": kind});
        self.json(&Call::get(&self.paces.export, "/drive/v1/export_tasks".to_owned()).post(body)).await
    }

    /// How an export stands.
    pub(super) async fn export(&self, ticket: &str, token: &str) -> Result<Found<ExportResult>> {
        let call = Call::get(&self.paces.export, format!("/drive/v1/export_tasks/{ticket}")).with("token", token);
        Ok(match self.json::<ExportAnswer>(&call).await? {
            Found::Here(answer) => Found::Here(answer.result),
            Found::Missing => Found::Missing,
            Found::Hidden(error) => Found::Hidden(error),
        })
    }

    /// The file of an export that is done.
    pub(super) async fn exported(&self, file: &str) -> Result<Found<(Bytes, Option<String>)>> {
        self.bytes(&Call::get(&self.paces.export, format!("/drive/v1/export_tasks/file/{file}/download"))).await
    }

    /// An uploaded file.
    pub(super) async fn file(&self, token: &str) -> Result<Found<(Bytes, Option<String>)>> {
        self.bytes(&Call::get(&self.paces.download, format!("/drive/v1/files/{token}/download"))).await
    }

    /// A file or an image inside of a document.
    pub(super) async fn media(&self, token: &str) -> Result<Found<(Bytes, Option<String>)>> {
        self.bytes(&Call::get(&self.paces.download, format!("/drive/v1/medias/{token}/download"))).await
    }

    /// The next page of a document's blocks.
    pub(super) async fn blocks(&self, document: &str, listing: &mut Listing) -> Result<Found<Vec<Block>>> {
        let call = Call::get(&self.paces.docx, format!("/docx/v1/documents/{document}/blocks"))
            .with("page_size", "500")
            .with("document_revision_id", "-1");
        self.page(call, listing).await
    }

    /// The cells of a sheet, as text.
    pub(super) async fn sheet(&self, spreadsheet: &str, sheet: &str) -> Result<Found<SheetValues>> {
        let call = Call::get(&self.paces.tables, format!("/sheets/v2/spreadsheets/{spreadsheet}/values/{sheet}"))
            .with("valueRenderOption", "ToString")
            .with("dateTimeRenderOption", "FormattedString");
        self.json(&call).await
    }

    /// The next page of the columns of a database's table.
    pub(super) async fn fields(&self, app: &str, table: &str, listing: &mut Listing) -> Result<Found<Vec<TableField>>> {
        let call = Call::get(&self.paces.tables, format!("/bitable/v1/apps/{app}/tables/{table}/fields"))
            .with("page_size", "100");
        self.page(call, listing).await
    }

    /// The next page of the rows of a database's table.
    pub(super) async fn records(
        &self,
        app: &str,
        table: &str,
        listing: &mut Listing,
    ) -> Result<Found<Vec<TableRecord>>> {
        let call = Call::get(&self.paces.tables, format!("/bitable/v1/apps/{app}/tables/{table}/records/search"))
            .with("page_size", "500")
            .post(json!({}));
        self.page(call, listing).await
    }

    async fn page<T: DeserializeOwned>(&self, call: Call<'_>, listing: &mut Listing) -> Result<Found<Vec<T>>> {
        let token = listing.next.take();
        let call = match &token {
            Some(token) => call.with("page_token", token),
            None => call,
        };
        Ok(match self.json::<Page<T>>(&call).await? {
            Found::Here(page) => {
                listing.on_page(page.has_more, page.page_token)?;
                Found::Here(page.items)
            }
            Found::Missing => Found::Missing,
            Found::Hidden(error) => Found::Hidden(error),
        })
    }
}
