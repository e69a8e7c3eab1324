//! A server of the official Rust SDK over stdio: tools, prompts, resources and a slow tool, and a log of what it was asked.
//! What it answers is fixed, so that a test can hold what the model reads against it.

mod answers;
mod catalog;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam, ContentBlock, ErrorCode,
    ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler, ServiceExt as _};
use serde_json::json;

/// How long `slow` takes where nobody cancels it: far longer than a test waits.
const SLOW: Duration = Duration::from_secs(20);

/// What the server has seen since it started.
#[derive(Default)]
struct Log {
    lists: Vec<Option<String>>,
    calls: BTreeMap<String, u64>,
    /// `notifications/cancelled` that came.
    cancelled: u64,
    /// Calls whose work was given up because of one.
    stopped: u64,
}

#[derive(Clone, Default)]
struct Probe {
    log: Arc<Mutex<Log>>,
}

impl Probe {
    fn log<T>(&self, work: impl FnOnce(&mut Log) -> T) -> T {
        work(&mut self.log.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn log_text(&self) -> String {
        self.log(|log| {
            json!({ "lists": log.lists, "calls": log.calls, "cancelled": log.cancelled, "stopped": log.stopped })
                .to_string()
        })
    }

    /// Tells half its progress, then waits for its cancellation.
    async fn slow(&self, context: RequestContext<RoleServer>) -> CallToolResult {
        if let Some(token) = context.meta.get_progress_token() {
            let half = ProgressNotificationParam::new(token, 1.0).with_total(2.0).with_message("half");
            // A client that is gone by now cancels the call as well.
            drop(context.peer.notify_progress(half).await);
        }
        tokio::select! {
            () = context.ct.cancelled() => self.log(|log| log.stopped += 1),
            () = tokio::time::sleep(SLOW) => {}
        }
        CallToolResult::success(vec![ContentBlock::text("late")])
    }
}

impl ServerHandler for Probe {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources().build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("rmcp-probe", "1.0.0"))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        self.log(|log| log.lists.push(cursor.clone()));
        catalog::tools(cursor.as_deref())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.log(|log| *log.calls.entry(request.name.to_string()).or_default() += 1);
        let arguments = request.arguments.unwrap_or_default();
        let result = match request.name.as_ref() {
            "log" => CallToolResult::success(vec![ContentBlock::text(self.log_text())]),
            "slow" => self.slow(context).await,
            "rejects" => {
                let data = json!({ "retryAfter": 30 });
                return Err(ErrorData::new(ErrorCode(-32042), "rate limited", Some(data)));
            }
            name => answers::call(name, &arguments)?,
        };
        Ok(result.into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        catalog::prompts(request.and_then(|request| request.cursor).as_deref())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(answers::prompt(&request.name, &request.arguments.unwrap_or_default())?.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        catalog::resources(request.and_then(|request| request.cursor).as_deref())
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(catalog::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Ok(answers::resource(&request.uri)?.into())
    }

    async fn on_cancelled(&self, _: CancelledNotificationParam, _: NotificationContext<RoleServer>) {
        self.log(|log| log.cancelled += 1);
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Probe::default().serve(rmcp::transport::io::stdio()).await?.waiting().await?;
    Ok(())
}
