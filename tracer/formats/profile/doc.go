// Package profile holds what the readers of profiles have in common: how places in a program, stacks of calls, processors and metrics of a
// profile become entries of a trace. A sample is a Sample event as the machine of hpfsim records it: its Ref is a calling context, whose codes
// are instructions; the parent of an instruction is its line, and that of a line its function. What a profile does not say is left out of the
// chain: a place without an address is a line, and one without a line a function.
//
// # Readers
//
// A format is a reader beside the others in tracer/formats. This package makes codes of places, finds processors,
// sources and binaries, and counts what is dropped. pprof's message is read here and not by its library: the library
// refuses a whole file for one dangling id, holds the file as a graph of pointers, and has no bounds. It reads the
// older forms, and tests compare with it.
//
// Many files are unpacked concurrently and put into the trace one after the other. A stack that an earlier file had is
// found by its hash, so for the profiles of a thousand processes of one program little but the unpacking remains. The
// time of a process in a context is one sample: pprof profiles carry no times.
//
// Package binary finds lines, inlined functions and instructions in ELF files. Readers know it as an interface, so that
// the page, which has no such files, carries no disassemblers.
package profile
