package store

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"whorl/tracer"
)

// A Writer writes a trace as a file. It implements tracer.Recorder.
type Writer struct {
	dict tracer.Dict
	ring *ring // nil if the segments lie on the heap
	done func() error

	together bool // entries of the dictionary wait for others

	mu      sync.Mutex // of the next fields
	streams []*stream
	closed  atomic.Bool // set with mu held
	tee     *Writer     // nil for none
	watched *watched    // nil for none

	waiting sync.Mutex // of entries; held until they are in order, so that later events come after them
	entries entries    // not yet in order

	order chan *job      // jobs to append, in this order
	work  chan *job      // jobs to encode before that
	idle  sync.WaitGroup // the goroutines that encode and append

	// The appending goroutine owns the next fields until it ends.
	out    io.Writer
	size   int64
	err    error
	index  []indexEntry
	counts [256]int64
	states stateSums

	jobs sync.Pool     // *job of events
	sums []*bucketSums // of the encoding goroutines
}

// A stream is a stream with its ring.
type stream struct {
	*tracer.Stream
	number uint32
	offset int64
	next   uint64  // index of the next segment's first event
	open   segment // the segment that Stream records into
	copied copied
	turned uint // number of segments opened, up to 16
	free   chan segment
}

// A job is a block to append.
type job struct {
	kind   uint8
	lines  []byte        // payload of a block of lines; a job of kind 0 writes no block and waits for the jobs before it
	err    error         // kind 0: the first error of the jobs before it
	done   chan struct{} // lines: closed when they are in the file; events and entries: gets a token when block is ready
	stream *stream
	seg    segment
	first  uint64 // index of the first event
	entries
	block  []byte // frame and payload of events or entries
	info   blockInfo
	counts [256]int64
}

// New returns a Writer that writes the bytes of a file to w. Unsealed events are lost if the process is killed. Close does not close w.
func New(w io.Writer) *Writer { return start(w, nil, 0) }

// Record writes the trace that fill records as a file to w. The entries of its dictionary share blocks, which makes the file of a profile with many
// calling contexts far smaller. A file that is read while it grows is written with New or Create.
func Record(w io.Writer, fill func(tracer.Recorder) error) error {
	rec := New(w)
	rec.together = true
	if err := fill(rec); err != nil {
		_ = rec.Close() // the error of fill is the cause
		return err
	}
	return rec.Close()
}

func start(out io.Writer, r *ring, mark uint64) *Writer {
	encoders := min(2, runtime.GOMAXPROCS(0))
	w := &Writer{
		out: out, ring: r, entries: entries{firstCode: 1, firstContext: 1},
		order: make(chan *job, 64), work: make(chan *job, 64), sums: make([]*bucketSums, encoders),
	}
	w.write(appendHeader(nil, mark))
	w.dict.Watch(
		func(_ uint32, c tracer.Code) { w.entry(func(t *entries) { t.addCode(c) }) },
		func(_ uint32, c tracer.Context) { w.entry(func(t *entries) { t.contexts = append(t.contexts, c) }) },
	)
	w.idle.Go(w.append)
	for i := range w.sums {
		w.sums[i] = newBucketSums()
		w.idle.Go(func() { w.encode(w.sums[i]) })
	}
	return w
}

// Dict returns the trace's dictionary. A new entry is in the file before Add returns its id, so that events that survive the process never refer to
// a missing one. Within Record it is in the file before the first event that refers to it.
func (w *Writer) Dict() *tracer.Dict { return &w.dict }

// SetMeta sets the metadata; the last call counts.
func (w *Writer) SetMeta(m tracer.Meta) { w.lines(blockMeta, tracer.AppendMeta(nil, m)) }

// Stream begins a stream. With a Writer from Create, an event survives the process after the next Slot or Sync.
func (w *Writer) Stream(info tracer.StreamInfo) *tracer.Stream {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &stream{number: uint32(len(w.streams)), offset: info.Offset}
	if w.closed.Load() {
		s.Stream = tracer.NewStream(discard())
		return s.Stream
	}
	segments, rows := ringSize(len(w.streams))
	var parts []segment
	if w.ring != nil {
		parts = w.ring.area(s.number, segments, rows) // nil if there is no room
	}
	if parts == nil {
		parts = heapRing(segments, rows)
	}
	s.open, s.free = parts[0], make(chan segment, segments)
	for _, p := range parts[1:] {
		s.free <- p
	}
	s.Stream = tracer.NewStream(s.part(), func(full tracer.Segment) tracer.Segment {
		if w.closed.Load() {
			return full // never read
		}
		s.copied.handOn(full.Rows)
		s.copied.sent = 0
		s.copied.to.HandOn()
		w.seal(s, full.Rows)
		s.open = <-s.free
		// Empty the segment before its index changes, so that a reader of the ring never sees an old row under a new index.
		atomic.StoreInt64(&s.open.Fill.Last, -1)
		atomic.StoreInt64(&s.open.Fill.Synced, 0)
		atomic.StoreUint64(s.open.first, s.next)
		return s.part()
	})
	if w.tee != nil {
		s.copied.to = w.tee.Stream(info)
	}
	w.streams = append(w.streams, s)
	w.send(blockDict, tracer.AppendStream(nil, int(s.number), info))
	return s.Stream
}

// discard returns the memory of a stream whose events are dropped.
func discard() (tracer.Segment, func(tracer.Segment) tracer.Segment) {
	return tracer.Segment{Rows: make([]tracer.Event, 64), Fill: new(tracer.Fill)}, func(full tracer.Segment) tracer.Segment { return full }
}

// seal queues rows of the open segment of s for writing.
func (w *Writer) seal(s *stream, rows []tracer.Event) {
	j, _ := w.jobs.Get().(*job)
	if j == nil {
		j = &job{kind: blockEvents, done: make(chan struct{}, 1)}
	}
	j.stream, j.seg, j.first = s, s.open, s.next
	j.seg.Rows = rows
	s.next += uint64(len(rows))
	w.sealEntries()
	w.order <- j
	w.work <- j
}

// sealEntries queues the waiting entries for writing. Each stream does so before its events, so that the bytes of a file depend on the recording
// alone.
func (w *Writer) sealEntries() {
	w.waiting.Lock()
	defer w.waiting.Unlock()
	if w.entries.empty() {
		return
	}
	j := &job{kind: blockEntries, done: make(chan struct{}, 1), entries: w.entries}
	w.entries = j.entries.following()
	w.order <- j
	w.work <- j
}

// lines writes a block of lines. It returns when the block is in the file.
func (w *Writer) lines(kind uint8, lines []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed.Load() {
		return
	}
	w.send(kind, lines)
	if w.tee != nil {
		w.tee.lines(kind, lines)
	}
}

// entry adds an entry of the dictionary. Unless entries are written together, it returns when the entry is in the file.
func (w *Writer) entry(add func(*entries)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed.Load() {
		return
	}
	w.waiting.Lock()
	add(&w.entries)
	now := !w.together || w.entries.full()
	w.waiting.Unlock()
	if now {
		w.sealEntries()
	}
	if !w.together {
		w.sendJob(&job{})
	}
	if w.tee != nil {
		w.tee.entry(add)
	}
}

// send queues lines and waits until they are written. Close reports errors.
func (w *Writer) send(kind uint8, lines []byte) { w.sendJob(&job{kind: kind, lines: lines}) }

func (w *Writer) sendJob(j *job) {
	j.done = make(chan struct{})
	w.order <- j
	<-j.done
}

// Flush writes all events recorded so far, possibly as short blocks, for readers of a growing trace. No stream may record meanwhile. Flush
// returns the first error of writing.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed.Load() {
		return errWriterClosed
	}
	if w.tee != nil {
		for _, s := range w.streams {
			s.copied.handOn(s.Filled())
		}
		return w.tee.Flush()
	}
	w.sealEntries()
	for _, s := range w.streams {
		if len(s.Filled()) == 0 {
			continue
		}
		next := <-s.free
		rows := s.Swap(next.Segment).Rows
		w.seal(s, rows)
		s.open = next
		atomic.StoreUint64(next.first, s.next)
	}
	var all job // comes after all sealed blocks
	w.sendJob(&all)
	return all.err
}

var errWriterClosed = errors.New("the trace is closed already")

// Close writes the remaining events and ends the file. It returns the first error of writing.
func (w *Writer) Close() error {
	w.mu.Lock()
	if w.closed.Swap(true) {
		w.mu.Unlock()
		return errWriterClosed
	}
	w.sealEntries()
	for _, s := range w.streams {
		next, _ := discard()
		if part := s.Swap(next); len(part.Rows) > 0 {
			s.copied.handOn(part.Rows)
			w.seal(s, part.Rows)
		}
	}
	w.mu.Unlock()
	close(w.order)
	close(w.work)
	w.idle.Wait()
	for _, s := range w.sums[1:] {
		w.sums[0].merge(s)
	}
	w.end(w.sums[0])
	if w.done != nil {
		if err := w.done(); w.err == nil {
			w.err = err
		}
	}
	return w.err
}

// encode encodes segments as blocks and adds their events to sums.
func (w *Writer) encode(sums *bucketSums) {
	var e encoder
	for j := range w.work {
		if j.kind == blockEntries {
			j.block = appendEntries(beginFrame(nil, blockEntries), &j.entries)
			sealFrame(j.block, 0)
			j.done <- struct{}{}
			continue
		}
		j.counts = [256]int64{}
		j.block = beginFrame(j.block[:0], blockEvents)
		j.block, j.info = e.appendBlock(j.block, j.stream.number, j.first, j.seg.Rows, &j.counts)
		sealFrame(j.block, 0)
		sums.add(j.seg.Rows, j.stream.offset)
		j.done <- struct{}{}
	}
}

// append writes blocks in order.
func (w *Writer) append() {
	for j := range w.order {
		switch j.kind {
		case 0:
			j.err = w.err
			close(j.done)
			continue
		case blockEntries:
			<-j.done
			w.block(j.block, indexEntry{kind: blockEntries})
			w.watched.read(blockEntries, j.block[frameSize:])
			continue
		case blockMeta, blockDict:
			b := append(beginFrame(nil, j.kind), j.lines...)
			w.block(b, indexEntry{kind: j.kind})
			w.watched.read(j.kind, j.lines)
			close(j.done)
			continue
		}
		<-j.done
		w.block(j.block, indexEntry{kind: blockEvents, info: j.info})
		for k, n := range j.counts {
			w.counts[k] += n
		}
		if j.info.kinds&tracer.Kinds(tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Exit) != 0 {
			w.states.add(j.seg.Rows, j.stream.number, j.stream.offset)
		}
		w.watched.events(j)
		j.seg.Rows = j.seg.Rows[:cap(j.seg.Rows)]
		j.stream.free <- j.seg
		j.stream = nil
		w.jobs.Put(j)
	}
}

func (w *Writer) block(b []byte, entry indexEntry) {
	if entry.kind != blockEvents && entry.kind != blockEntries {
		sealFrame(b, 0)
	}
	if len(b)-frameSize > maxBlock && w.err == nil {
		w.err = fmt.Errorf("a block of %d bytes exceeds the limit", len(b)-frameSize)
	}
	entry.offset, entry.size = w.size, int64(len(b))
	w.write(b)
	w.index = append(w.index, entry)
}

func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.out.Write(b)
	w.size += int64(n)
	w.err = err
}
