package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"whorl/internal/figures"
	"whorl/internal/mapped"
	"whorl/internal/pieces"
	"whorl/tracer"
)

// A File is a trace in a file. It implements tracer.StreamSource and is safe for concurrent reading.
type File struct {
	data    []byte       // all of it, unless it is remote
	remote  *pieces.File // nil for a file in memory
	unmap   func() error
	meta    tracer.Meta
	dict    *tracer.Dict
	streams []tracer.StreamInfo
	blocks  [][]eventBlock // by stream
	tails   []([]tail)     // by stream: events from the ring
	counts  [256]int64     // by kind
	summary *restBlock     // nil if there is none
	states  *restBlock     // nil if there are none of all events
	rest    []restBlock    // blocks that neither Open nor a scan reads
	scratch Scratch        // with the blocks of a Growing that are not in memory, nil for none
	missing Missing
	closed  bool
	origin  any  // for a snapshot: its trace or merging
	ended   bool // for a snapshot: the trace has ended
}

// An eventBlock is an event block in the file. A large trace has hundreds of thousands of them.
type eventBlock struct {
	offset       int64
	number, size uint32
	info         blockInfo
	payload      *[]byte // verified; nil if it is in the file, or in the scratch file of a Growing
}

// A restBlock is a block that a scan does not need.
type restBlock struct {
	number       int
	kind         uint8
	offset, size int64
}

// Missing describes the known losses of a trace.
type Missing struct {
	Unclosed bool   // the recording process did not close the trace, or the file was cut
	Bytes    int64  // bytes at the end of the file that form no whole block
	Lost     int64  // events that are known to be lost
	Ring     string // why the newest events could not be read from the ring; "" if they were read
	Blocks   int    // damaged blocks that are left out (Salvage)
	Damage   string // the first of them, with its fault
}

// damaged adds a block that is left out.
func (m *Missing) damaged(e *DamageError) {
	if m.Blocks++; m.Blocks == 1 {
		m.Damage = e.Error()
	}
}

// String returns a sentence, "" if nothing is missing.
func (m Missing) String() string {
	switch {
	case m.Blocks == 0:
		return m.unclosed()
	case !m.Unclosed:
		return m.leftOut() + m.lost() + "; all other events can be used"
	case m.Bytes > 0:
		return m.leftOut() + "; the last " + figures.Counted(m.Bytes, "byte") + " of the file cannot be read" + m.lost() + "; all earlier events can be used"
	}
	return m.leftOut() + "; " + m.unclosed()
}

// leftOut names the damaged blocks.
func (m Missing) leftOut() string {
	s := m.Damage + "; "
	if m.Blocks == 1 {
		return s + "this block is left out"
	}
	return s + "this block and " + figures.Count(int64(m.Blocks-1)) + " more are left out"
}

func (m Missing) lost() string {
	if m.Lost == 0 {
		return ""
	}
	return "; " + figures.Counted(m.Lost, "event") + " or more are lost"
}

// unclosed returns a sentence about a trace that was not closed.
func (m Missing) unclosed() string {
	if !m.Unclosed {
		return ""
	}
	s := "the trace was not closed: "
	if m.Ring == "" {
		s += "at most the event that each stream was writing is missing"
	} else {
		s += "its newest events are missing, because " + m.Ring
	}
	if m.Bytes > 0 && m.Ring != "" {
		s += "; the last " + figures.Counted(m.Bytes, "byte") + " of the file cannot be read"
	}
	s += m.lost()
	if m.Ring != "" {
		s += "; all earlier events can be used"
	}
	return s
}

// Open opens the trace at path. A trace that was not closed opens with the events in the file and in its ring; Missing describes the rest.
// The error is a *ForeignError, a *DamageError or an error of the system.
func Open(path string) (*File, error) { return openAs(path, false) }

// Salvage opens a damaged trace without the damaged blocks of events, which Missing describes. Damage that hides the names of codes or the length of a
// block ends the trace there. Salvage reads the whole file.
func Salvage(path string) (*File, error) { return openAs(path, true) }

func openAs(path string, salvage bool) (*File, error) {
	file, err := open(path, salvage)
	if err != nil {
		var sys *os.PathError
		if !errors.As(err, &sys) {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	return file, nil
}

func open(path string, salvage bool) (*File, error) {
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
	why := "the end of the file was cut off or never written"
	if mark := binary.LittleEndian.Uint64(head[16:]); n == headSize && mark != 0 {
		// The ring is read before the file: events that leave the ring in between are in the file.
		why = ""
		if tails, err = readRing(ringPath(path), mark); err != nil {
			why = err.Error()
		}
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data, unmap, err := mapped.File(f, info.Size())
	if err != nil {
		return nil, err
	}
	file, err := parse(data, tails, why, salvage)
	if err != nil {
		return nil, errors.Join(err, unmap())
	}
	file.unmap = unmap
	return file, nil
}

var errClosed = errors.New("the trace is closed")

// Close unmaps the file. No goroutine may be reading it.
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

// Streams describes each stream.
func (f *File) Streams() []tracer.StreamInfo { return f.streams }

// Missing returns the losses of the trace.
func (f *File) Missing() Missing { return f.missing }

// Counts returns the number of events of each known kind.
func (f *File) Counts() [tracer.NumKinds]int64 {
	return [tracer.NumKinds]int64(f.counts[:])
}

// Span returns the times of the first and the last event, 0 and 0 without events.
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

// bytes returns n bytes of the file from an offset on.
func (f *File) bytes(at, n int64) ([]byte, error) {
	if f.remote != nil {
		return f.remote.Bytes(at, n)
	}
	return f.data[at : at+n], nil
}

// size returns the number of bytes of the file.
func (f *File) size() int64 {
	if f.remote != nil {
		return f.remote.Len()
	}
	return int64(len(f.data))
}

// block verifies a block and returns its payload.
func (f *File) block(b restBlock) ([]byte, error) {
	if f.closed {
		return nil, errClosed
	}
	whole, err := f.bytes(b.offset, b.size)
	if err != nil {
		return nil, err
	}
	got, payload, short, err := checkFrame(whole)
	switch {
	case err != nil:
		return nil, &DamageError{b.number, b.offset, err.Error()}
	case short || int64(len(payload)) != b.size-frameSize:
		return nil, &DamageError{b.number, b.offset, fmt.Sprintf("its length differs from the length in the index, %d", b.size-frameSize)}
	case got != b.kind:
		return nil, &DamageError{b.number, b.offset, fmt.Sprintf("it has type %d; expected %d", got, b.kind)}
	}
	return payload, nil
}

// events verifies an event block and returns its payload.
func (f *File) events(b *eventBlock) ([]byte, error) {
	return f.block(restBlock{int(b.number), blockEvents, b.offset, int64(b.size)})
}

// A passage releases the mapped memory behind a sequential reader, so that a file of any size takes little memory.
type passage struct {
	file *File
	from int64 // the bytes before it are released
}

// behind is the number of bytes that a passage leaves in memory.
const behind = 4 << 20

// reach records that the reader has reached an offset and no longer needs the bytes before it.
func (p *passage) reach(offset int64) {
	if offset-p.from >= 2*behind && p.file.unmap != nil {
		mapped.Release(p.file.data, p.from, offset-behind)
		p.from = offset - behind
	}
}

// Verify checks every block, so that damage is found even in parts of the trace that are not read. Errors are *DamageErrors.
func (f *File) Verify() error {
	for _, bs := range f.blocks {
		passed := passage{file: f}
		for i := range bs {
			b := &bs[i]
			if b.payload != nil || f.scratch != nil { // verified when it was written
				continue
			}
			passed.reach(b.offset)
			if _, err := f.events(b); err != nil {
				return err
			}
		}
	}
	return f.verifyRest()
}

// verifyRest checks the blocks that a scan of all events does not read.
func (f *File) verifyRest() error {
	for _, b := range f.rest {
		if _, err := f.block(b); err != nil {
			return err
		}
	}
	if f.summary != nil {
		_, err := f.Summary()
		return err
	}
	return nil
}

// join appends the events of the ring to those of the file.
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
