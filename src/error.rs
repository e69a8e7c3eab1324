//! The table of protocol error codes: each says which promise of MCP (or of the caller) was broken. The class lives in
//! JavaScript (`McpProtocolError`); a test walks this table and shows that each code is produced and documented.

/// A code of `McpProtocolError`. New ones may be added, none is ever renamed (spec section 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProtocolCode {
    InvalidCatalogShape,
    InvalidToolName,
    InvalidToolDescription,
    InvalidToolSchema,
    DuplicateToolName,
    InvalidCursor,
    InvalidCatalogLimit,
    CatalogLimitExceeded,
    CursorCycle,
    InvalidCallResult,
}

impl ProtocolCode {
    /// Every code, in the order of the documentation.
    pub const ALL: [Self; 10] = [
        Self::InvalidCatalogShape,
        Self::InvalidToolName,
        Self::InvalidToolDescription,
        Self::InvalidToolSchema,
        Self::DuplicateToolName,
        Self::InvalidCursor,
        Self::InvalidCatalogLimit,
        Self::CatalogLimitExceeded,
        Self::CursorCycle,
        Self::InvalidCallResult,
    ];

    /// The code as JavaScript sees it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidCatalogShape => "invalid_catalog_shape",
            Self::InvalidToolName => "invalid_tool_name",
            Self::InvalidToolDescription => "invalid_tool_description",
            Self::InvalidToolSchema => "invalid_tool_schema",
            Self::DuplicateToolName => "duplicate_tool_name",
            Self::InvalidCursor => "invalid_cursor",
            Self::InvalidCatalogLimit => "invalid_catalog_limit",
            Self::CatalogLimitExceeded => "catalog_limit_exceeded",
            Self::CursorCycle => "cursor_cycle",
            Self::InvalidCallResult => "invalid_call_result",
        }
    }
}

/// A broken promise: what was expected, what came and where, ready to become an `McpProtocolError`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtocolError {
    pub code: ProtocolCode,
    pub message: String,
    /// The tool concerned, as the server names it.
    pub tool_name: Option<String>,
    /// Number of the JavaScript value that is the cause, among those that the face holds back for one walk.
    pub cause: Option<u32>,
}

impl ProtocolError {
    /// An error that concerns no tool in particular.
    #[must_use]
    pub fn new(code: ProtocolCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), tool_name: None, cause: None }
    }

    /// The same error, of the tool `name`.
    #[must_use]
    pub fn of_tool(mut self, name: impl Into<String>) -> Self {
        self.tool_name = Some(name.into());
        self
    }
}

impl std::fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for ProtocolError {}
