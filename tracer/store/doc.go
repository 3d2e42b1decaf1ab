// Package store keeps traces in .whorl files: written while the program runs, readable after whatever ended it, and read without ever
// holding the trace in memory.
//
// A file is a header and blocks that are only ever appended. A block of lines (metadata, streams, codes, contexts) is in the file before
// its id is known to the program, so that no event can refer to what is not there. An event block holds events of one stream as columns,
// and can be decoded alone: 256 the first, then twice as many each time up to 4,096. Every block has a checksum; blocks of unknown types are
// passed over. Close appends an index and an end, and before them a summary where there are many events, which spare a reader the walk
// through all blocks and are needed for nothing else. docs/trace-format.md has the bytes.
//
// What makes a kill harmless is a second file beside the trace, the ring. It is mapped into memory, a stream records into it in place,
// and what is in a shared mapping belongs to the system and outlives the process. A ring has a few segments of fixed rows: while a stream
// fills one, two goroutines turn full ones into blocks, a third appends these in their order, and only then is a segment free to be used
// again. So every event is in the ring, in the file, or in both, and the index of a segment's first event tells a reader which; the row
// that was being written, which is the last one of its stream, does not count unless the stream was synced. Where nothing can be mapped,
// as in the browser, the segments lie on the heap and the unsealed events go with the process.
//
// The bytes of a file are also how a running trace travels: a Growing takes them in pieces of any size and can be read as far as it is
// whole, and Writer.Flush seals what has been recorded, so that viewers do not wait for a full block.
//
// A reader maps the file and trusts nothing in it: lengths are compared with what is there, blocks are checked before they are decoded,
// and a column is known to hold its numbers before the first is taken out. What is wrong is a DamageError with block and offset; what is
// merely not there is in File.Missing.
package store
