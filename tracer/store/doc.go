// Package store writes and reads traces as .whorl files. A trace is written while the program runs, stays readable if the program is killed,
// and is read without holding it in memory.
//
// A file is a header followed by blocks, which are only appended. A block of lines (metadata, streams, codes, contexts) is in the file before
// the program gets the ids of its entries, so events refer only to entries in the file. An event block holds events of one stream as columns and
// can be decoded alone. The first block of a stream has 256 events, and each next one twice as many, up to 4,096. Every block has a checksum.
// Readers skip blocks of unknown types. Close appends a summary and the states of the PEs over time (in long traces), an index and an end, so that a
// reader need not walk through all blocks. The states are added up while blocks are appended, which costs no time of the streams; a condensed spawn
// tree is not, since a table of waiting goals would cost several times as much as recording. docs/trace-format.md describes the bytes.
//
// A second file beside the trace, the ring, preserves the newest events if the process is killed. It is mapped into memory, and streams record
// into it in place; a shared mapping belongs to the system and outlives the process. The ring has a few segments for each stream. While a stream
// fills one, two goroutines encode full segments as blocks and a third appends the blocks in order; then the segment is free again. So every
// event is in the ring, in the file, or in both; the index of a segment's first event tells a reader where. The last row of a stream may be half
// written and does not count unless the stream was synced. Where files cannot be mapped, as in a browser, the segments are on the heap, and
// unsealed events are lost with the process.
//
// A running trace is sent as the bytes of its file. A Growing accepts them in pieces of any size and can be read up to the last whole block.
// Writer.Flush seals the events recorded so far, so that viewers need not wait for a full block. Growing.Merge merges several streams into one,
// whose end a derivation can mark (Since).
//
// A reader maps the file and trusts nothing in it. It checks lengths against the data, verifies blocks before it decodes them, and verifies
// that a column holds all its numbers before it decodes the first. A DamageError reports damage with block and offset. Salvage opens
// a damaged trace without the damaged blocks of events. File.Missing describes the data that a truncated or damaged trace lacks.
package store
