// Package gotrace reads the execution traces of Go 1.22 to 1.26, as runtime/trace, go test -trace, /debug/pprof/trace and the flight recorder write
// them. docs/events.md has the meaning of each record in the trace.
//
// # Order
//
// A trace consists of generations of about a second, each with its own tables of strings and stacks. Each thread has batches of records in the order
// of their times. The reader keeps one generation in memory, merges its threads by time, and takes another thread first where the sequence number of a
// goroutine or a P says that its next record comes later: clocks of cores disagree by a few ns. If no thread can go on, the trace is damaged; the
// reader counts that and goes on with the earliest record.
//
// # Goroutines and Ps
//
// A goroutine is a task and a P is a PE. A goroutine is known by its entry function, or by the function that it was given where a library starts it,
// as sync.WaitGroup.Go does. Goroutines of the garbage collector and of the tracer itself are overhead while they run.
//
// # Wakers
//
// The trace names the goroutine that ended a wait, except for waits for the network. For these the reader infers it: the task that wrote during most
// of the waits of this task, if it also wrote during this one. The reader also infers that the task that began a collection wakes the workers of the
// collector.
package gotrace

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"strconv"

	"whorl/internal/hashtable"
	"whorl/tracer"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/profile"
	"whorl/tracer/observed"
)

// Detect reports whether a file begins as an execution trace does, of any version. It may be packed.
func Detect(head []byte) bool {
	_, ok := version(gzipped.Head(head))
	return ok
}

// Read reads a trace into rec as one stream, and does not close rec. An error means that nothing could be read. The metadata count the missing parts
// of the trace.
func Read(f profile.File, rec tracer.Recorder, o profile.Options) error {
	var err error
	if f.R, err = gzipped.Reader(f.R); err != nil {
		return err
	}
	r := newReader(f, rec, o)
	if err := r.file.begin(); err != nil {
		return err
	}
	r.codes = r.enter()
	r.w.Meta = tracer.Meta{Substrate: "go", Mode: tracer.Live, Clock: tracer.Monotonic}
	r.s = rec.Stream(tracer.StreamInfo{Name: "go"})
	for r.next() {
		r.begin()
		r.merge()
		r.generations++
		r.flush()
	}
	if r.generations == 0 && errors.Is(r.file.end, io.EOF) {
		r.w.Dropped.Once("all events: the trace is empty")
	}
	r.finish()
	r.s.Sync()
	return nil
}

// newReader returns a reader of a file at its beginning.
func newReader(f profile.File, rec tracer.Recorder, o profile.Options) *reader {
	return &reader{
		file: file{in: bufio.NewReaderSize(f.R, 1<<16)}, w: profile.NewWriter(rec, o), dict: rec.Dict(), process: cmp.Or(f.Process, f.Name),
		threads: map[uint64]*thread{}, functions: map[uint32]*function{}, lines: map[lineKey]uint32{},
		userTasks: map[uint64]uint32{}, channels: map[uint32]struct{}{}, tries: mostThreads, counted: -countEvery,
	}
}

// A reader reads a trace. It has a method for each kind of record. All methods change the state of the same threads and goroutines, so they belong to one type.
type reader struct {
	file    file
	gen     generation
	clocks  clock
	w       *profile.Writer
	dict    *tracer.Dict
	s       *tracer.Stream
	process string
	codes   codes
	last    int64 // time of the last event
	now     int64 // time of the events of the record that is being applied
	began   int64 // Unix time in ns of the beginning of the trace, 0 if unknown

	texts     []text
	stacks    []stack
	samples   []sampled
	frames    []frame
	functions map[uint32]*function
	lines     map[lineKey]uint32

	threads    map[uint64]*thread
	forgotten  uint64 // the generation in which threads were last removed
	heap       []ahead
	goroutines []goroutine
	free       []int32         // entries of goroutines that are not in use
	index      hashtable.Table // entries of goroutines, by number
	procs      []proc
	tasks      uint64
	alive      int64
	userTasks  map[uint64]uint32 // names of the tasks of package runtime/trace that have begun
	stopped    int               // goroutines that have stopped the world
	collecting bool
	collector  struct { // the goroutine that began the collection
		n    int32
		task uint64
	}
	gcSeq       uint64
	gcKnown     bool
	counted     int64 // when the number of goroutines was last recorded
	writes      writes
	logs        int                     // texts of logs
	observed    [observed.NumOps]uint32 // codes of the operations of package observe
	channels    map[uint32]struct{}     // the channels of package observe whose capacity is known
	roots       hashtable.Table         // functions of goroutines of the generation, by number
	initial     []status                // of the first generation
	tries       int                     // threads that are tried when the first cannot go on
	generations int                     // that were read
	looking     bool                    // the batches are read for roots only
	program     string
}

// codes are entries of the dictionary.
type codes struct {
	forks, waiting, cpu, live, goal, goroutines, procs uint32

	noWork, preempted, call, gc, stopped                uint32
	timer, network, outside, inferred, coroutine, known uint32
	collection                                          uint32
	unknown                                             uint32 // a function
}

func (r *reader) enter() codes {
	return codes{
		forks: r.w.Metric("forks", "forks"), waiting: r.w.Metric("waiting", "ns"), cpu: r.w.Metric("cpu", "ns"), live: r.w.Metric("heap live", "bytes"), goal: r.w.Metric("heap goal", "bytes"),
		goroutines: r.w.Metric("goroutines", "goroutines"), procs: r.w.Metric("GOMAXPROCS", "Ps"),
		noWork: r.w.Reason(tracer.ReasonNoWork), preempted: r.w.Reason(tracer.ReasonPreempted), call: r.w.Reason(whyCall), gc: r.w.Reason(tracer.ReasonGC), stopped: r.w.Reason(tracer.ReasonStopped),
		timer: r.w.Reason(tracer.ReasonTimer), network: r.w.Reason(whyNetwork), outside: r.w.Reason(tracer.ReasonOutside), inferred: r.w.Reason(tracer.ReasonInferred), coroutine: r.w.Reason(whyCoroutine),
		known: r.w.Reason(whyUnknown), collection: r.w.Name("garbage collection"), unknown: r.function("", ""),
	}
}

// flush passes the events read so far to the recorder, for viewers of the growing trace.
func (r *reader) flush() {
	m := &r.w.Meta
	if m.PEs = max(m.PEs, len(r.procs)); m.PEs > len(m.PEInfo) || m.Program != r.program {
		m.Program, m.PEInfo = r.program, nil
		for pe := range m.PEs {
			m.PEInfo = append(m.PEInfo, tracer.PE{Process: cmp.Or(r.program, r.process), Thread: "P " + strconv.Itoa(pe)})
		}
		r.w.Rec.SetMeta(*m)
	}
	r.s.HandOn()
}

// finish records the metadata.
func (r *reader) finish() {
	v := r.file.version
	r.w.Extra("go", "1."+strconv.Itoa(v))
	if r.began > 0 {
		r.w.Recorded(r.began)
	}
	if v > newest {
		r.w.Dropped.Once("what traces of Go 1." + strconv.Itoa(v) + " have beyond those of Go 1." + strconv.Itoa(newest))
	}
	if err := r.file.end; !errors.Is(err, io.EOF) {
		r.w.Dropped.Once("the rest from byte " + strconv.FormatInt(r.file.offset, 10) + " on: " + err.Error())
	}
	r.w.Finish()
}
