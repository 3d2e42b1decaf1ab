package gotrace

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// The versions of the format that this package reads.
const oldest, newest = 22, 26

// headerLen is the length of the header, such as "go 1.26 trace" and three zeros.
const headerLen = 16

// version returns the minor version of Go in the header of a trace, false if b does not begin with a header.
func version(b []byte) (int, bool) {
	rest, ok := bytes.CutPrefix(b[:min(len(b), headerLen)], []byte("go 1."))
	digits, ok2 := bytes.CutSuffix(rest, []byte(" trace\x00\x00\x00"))
	if !ok || !ok2 || len(digits) == 0 || len(digits) > 2 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(digits), 10, 8)
	return int(n), err == nil
}

// mostBatch bounds the bytes of a batch. The runtime writes no longer ones.
const mostBatch = 64 << 10

// A batch holds records of a thread.
type batch struct {
	time uint64
	data []byte
}

// An arena provides memory for the batches of a generation. The next generation uses it again.
type arena struct {
	blocks [][]byte
	used   int // blocks before the one in use
	free   []byte
}

const blockLen = 1 << 20

func (a *arena) reset() { a.used, a.free = 0, nil }

func (a *arena) bytes(n int) []byte {
	if n > len(a.free) {
		if a.used == len(a.blocks) {
			a.blocks = append(a.blocks, make([]byte, blockLen))
		}
		a.free = a.blocks[a.used]
		a.used++
	}
	b := a.free[:n:n]
	a.free = a.free[n:]
	return b
}

// A generation is a part of a trace: for about a second, all that happened, with the tables that it refers to.
type generation struct {
	number  uint64
	size    int // bytes of all batches
	timed   bool
	first   uint64 // earliest time of a batch, if timed
	freq    uint64 // units of time in a second, 0 if it is not known
	wall    int64  // Unix time in ns of a reading of the clock, 0 without one
	wallAt  uint64 // the clock at this reading
	memory  arena
	order   []*thread // those that have batches
	strings []batch
	stacks  []batch
	samples []batch
}

func (g *generation) reset() {
	for _, th := range g.order {
		th.batches = th.batches[:0]
	}
	*g = generation{memory: g.memory, order: g.order[:0], strings: g.strings[:0], stacks: g.stacks[:0], samples: g.samples[:0]}
	g.memory.reset()
}

// A file reads the batches of a file.
type file struct {
	in      *bufio.Reader
	version int
	offset  int64
	ahead   struct { // the first batch of the next generation
		ok   bool
		head header
		data []byte
	}
	end error // why there are no more batches: io.EOF or the damage of the file
}

// A header is the beginning of a batch.
type header struct {
	kind       record
	experiment byte
	generation uint64
	thread     uint64
	time       uint64
	size       uint64
}

var errCut = errors.New("the trace is cut")

// begin reads the header of the trace.
func (f *file) begin() error {
	b, err := f.in.Peek(headerLen)
	v, ok := version(b)
	switch {
	case !ok && err != nil && !errors.Is(err, io.EOF):
		return err
	case !ok:
		return fmt.Errorf("not a Go execution trace: expected \"go 1.%d trace\", not %q", newest, b[:min(len(b), 13)])
	case v < oldest:
		return fmt.Errorf("a trace of Go 1.%d: expected one of Go 1.%d or later, which have another form", v, oldest)
	}
	f.version = v
	f.offset = headerLen
	_, err = f.in.Discard(headerLen)
	return err
}

// number reads a number of a header.
func (f *file) number() uint64 {
	v, err := binary.ReadUvarint(countingBytes{f})
	if err != nil && f.end == nil {
		f.end = errCut
		if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			f.end = err
		}
	}
	return v
}

type countingBytes struct{ f *file }

func (c countingBytes) ReadByte() (byte, error) {
	b, err := c.f.in.ReadByte()
	if err == nil {
		c.f.offset++
	}
	return b, err
}

// header reads the beginning of the next batch. It returns false and sets f.end if there is none.
func (f *file) header() (h header, ok bool) {
	at := f.offset
	b, err := f.in.ReadByte()
	if err != nil {
		f.end = err
		return h, false
	}
	f.offset++
	switch h.kind = record(b); h.kind {
	case endOfGeneration:
		return h, true
	case experimentalBatch:
		h.experiment = byte(f.number())
	case eventBatch:
	default:
		f.end = fmt.Errorf("damaged at byte %d: expected a batch, not a record of type %d", at, b)
		return h, false
	}
	h.generation, h.thread, h.time, h.size = f.number(), f.number(), f.number(), f.number()
	if f.end != nil {
		return h, false
	}
	if h.size > mostBatch || h.generation == 0 {
		f.end = fmt.Errorf("damaged at byte %d: a batch of %d bytes in generation %d", at, h.size, h.generation)
		return h, false
	}
	return h, true
}

// data reads the contents of a batch. They are shorter if the file ends within them.
func (f *file) data(h *header, into []byte) []byte {
	n, err := io.ReadFull(f.in, into)
	f.offset += int64(n)
	if err != nil {
		f.end = errCut
		if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			f.end = err
		}
	}
	return into[:n]
}
