//! Every bound of the package, in one place, with its reason. A server is not trusted: what it sends is measured against
//! these before work that grows faster than its size begins (spec R19). Each has a test on both sides of it.

/// Levels of arrays and objects in a schema, in arguments or in a page, counted as brackets open at once.
///
/// Real schemas stay below 40; generated ones reach a few hundred. The work on deeper text than [`INLINE_DEPTH`] moves to a thread
/// with a stack made for it, so the bound protects memory and time, not the stack.
pub const MAX_DEPTH: usize = 1_024;

/// Levels that may be worked on where the caller stands: even a worker thread's small stack holds this many.
pub const INLINE_DEPTH: usize = 64;

/// Bytes of stack for each level of nesting on the thread that takes deep text.
pub const STACK_PER_LEVEL: usize = 32 * 1024;

/// Characters of a server's string that a message or a warning quotes.
pub const MAX_QUOTED: usize = 120;

/// Pages that one walk asks for. Real servers send one to a few dozen; a server that sends a new cursor for ever is stopped here.
pub const MAX_PAGES: usize = 2_000;

/// Bytes of JSON text that one walk takes in over all its pages. The largest real catalog known is below 1 MB.
pub const MAX_WALK_BYTES: usize = 64 * 1024 * 1024;

/// Catalogs that the process holds for its generations, agents and worker threads; the one used longest ago goes first.
pub const MAX_CACHED_CATALOGS: usize = 128;

/// Bytes of text of all cached catalogs together. What is made from a catalog is some five times its text.
pub const MAX_CACHED_CATALOG_BYTES: usize = 32 * 1024 * 1024;

/// Characters of a server's string (a name, a uri) that a label shows to the model.
pub const MAX_LABEL_PART: usize = 200;

/// UTF-16 units of an unknown content block's JSON that the model is shown. Widgets and the like can hold whole pages.
pub const MAX_UNKNOWN_BLOCK: usize = 16_384;

/// Length from which an unbroken run of base64 digits inside JSON is taken for binary data. Hashes, keys and signatures are shorter.
pub const MAX_BASE64_TEXT: usize = 512;

/// Bytes compared, over all strings and blocks, to learn whether `structuredContent` only repeats the blocks. The work is the product
/// of both sizes; beyond this the content is shown, which is never wrong.
pub const MAX_MIRROR_WORK: usize = 256 * 1024 * 1024;
