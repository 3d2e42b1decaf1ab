// Package profile is shared by the readers of profiles. It turns the places, call stacks, processors and metrics of a profile into entries of a
// trace. A sample becomes a Sample event, the same as hpfsim records: its Ref is a calling context, whose codes are instructions. The parent of
// an instruction is its line, and the parent of a line is its function. The chain leaves out what a profile does not contain: a place without
// an address is a line, and a place without a line is a function.
//
// # Readers
//
// Each format has a reader in a package of tracer/formats. This package makes codes of places, finds processors,
// sources and binaries, and counts dropped data. Package pprof decodes the profile message itself: the pprof library
// rejects a whole file for one dangling id, holds the file as a graph of pointers, and has no bounds. The library reads
// the older forms, and tests compare with it.
//
// Package pprof unpacks many files concurrently and records them one after the other. A hash finds the stacks of
// earlier files, so reading the profiles of a thousand processes of one program costs little more than unpacking. The
// value of a process in a context is one sample, because pprof profiles carry no times.
//
// Package binary finds lines, inlined functions and instructions in ELF files. Readers use it through the interface
// Binaries, so that the web page, which has no such files, contains no disassemblers.
package profile
