//! The application's client behind threadsafe functions (architecture, point 2).

use napi::{Status, bindgen_prelude::Promise, threadsafe_function::ThreadsafeFunction};
use napi_derive::napi;

use crate::catalog::{PageSource, SourceFailed};

/// Asks the client for one page: the cursor as JSON text, or nothing for the first page. The answer is the page's envelope as JSON text,
/// or nothing where the client failed: its error stays with the face, and so keeps its identity. It never rejects.
///
/// Weak: a walk that waits on a client keeps no process alive. The face binds the function to the caller's async context, since a
/// threadsafe function has that of its making on Node 20–22 and none on Node 24 and later.
#[napi]
pub type PageFetcher = ThreadsafeFunction<Option<String>, Promise<Option<String>>, Option<String>, Status, false, true>;

/// A client as the walk sees it.
pub(super) struct JsClient(pub PageFetcher);

impl PageSource for JsClient {
    async fn page(&self, cursor: Option<&str>) -> Result<String, SourceFailed> {
        // An error here is the environment's end (a worker that was terminated): there is nobody left to tell.
        let answer = self.0.call_async_catch(cursor.map(str::to_owned)).await.map_err(|_| SourceFailed)?;
        answer.await.ok().flatten().ok_or(SourceFailed)
    }
}
