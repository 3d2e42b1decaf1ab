// Package jfr reads recordings of Java's Flight Recorder (.jfr), of the JDK and of async-profiler: the samples of its execution profiler, and allocations.
// Other events are left out.
//
// A recording is a sequence of chunks. A chunk describes the classes of its events in its metadata, and holds the constants to which events refer, such as
// stacks, methods and threads.
package jfr

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// most bounds a recording, in bytes.
const most = 1 << 30

// Detect reports whether a file that begins with head may be a recording.
func Detect(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// Read reads recordings into rec, one stream for each file, and does not close rec. A processor is a thread. Samples keep their times. Execution samples
// are the metric samples, and allocations the metric allocated: the size of new buffers of threads, and of what is allocated outside of these. An error
// names the file and the offset of the chunk.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	if err := profile.CheckProcessor("JFR", cmp.Or(o.Processor, "thread"), []string{"thread"}); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o)}
	r.w.Meta = tracer.Meta{Substrate: "jfr", Clock: tracer.Aligned}
	err := r.w.Each(files, r.file)
	r.w.Finish()
	return err
}

type reader struct {
	w       *profile.Writer
	f       *profile.File
	stream  *tracer.Stream
	threads map[string]int32
	first   int64 // Unix time in ns of the first chunk
	samples []sample

	c      *chunk
	stacks map[ref]uint32
	frames map[frame][]uint32
}

// A sample is an event.
type sample struct {
	time    int64
	pe      int32
	context uint32
	metric  uint32
	amount  int64
}

type frame struct {
	class, method string
	line          int32
}

func (r *reader) file(f *profile.File) error {
	data, err := profile.ReadAll(f.R, most)
	if err != nil {
		return err
	}
	r.f, r.threads, r.first, r.samples = f, map[string]int32{}, 0, nil
	r.frames = map[frame][]uint32{}
	r.stream = r.w.Rec.Stream(tracer.StreamInfo{Name: cmp.Or(f.Process, f.Name)})
	for at := 0; at < len(data); {
		n, err := r.chunk(data[at:])
		if err != nil {
			if at == 0 {
				return fmt.Errorf("chunk at offset 0: %w", err)
			}
			r.w.Dropped.Once(fmt.Sprintf("the chunk at offset %d of %s, and what follows: %v", at, f.Name, err))
			break
		}
		at += n
	}
	if len(data) == 0 {
		return errors.New("the file is empty")
	}
	slices.SortStableFunc(r.samples, func(a, b sample) int { return cmp.Compare(a.time, b.time) })
	for _, s := range r.samples {
		r.w.Sample(r.stream, s.time, s.pe, s.context, s.metric, s.amount)
	}
	if len(r.samples) == 0 {
		r.w.Dropped.Once(f.Name + " has no execution samples and no allocations")
	}
	r.stream.Sync()
	return nil
}

// chunk reads a chunk and returns its length.
func (r *reader) chunk(data []byte) (int, error) {
	h, err := headOf(data)
	if err != nil {
		return 0, err
	}
	if h.size == 0 { // the recording was not ended
		h.size = int64(len(data))
	}
	if h.size < headSize || h.size > int64(len(data)) {
		return 0, errCut
	}
	if r.first == 0 {
		r.first = h.startNS
		if len(r.w.Meta.PEInfo) == 0 && h.startNS > 0 {
			r.w.Recorded(h.startNS)
		}
	}
	r.c = &chunk{head: h, data: data[:h.size], classes: map[int64]*class{}, pool: map[ref]value{}}
	r.stacks = map[ref]uint32{}
	if err := r.c.load(); err != nil {
		return 0, err
	}
	for at := int64(headSize); at < h.size; {
		e := &cursor{c: r.c, pos: int(at)}
		size := e.long()
		kind := e.long()
		if e.err != nil || size <= 0 || size > h.size-at {
			return 0, fmt.Errorf("offset %d: an event of %d bytes", at, size)
		}
		if k := r.c.classes[kind]; k != nil {
			if err := r.event(k, kind, e); err != nil {
				return 0, err
			}
		}
		at += size
	}
	return int(h.size), nil
}

// event records an event if it is a sample or an allocation.
func (r *reader) event(k *class, kind int64, e *cursor) error {
	var thread, amount string
	switch k.name {
	case "jdk.ExecutionSample":
		thread = "sampledThread"
	case "jdk.ObjectAllocationInNewTLAB":
		thread, amount = "eventThread", "tlabSize"
	case "jdk.ObjectAllocationOutsideTLAB":
		thread, amount = "eventThread", "allocationSize"
	case "jdk.ObjectAllocationSample":
		thread, amount = "eventThread", "weight"
	default:
		return nil
	}
	at := e.pos
	v := e.value(kind, 0)
	if e.err != nil {
		return fmt.Errorf("offset %d: the event %s: %w", at, k.name, e.err)
	}
	s := sample{amount: 1}
	if amount == "" {
		s.metric = r.w.Metric("samples", "samples")
	} else {
		s.metric, s.amount = r.w.Metric("allocated", "bytes"), r.c.number(v, amount)
	}
	stack, _ := r.c.get(v, "stackTrace").(ref)
	s.context = r.stack(stack)
	s.time = r.time(r.c.number(v, "startTime"))
	var err error
	if s.pe, err = r.thread(r.c.get(v, thread)); err != nil {
		return err
	}
	if s.context == 0 {
		r.w.Dropped.Add("samples without a stack", 1)
		return nil
	}
	if s.amount > 0 && s.amount < 1<<53 {
		r.samples = append(r.samples, s)
	}
	return nil
}

// time returns the time of a tick in ns since the first chunk.
func (r *reader) time(tick int64) int64 {
	at := float64(r.c.startNS-r.first) + float64(tick-r.c.ticks)*1e9/float64(r.c.perTicks)
	if at < 0 || at > 1e18 || math.IsNaN(at) {
		return 0
	}
	return int64(math.Round(at))
}

// thread returns the processor of a thread.
func (r *reader) thread(v value) (int32, error) {
	name := cmp.Or(r.c.text(v, "javaName"), r.c.text(v, "osName"))
	if id := cmp.Or(r.c.number(v, "osThreadId"), r.c.number(v, "javaThreadId")); id > 0 {
		name = strings.TrimSpace(fmt.Sprintf("%s %d", name, id))
	}
	name = cmp.Or(name, "unknown thread")
	pe, ok := r.threads[name]
	if !ok {
		var err error
		if pe, err = r.w.Processor(tracer.PE{Host: r.f.Host, Process: cmp.Or(r.f.Process, r.f.Name), Thread: name}); err != nil {
			return 0, err
		}
		r.threads[name] = pe
		r.w.Begin(r.stream, pe, 0)
	}
	return pe, nil
}

// stack returns the calling context of a stack, 0 for none.
func (r *reader) stack(at ref) uint32 {
	context, ok := r.stacks[at]
	if ok {
		return context
	}
	v := r.c.resolved(at)
	frames, _ := r.c.resolved(r.c.get(v, "frames")).([]value)
	for _, f := range slices.Backward(frames) {
		context = r.w.Call(context, r.frame(f))
	}
	if r.c.number(v, "truncated") != 0 {
		r.w.Dropped.Add("stacks without their outermost frames", 1)
	}
	r.stacks[at] = context
	return context
}

// frame returns the dictionary entries of a frame. A class of Java lies in the file that its name tells.
func (r *reader) frame(v value) []uint32 {
	method := r.c.get(v, "method")
	f := frame{r.c.text(r.c.get(method, "type"), "name"), r.c.text(method, "name"), int32(min(max(r.c.number(v, "lineNumber"), 0), math.MaxInt32))}
	codes, ok := r.frames[f]
	if !ok {
		line := profile.Line{Function: f.method}
		if f.class != "" {
			line.Function = strings.ReplaceAll(f.class, "/", ".") + "." + f.method
			if outer, _, _ := strings.Cut(strings.ReplaceAll(f.class, ".", "/"), "$"); f.line > 0 {
				line.File, line.Line = outer+".java", f.line
			}
		}
		codes = r.w.Frames(profile.Place{Lines: []profile.Line{line}})
		r.frames[f] = codes
	}
	return codes
}
