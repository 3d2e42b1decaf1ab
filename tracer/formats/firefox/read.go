package firefox

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/jsonfile"
	"whorl/tracer/formats/profile"
)

// Bounds of values.
const (
	mostTime  = 1e14 // ns
	mostValue = 1 << 53
	ofParts   = 5 // brackets around numbers of samples
)

// Read reads profiles into rec, one stream for each thread, and does not close rec. A processor is a thread. Samples keep their times, which count from
// the start of the profile. Their weights are the metric samples, or time or bytes if the file says so; the processor time of a thread, and the bytes of
// allocations, are further metrics. An error names the file.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	if err := profile.CheckProcessor("Firefox profiles", cmp.Or(o.Processor, "thread"), []string{"thread"}); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o)}
	r.w.Meta = tracer.Meta{Substrate: "firefox", Clock: tracer.Aligned}
	err := r.w.Each(files, r.file)
	r.w.Finish()
	return err
}

type reader struct {
	w      *profile.Writer
	c      *content
	t      tables
	libs   []library
	frames map[int][]uint32
	stacks []uint32 // calling contexts, 0 until needed
	stream *tracer.Stream
	pe     int32
	last   int64 // time of the last sample of the stream
}

func (r *reader) file(f *profile.File) error {
	r.c = &content{}
	cut, err := jsonfile.Read(f.R, ofParts, r.c)
	if err != nil {
		return err
	}
	c := r.c
	if c.Threads == nil {
		return errors.New("not a profile of the Firefox Profiler: no member threads")
	}
	jsonfile.Cut(&r.w.Dropped, f.Name, cut)
	if c.Meta.Start > 0 && c.Meta.Start < 1e13 && len(r.w.Meta.PEInfo) == 0 {
		r.w.Recorded(int64(c.Meta.Start * 1e6))
	}
	r.w.Meta.Program = cmp.Or(r.w.Meta.Program, c.Meta.Product)
	before := r.w.Sampled
	for i := range c.Threads {
		if err := r.thread(f, &c.Threads[i]); err != nil {
			return fmt.Errorf("thread %d (%q): %w", i+1, c.Threads[i].Name, err)
		}
	}
	if r.w.Sampled == before {
		r.w.Dropped.Once(f.Name + " has no samples")
	}
	return nil
}

// thread records the samples of a thread.
func (r *reader) thread(f *profile.File, t *thread) error {
	r.t = t.over(&r.c.Shared)
	if len(t.Samples.Stack) > 0 && (r.t.Stacks.Frame == nil || r.t.strings() == nil) {
		if r.w.Sampled > 0 {
			r.w.Dropped.Add("threads without their stacks and strings", 1)
			return nil
		}
		return errors.New("no stacks and no strings; profiler.firefox.com saves profiles of this format")
	}
	r.libs = r.c.Libs
	if r.libs == nil {
		r.libs = t.Libs
	}
	r.frames, r.stacks, r.last = map[int][]uint32{}, make([]uint32, len(r.t.Stacks.Frame)), 0
	process := strings.TrimSpace(cmp.Or(t.Process, t.ProcessType, cmp.Or(f.Process, f.Name)) + " " + string(t.PID))
	who := tracer.PE{Host: f.Host, Process: process, Thread: strings.TrimSpace(t.Name + " " + string(t.TID))}
	var err error
	if r.pe, err = r.w.Processor(who); err != nil {
		return err
	}
	r.w.Dropped.Add("markers", int64(len(t.Markers.Name)))
	metric, scale := r.weights(&t.Samples)
	for _, s := range []struct {
		of     *samples
		metric uint32
		scale  float64
		name   string
	}{{&t.Samples, metric, scale, ""}, {&t.JS, 0, 1, "JS allocations"}, {&t.Native, 0, 1, "native allocations"}} {
		if s.name != "" && len(s.of.Stack) == 0 {
			continue
		}
		if s.name != "" {
			s.metric = r.w.Metric(s.name, "bytes")
		}
		r.stream, r.last = r.w.Rec.Stream(tracer.StreamInfo{Name: strings.TrimSpace(process + " " + who.Thread + " " + s.name)}), 0
		r.w.Begin(r.stream, r.pe, 0)
		r.samples(s.of, s.metric, s.scale)
		r.stream.Sync()
	}
	return nil
}

// weights returns the metric of the weights of samples, and the recorded amount of a weight of 1.
func (r *reader) weights(s *samples) (metric uint32, scale float64) {
	switch s.Type {
	case "tracing-ms":
		return r.w.Metric("time", "ns"), 1e6
	case "bytes":
		return r.w.Metric("bytes", "bytes"), 1
	}
	return r.w.Metric("samples", "samples"), 1
}

// samples records samples, and the processor time that the thread took until each of them since the one before.
func (r *reader) samples(s *samples, metric uint32, scale float64) {
	cpu, cpuScale := uint32(0), map[string]float64{"ns": 1, "µs": 1e3, "us": 1e3}[r.c.Meta.Units.CPU]
	if cpuScale > 0 && len(s.CPU) > 0 {
		cpu = r.w.Metric("cpu", "ns")
	}
	now := 0.0
	for i := range s.Stack {
		at := s.Time.At(i)
		if s.Time == nil {
			now += s.Deltas.At(i)
			at = now
		}
		if r.c.Meta.Units.Time == "bytes" {
			at = 0
		}
		stack := s.Stack.Index(i, len(r.stacks))
		if stack < 0 {
			if !math.IsNaN(s.Stack[i]) {
				r.w.Dropped.Add("samples of unknown stacks", 1)
			}
			continue // the thread had no stack
		}
		time := r.time(at)
		weight := 1.0
		if s.Weight != nil {
			weight = s.Weight.At(i)
		}
		context := r.stack(stack)
		if n, ok := whole(weight * scale); ok {
			r.w.Sample(r.stream, time, r.pe, context, metric, n)
		}
		if n, ok := whole(s.CPU.At(i) * cpuScale); ok && cpu != 0 {
			r.w.Sample(r.stream, time, r.pe, context, cpu, n)
		}
	}
}

// time returns the time in ns of a sample, which is not before the last one.
func (r *reader) time(ms float64) int64 {
	at := r.last
	switch ns := ms * 1e6; {
	case math.IsNaN(ns) || math.Abs(ns) > mostTime:
		r.w.Dropped.Add("times of samples", 1)
	case ns < float64(r.last):
		if ns < float64(r.last)-0.5 && ns >= 0 {
			r.w.Dropped.Add("samples out of order", 1)
		}
	default:
		at = int64(math.Round(ns))
	}
	r.last = at
	return at
}

// whole returns the nearest whole number, and false for 0 and for invalid ones.
func whole(v float64) (int64, bool) {
	if math.IsNaN(v) || math.Abs(v) > mostValue {
		return 0, false
	}
	n := int64(math.Round(v))
	return n, n != 0
}

// stack returns the calling context of a stack.
func (r *reader) stack(i int) uint32 {
	var path []int
	above := uint32(0)
	for k := i; k >= 0; k = r.t.Stacks.Prefix.Index(k, len(r.stacks)) {
		if r.stacks[k] != 0 {
			above = r.stacks[k]
			break
		}
		if path = append(path, k); len(path) > len(r.stacks) {
			r.w.Dropped.Add("circles of stacks", 1)
			break
		}
	}
	for n := len(path) - 1; n >= 0; n-- {
		k := path[n]
		above = r.w.Call(above, r.frame(r.t.Stacks.Frame.Index(k, len(r.t.Frames.Func))))
		r.stacks[k] = above
	}
	return above
}

// frame returns the dictionary entries of a frame; -1 for an unknown one.
func (r *reader) frame(i int) []uint32 {
	codes, ok := r.frames[i]
	if ok {
		return codes
	}
	fn := -1
	if i >= 0 {
		fn = r.t.Frames.Func.Index(i, len(r.t.Funcs.Name))
	}
	if fn < 0 {
		r.w.Dropped.Add("frames missing from the table", 1)
		codes = r.w.Frames(profile.Place{})
	} else {
		codes = r.w.Frames(r.place(i, fn))
	}
	r.frames[i] = codes
	return codes
}

// place returns the place of a frame of a function. A name that is an address is left to the file of the program.
func (r *reader) place(i, fn int) profile.Place {
	t := &r.t
	p := profile.Place{}
	if lib := t.Resources.Lib.Index(t.Funcs.Resource.Index(fn, len(t.Resources.Lib)), len(r.libs)); lib >= 0 {
		l := &r.libs[lib]
		p.Module = &profile.Module{Path: l.path(), BuildID: strings.ToLower(l.CodeID)}
		if address := t.Frames.Address.At(i); address > 0 && address < 1<<53 && !(t.Frames.Inline.At(i) > 0) {
			p.Address = uint64(address)
		}
	}
	line := profile.Line{Function: t.name(t.Funcs.Name, fn), File: t.name(t.Funcs.File, fn), Start: jsonfile.Number(t.Funcs.Line.At(fn))}
	if s := t.Funcs.Source.Index(fn, len(t.Sources.Name)); s >= 0 {
		line.File = t.name(t.Sources.Name, s)
	}
	line.Line, line.Column = jsonfile.Number(t.Frames.Line.At(i)), jsonfile.Number(t.Frames.Column.At(i))
	if !strings.HasPrefix(line.Function, "0x") || p.Address == 0 {
		p.Lines = []profile.Line{line}
	}
	return p
}
