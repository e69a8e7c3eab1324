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

/// Members of an `enum` that a message lists.
pub const MAX_LISTED_VALUES: usize = 12;

/// Characters of a value that a message shows.
pub const MAX_SHOWN_VALUE: usize = 80;

/// Nodes of one descriptor, references followed, and values of its enums that are no strings. The largest real tool has some 400.
pub const MAX_DESCRIPTOR_NODES: usize = 20_000;

/// Levels of one descriptor: what reads it (zod, zod-to-json-schema) recurses, on the stack of JavaScript.
pub const MAX_DESCRIPTOR_DEPTH: usize = 200;

/// Bytes of schema that one descriptor is made of, each counted as often as it is copied, merged or shown: what many references share is shown
/// once for each. The largest real tool comes to less than 1 MB.
pub const MAX_DESCRIPTOR_BYTES: usize = 16 * 1024 * 1024;

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

/// Rounds and places of mending one schema that does not compile. A generator's mistake repeats, but each round takes out all that it
/// finds; a schema broken in more ways than this is let through as a whole.
pub const MAX_MENDINGS: usize = 64;

/// Bytes of one `pattern`. The longest real ones have a few hundred.
pub const MAX_PATTERN_BYTES: usize = 8 * 1024;

/// States of one pattern with its counted repetitions written out, and of all patterns of one schema. Compiling them costs some
/// 0.25 µs each; real schemas have a few thousand.
pub const MAX_PATTERN_STATES: u64 = 100_000;
pub const MAX_SCHEMA_STATES: u64 = 200_000;

/// Steps back that a pattern with look-around or back references may take on one string. Other patterns run in linear time.
pub const MAX_BACKTRACKS: usize = 20_000;

/// Bytes of one schema's text. The largest real one known has 120 KB.
pub const MAX_SCHEMA_BYTES: usize = 1024 * 1024;

/// References (`$ref` and its kin) in one schema. Real schemas have some hundreds; in a chain each takes a few hundred bytes of stack.
pub const MAX_REFERENCES: usize = 10_000;

/// Schemas that are compiled again because another way through the schema's resources (`$id`) leads to them, each reference inside them
/// included. The official suite has at most 17, five resources that all refer to each other 12,000. The time grows with the square: 20,000 take
/// some 100 ms.
pub const MAX_SCOPED_SCHEMAS: usize = 20_000;

/// References with which a schema may still be run where the caller stands, however they are chained.
pub const INLINE_REFERENCES: usize = 256;

/// Issues that one answer holds: a model repairs a few at a time, and core shows all of them to it.
pub const MAX_ISSUES: usize = 20;

/// Names or values that one message lists.
pub const MAX_LISTED: usize = 20;

/// Characters after which such a list ends early.
pub const MAX_LISTED_CHARS: usize = 400;

/// Steps (accesses to the arguments, some 5 to 20 ns each) that any one validation may take: far more than real schemas need.
pub const BASE_STEPS: u64 = 2_000_000;

/// Steps that each byte of the arguments adds, so that large honest arguments are not refused for their size.
pub const STEPS_PER_BYTE: u64 = 64;

/// Steps that a validation may take however large the arguments are: some 4 s, where each byte of the largest arguments would add 1 µs.
pub const MAX_STEPS: u64 = 250_000_000;

/// Steps for finding out what is wrong once arguments are refused, and what each byte of the arguments adds to them. Fewer, since each
/// error found is held in memory.
pub const BASE_EXPLAINING_STEPS: u64 = 2_000_000;
pub const EXPLAINING_STEPS_PER_BYTE: u64 = 16;

/// Steps that one error costs: it takes some 300 bytes.
pub const ERROR_STEPS: u64 = 50;

/// Steps that one look at a string costs under a schema with patterns that may backtrack ([`MAX_BACKTRACKS`]).
pub const BACKTRACKING_STEPS: u64 = 500;

/// Bytes of stack that a validation may use where the caller stands; one that needs more starts again on a thread of its own.
pub const INLINE_STACK: usize = 192 * 1024;

/// Bytes of stack of that thread. Nothing is committed before it is touched.
pub const DEEP_STACK: usize = 64 * 1024 * 1024;

/// Bytes of arguments that one validation reads.
pub const MAX_ARGUMENT_BYTES: usize = 64 * 1024 * 1024;

/// Schemas that the process holds for `validateMcpToolArguments` and for tools outside of catalogs; the one used longest ago goes first.
pub const MAX_CACHED_SCHEMAS: usize = 2_048;

/// Bytes of text of all cached schemas together. What is compiled from a schema is some ten times its text.
pub const MAX_CACHED_SCHEMA_BYTES: usize = 8 * 1024 * 1024;

/// Bytes of a URI template, of the values of its variables and of the uri made of both. Browsers and servers stop far earlier.
pub const MAX_URI_BYTES: usize = 64 * 1024;
