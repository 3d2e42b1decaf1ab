package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strings"

	"whorl/tracer"
)

// A File is a trace in a file, a tracer.StreamSource. Several goroutines may read it at a time.
type File struct {
	data    []byte
	unmap   func() error
	meta    tracer.Meta
	dict    *tracer.Dict
	streams []tracer.StreamInfo
	blocks  [][]eventBlock // by stream
	tails   []([]tail)     // by stream: what was in the ring
	counts  [256]int64     // by kind
	summary *indexEntry    // nil where there is none
	number  int            // of the summary's block
	missing Missing
	closed  bool
}

// An eventBlock is an event block in the file.
type eventBlock struct {
	number       int
	offset, size int64
	info         blockInfo
}

// Missing says what a trace lacks, as far as that can be known.
type Missing struct {
	Unclosed bool   // the recording process did not close the trace, or the file was cut
	Bytes    int64  // at the end of the file that are no whole block
	Lost     int64  // events that are known to be lost
	Ring     string // why the newest events could not be read from the ring beside the trace; "" where they could
}

// String returns a sentence, "" where nothing is missing.
func (m Missing) String() string {
	if !m.Unclosed {
		return ""
	}
	s := "the trace was not closed: "
	if m.Ring == "" {
		s += "at most the event that each stream was writing is missing"
	} else {
		s += fmt.Sprintf("its newest events are missing, up to %d of each stream, because %s", ringSegments*segmentRows, m.Ring)
	}
	if m.Bytes > 0 && m.Ring != "" {
		s += fmt.Sprintf("; the last %d bytes are no whole block", m.Bytes)
	}
	if m.Lost > 0 {
		s += fmt.Sprintf("; at least %d events are lost", m.Lost)
	}
	return s
}

// Open opens the trace at path. A trace that was not closed opens with what there is, its ring included, and Missing says so. Errors
// are of the system, a *ForeignError or a *DamageError.
func Open(path string) (*File, error) {
	file, err := open(path)
	if err != nil {
		var sys *os.PathError
		if !errors.As(err, &sys) {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	return file, nil
}

func open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var head [headSize]byte
	n, err := f.ReadAt(head[:], 0)
	if n == 0 && err != nil {
		if info, e := f.Stat(); e == nil && info.Size() == 0 {
			return nil, &ForeignError{"an empty file"}
		}
		return nil, err
	}
	var tails map[uint32][]tail
	why := "it was written without a ring, or cut after it was closed"
	if mark := binary.LittleEndian.Uint64(head[16:]); n == headSize && mark != 0 {
		// The ring before the file: what leaves the ring in the meantime is in the file then.
		why = ""
		if tails, err = readRing(ringPath(path), mark); err != nil {
			why = err.Error()
		}
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data, unmap, err := mapFile(f, info.Size())
	if err != nil {
		return nil, err
	}
	file, err := parse(data, tails, why)
	if err != nil {
		return nil, errors.Join(err, unmap())
	}
	file.unmap = unmap
	return file, nil
}

// OpenBytes opens a trace that lies in memory, which must not change while the File is in use.
func OpenBytes(data []byte) (*File, error) {
	if len(data) == 0 {
		return nil, &ForeignError{"nothing at all"}
	}
	return parse(data, nil, "there is no ring with these bytes")
}

var errClosed = errors.New("the trace is closed")

// Close lets go of the file. Nobody may be reading it.
func (f *File) Close() error {
	if f.closed {
		return errClosed
	}
	f.closed, f.data = true, nil
	if f.unmap == nil {
		return nil
	}
	return f.unmap()
}

// Meta returns the metadata.
func (f *File) Meta() tracer.Meta { return f.meta }

// Dict returns the dictionary.
func (f *File) Dict() *tracer.Dict { return f.dict }

// Streams returns what is known of each stream.
func (f *File) Streams() []tracer.StreamInfo { return f.streams }

// Missing says what the trace lacks; its String is empty where nothing is missing.
func (f *File) Missing() Missing { return f.missing }

// Counts returns the number of events of each known kind.
func (f *File) Counts() [tracer.NumKinds]int64 {
	return [tracer.NumKinds]int64(f.counts[:])
}

// Span returns the times of the first and the last event, 0, 0 where there is none.
func (f *File) Span() (from, to int64) {
	found := false
	cover := func(lo, hi int64) {
		if !found {
			from, to, found = lo, hi, true
		}
		from, to = min(from, lo), max(to, hi)
	}
	for s, info := range f.streams {
		for i := range f.blocks[s] {
			b := &f.blocks[s][i].info
			cover(b.from+info.Offset, b.to+info.Offset)
		}
		for _, t := range f.tails[s] {
			for i := range t.rows {
				at := t.rows[i].Time + info.Offset
				cover(at, at)
			}
		}
	}
	return from, to
}

// parse reads everything but the events.
func parse(data []byte, tails map[uint32][]tail, why string) (*File, error) {
	p := parser{f: &File{data: data, dict: &tracer.Dict{}}}
	p.head = tracer.Head{Dict: p.f.dict, Lenient: true}
	if err := checkHeader(data); err != nil {
		return nil, err
	}
	entries, counts, ok := p.index()
	if ok {
		p.f.counts = counts
	} else {
		var err error
		if entries, err = p.walk(); err != nil {
			return nil, err
		}
	}
	if err := p.take(entries); err != nil {
		return nil, err
	}
	f := p.f
	f.streams = p.head.Streams
	f.blocks = append(f.blocks, make([][]eventBlock, max(0, len(f.streams)-len(f.blocks)))...)
	f.tails = make([][]tail, len(f.streams))
	if f.missing.Unclosed {
		f.missing.Ring = why
		f.join(tails)
	}
	return f, nil
}

// checkHeader looks at the header. One that is cut off is allowed: the process died at once.
func checkHeader(data []byte) error {
	n := min(len(data), len(fileMark))
	if string(data[:n]) != fileMark[:n] {
		return &ForeignError{looksLike(data)}
	}
	if len(data) < headSize {
		return nil
	}
	if v := binary.LittleEndian.Uint16(data[8:]); v > fileVersion {
		return &DamageError{-1, 0, fmt.Sprintf("the file has version %d; this program reads up to version %d", v, fileVersion)}
	}
	if sum, want := crc32.Checksum(data[:headSize-4], castagnoli), binary.LittleEndian.Uint32(data[headSize-4:]); sum != want {
		return &DamageError{-1, 0, fmt.Sprintf("its checksum is %08x, but its bytes give %08x", want, sum)}
	}
	return nil
}

// A parser puts a File together.
type parser struct {
	f    *File
	head tracer.Head
}

// index returns the blocks as the index of a closed file lists them, false where there is none that is whole.
func (p *parser) index() (entries []indexEntry, counts [256]int64, ok bool) {
	data := p.f.data
	if len(data) < headSize+endSize {
		return nil, counts, false
	}
	kind, payload, short, err := checkFrame(data[len(data)-endSize:])
	if err != nil || short || kind != blockEnd || len(payload) != endSize-frameSize {
		return nil, counts, false
	}
	offset := binary.LittleEndian.Uint64(payload)
	if offset < headSize || offset > uint64(len(data)-endSize) {
		return nil, counts, false
	}
	kind, payload, short, err = checkFrame(data[offset : len(data)-endSize])
	if err != nil || short || kind != blockIndex {
		return nil, counts, false
	}
	entries, counts, err = parseIndex(payload, int64(offset))
	return entries, counts, err == nil
}

// walk goes through all blocks of a file without an index.
func (p *parser) walk() ([]indexEntry, error) {
	f := p.f
	f.missing.Unclosed = true
	var entries []indexEntry
	firsts := map[uint32]uint64{}
	for at := min(headSize, len(f.data)); at < len(f.data); {
		kind, payload, short, err := checkFrame(f.data[at:])
		if short || err != nil && zeros(f.data[at:]) { // zeros are what some systems leave where a write was cut
			f.missing.Bytes = int64(len(f.data) - at)
			break
		}
		number := len(entries)
		if err != nil {
			return nil, &DamageError{number, int64(at), err.Error()}
		}
		e := indexEntry{kind: kind, offset: int64(at), size: int64(frameSize + len(payload))}
		switch kind {
		case blockEvents:
			if e.info, _, err = parseBlock(payload, &f.counts); err != nil {
				return nil, &DamageError{number, int64(at), err.Error()}
			}
			if want := firsts[e.info.stream]; e.info.first != want {
				return nil, &DamageError{number, int64(at), fmt.Sprintf("it begins with event %d of stream %d; expected %d", e.info.first, e.info.stream, want)}
			}
			firsts[e.info.stream] += uint64(e.info.count)
		case blockEnd:
			f.missing.Unclosed = false
		}
		entries = append(entries, e)
		at += int(e.size)
	}
	return entries, nil
}

func zeros(b []byte) bool {
	return len(bytes.TrimLeft(b, "\x00")) == 0
}

// take reads the blocks that are read at once and lists the others.
func (p *parser) take(entries []indexEntry) error {
	f := p.f
	for number := range entries {
		e := &entries[number]
		var err error
		switch e.kind {
		case blockMeta, blockDict:
			var payload []byte
			if payload, err = f.block(e.kind, number, e.offset, e.size); err == nil {
				err = p.lines(e.kind, payload)
			}
		case blockEvents:
			if s := int(e.info.stream); s >= len(p.head.Streams) {
				err = fmt.Errorf("it belongs to stream %d, but there are %d", s, len(p.head.Streams))
			} else {
				f.blocks = append(f.blocks, make([][]eventBlock, max(0, s+1-len(f.blocks)))...)
				f.blocks[s] = append(f.blocks[s], eventBlock{number, e.offset, e.size, e.info})
			}
		case blockSummary:
			f.summary, f.number = e, number
		}
		if err != nil {
			var damage *DamageError
			if !errors.As(err, &damage) {
				err = &DamageError{number, e.offset, err.Error()}
			}
			return err
		}
	}
	return nil
}

// lines reads a block of lines of the head.
func (p *parser) lines(kind uint8, payload []byte) error {
	h := &p.head
	if kind == blockMeta {
		h = &tracer.Head{Dict: &tracer.Dict{}, Lenient: true}
	}
	n := 0
	for line := range strings.Lines(string(payload)) {
		n++
		if err := h.Line(strings.TrimSuffix(line, "\n")); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if kind == blockMeta {
		p.f.meta = h.Meta
	} else if h.Translates() {
		return errors.New("its codes or contexts are not numbered in their order")
	}
	return nil
}

// block returns the payload of the block at that place, checked.
func (f *File) block(kind uint8, number int, offset, size int64) ([]byte, error) {
	if f.closed {
		return nil, errClosed
	}
	got, payload, short, err := checkFrame(f.data[offset : offset+size])
	switch {
	case err != nil:
		return nil, &DamageError{number, offset, err.Error()}
	case short || int64(len(payload)) != size-frameSize:
		return nil, &DamageError{number, offset, fmt.Sprintf("its length is not the one of the index, %d", size-frameSize)}
	case got != kind:
		return nil, &DamageError{number, offset, fmt.Sprintf("it has type %d; expected %d", got, kind)}
	}
	return payload, nil
}

// join adds what was in the ring behind what is in the file.
func (f *File) join(tails map[uint32][]tail) {
	for s := range f.streams {
		next := uint64(0)
		if bs := f.blocks[s]; len(bs) > 0 {
			last := bs[len(bs)-1].info
			next = last.first + uint64(last.count)
		}
		for _, t := range tails[uint32(s)] {
			if t.first > next {
				f.missing.Lost += int64(t.first - next)
				break
			}
			if end := t.first + uint64(len(t.rows)); end > next {
				t.rows, t.first = t.rows[next-t.first:], next
				next = end
				f.tails[s] = append(f.tails[s], t)
				for i := range t.rows {
					f.counts[t.rows[i].Kind]++
				}
			}
		}
	}
}
