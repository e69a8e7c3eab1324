//! Every bound of the package, in one place, with its reason. A server is not trusted: what it sends is measured against
//! these before work that grows faster than its size begins (spec R19). Each has a test on both sides of it.

/// Levels of arrays and objects in a schema, in arguments or in a page, counted as brackets open at once.
///
/// Real schemas stay below 40; generated ones reach a few hundred. The work on deeper text than [`INLINE_DEPTH`] moves to a thread
/// with a stack made for it, so the bound protects memory and time, not the stack.
pub const MAX_DEPTH: usize = 1_024;

/// Levels that may be worked on where the caller stands: even a worker thread's small stack holds this many.
pub const INLINE_DEPTH: usize = 256;

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

/// Bytes of JSON text of one schema. The largest real one known is below 100 kB.
pub const MAX_SCHEMA_BYTES: usize = 4 * 1024 * 1024;

/// Bytes of JSON text of one call's arguments that are checked; larger ones are refused.
pub const MAX_ARGUMENT_BYTES: usize = 64 * 1024 * 1024;

/// Broken parts that are taken out of one schema before it is given up, and lets everything through.
pub const MAX_BROKEN_PARTS: usize = 50;

/// Bytes of one regular expression, of its compiled program and of its lazily built automaton.
pub const MAX_PATTERN_BYTES: usize = 1 << 20;

/// Steps that a backtracking regular expression may take on one string; patterns without look-around and back-references take linear time and none of these.
pub const MAX_PATTERN_STEPS: usize = 100_000;

/// Looks at the arguments that one validation may take, besides some for each byte of them; a real one takes a few for each value.
pub const BASE_LOOKS: u64 = 1_000_000;

/// Looks for each byte of the arguments' text.
pub const LOOKS_PER_BYTE: u64 = 32;

/// Levels of recursion of one validation, over which the arguments are refused: nesting of the arguments, times that of a schema that refers to itself.
/// The thread that takes them all would have a stack of 640 MB, of which only what is used is ever there.
pub const MAX_VALIDATION_LEVELS: usize = 20_000;

/// Issues of one validation.
pub const MAX_ISSUES: usize = 20;

/// Members of an `enum` that a message lists.
pub const MAX_LISTED_VALUES: usize = 12;

/// Characters of a value that a message shows.
pub const MAX_SHOWN_VALUE: usize = 80;

/// Schemas that the process holds compiled, besides those of its catalogs.
pub const MAX_CACHED_SCHEMAS: usize = 1_024;

/// Bytes of text of all cached schemas together.
pub const MAX_CACHED_SCHEMA_BYTES: usize = 16 * 1024 * 1024;

/// Nodes of one descriptor, references followed. The largest real tool has some 400.
pub const MAX_DESCRIPTOR_NODES: usize = 20_000;

/// Levels of one descriptor: what reads it (zod, zod-to-json-schema) recurses, on the stack of JavaScript.
pub const MAX_DESCRIPTOR_DEPTH: usize = 200;

/// How often a schema that refers to itself is shown inside of itself before the rest is put into words.
pub const MAX_UNROLLED: usize = 2;

/// Characters of a rule that is shown to the model as JSON, since no zod type says it. The model cannot do without it, so it is worth more than a value in a message.
pub const MAX_SHOWN_RULE: usize = 2_000;

/// Characters of a uri in a label. A model needs all of it to read the resource; browsers and servers agree on some 2,000.
pub const MAX_LABEL_URI: usize = 2_048;

/// UTF-16 units of a string of a result that cross the boundary; longer ones stay on their side, and a reference goes in their place.
pub const MAX_CROSSING_UNITS: usize = 1_024;

/// UTF-16 units of longer strings that cross after all in one result with `structuredContent`, where they must be compared with it.
pub const MAX_COMPARED_UNITS: usize = 4 * 1024 * 1024;

/// Bytes of the JSON text of a block of unknown type: enough for a model to see what it is. Widgets and the like can hold whole pages.
pub const MAX_UNKNOWN_BLOCK: usize = 16_000;

/// UTF-16 units of one string in the JSON text of a block of unknown type: what stands beside it must find room too.
pub const MAX_UNKNOWN_STRING: usize = 8_000;

/// Characters of a string without a space from which on base64 in `structuredContent` becomes a label. Tokens, digests and keys are shorter.
pub const MIN_BASE64_LABEL: usize = 512;

/// Bytes that the search for the strings of `structuredContent` in the texts beside it goes over, all in all: some 30 ms. Beyond it the
/// content is shown, which is never wrong.
pub const MAX_MIRROR_SEARCH: usize = 64 * 1024 * 1024;

/// Text blocks deeper than [`INLINE_DEPTH`] that are read as JSON to be compared with `structuredContent`; one is enough for a mirror.
pub const MAX_DEEP_MIRRORS: usize = 16;
