// Package stackprof reads the profiles of the Ruby profiler stackprof: as JSON (stackprof --json, StackProf.run with JSON), and as its out: writes them, in
// the serialised form of Ruby's module Marshal.
//
// With raw: true a profile has its stacks, each with a number of samples. Without them it has the samples of functions and of their lines, and those of
// calls from one function to another, which package arcs turns into calling contexts.
package stackprof

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/jsonscan"
	"whorl/tracer"
	"whorl/tracer/formats/arcs"
	"whorl/tracer/formats/jsonfile"
	"whorl/tracer/formats/profile"
)

// content is the content of a file.
type content struct {
	Version  float64          `json:"version"`
	Mode     string           `json:"mode"`     // wall, cpu, object or custom
	Interval float64          `json:"interval"` // µs, or allocations
	Samples  float64          `json:"samples"`
	Missed   float64          `json:"missed_samples"`
	Frames   map[string]frame `json:"frames"`
	Raw      jsonfile.Numbers `json:"raw"`       // of each stack: its length, its frames, and its number of samples
	RawLines jsonfile.Numbers `json:"raw_lines"` // the same, with lines in place of frames
	Deltas   jsonfile.Numbers `json:"raw_timestamp_deltas"`
	Times    jsonfile.Numbers `json:"raw_sample_timestamps"`
}

type frame struct {
	Name  string                      `json:"name"`
	File  string                      `json:"file"`
	Line  float64                     `json:"line"`
	Self  float64                     `json:"samples"`
	Total float64                     `json:"total_samples"`
	Edges map[string]float64          `json:"edges"` // samples of calls to other frames
	Lines map[string]jsonfile.Numbers `json:"lines"` // all samples and exclusive ones
}

// Detect reports whether a file that begins with head may be of stackprof.
func Detect(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\x04\x08{")) {
		return bytes.Contains(head, []byte("interval")) && bytes.Contains(head, []byte("samples"))
	}
	b := jsonscan.Start(head)
	contains := func(s string) bool { return bytes.Contains(b, []byte(s)) }
	return len(b) > 0 && b[0] == '{' && contains(`"mode"`) && contains(`"interval"`) && contains(`"gc_samples"`)
}

// Read reads profiles into rec, one stream for each file, and does not close rec. A processor is a file. Samples keep their times if the file has them. The
// metric samples counts them; time is their number times the interval, for modes that sample time, and objects the allocations. An error names the file.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	if err := profile.CheckProcessor("stackprof", cmp.Or(o.Processor, "file"), []string{"file"}); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o)}
	r.w.Meta = tracer.Meta{Substrate: "stackprof", Clock: tracer.Aligned}
	err := r.w.Each(files, r.file)
	r.w.Finish()
	return err
}

type reader struct {
	w      *profile.Writer
	c      *content
	stream *tracer.Stream
	pe     int32
	frames map[frameAt][]uint32
}

// A frameAt is a frame at a line, 0 for an unknown one.
type frameAt struct {
	id   int64
	line int32
}

// Bounds of a file.
const (
	most      = 1 << 29 // bytes
	mostDepth = 1 << 16
	ofParts   = 2 // brackets around frames and stacks
)

func (r *reader) file(f *profile.File) error {
	r.c, r.frames = &content{}, map[frameAt][]uint32{}
	if err := r.load(f); err != nil {
		return err
	}
	if r.c.Frames == nil {
		return errors.New("not a profile of stackprof: no frames")
	}
	name := cmp.Or(f.Process, f.Name)
	r.stream = r.w.Rec.Stream(tracer.StreamInfo{Name: name})
	var err error
	if r.pe, err = r.w.Processor(tracer.PE{Host: f.Host, Process: name}); err != nil {
		return err
	}
	r.w.Begin(r.stream, r.pe, 0)
	if r.c.Missed >= 1 && r.c.Missed < 1<<53 {
		r.w.Dropped.Add("samples that stackprof missed", int64(r.c.Missed))
	}
	before := r.w.Sampled
	if len(r.c.Raw) > 0 {
		r.stacks()
	} else {
		r.graph()
	}
	if r.w.Sampled == before {
		r.w.Dropped.Once(f.Name + " has no samples")
	}
	r.stream.Sync()
	return nil
}

// load reads the content of a file.
func (r *reader) load(f *profile.File) error {
	data, err := profile.ReadAll(f.R, most)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(data, []byte("\x04\x08")) {
		if data, err = fromRuby(data[2:]); err != nil {
			return err
		}
	}
	cut, err := jsonfile.Read(bytes.NewReader(data), ofParts, r.c)
	jsonfile.Cut(&r.w.Dropped, f.Name, cut)
	return err
}

// metrics returns the metrics of samples, each with the recorded amount of one sample.
func (r *reader) metrics() (codes []uint32, amounts []int64) {
	c := r.c
	n := int64(1)
	if c.Interval >= 1 && c.Interval <= 1e9 {
		n = int64(c.Interval)
	}
	codes, amounts = []uint32{r.w.Metric("samples", "samples")}, []int64{1}
	switch c.Mode {
	case "wall", "cpu":
		codes, amounts = append(codes, r.w.Metric("time", "ns")), append(amounts, 1000*n)
	case "object":
		codes, amounts = append(codes, r.w.Metric("objects", "objects")), append(amounts, n)
	}
	return codes, amounts
}

// stacks records the stacks of a profile in order.
func (r *reader) stacks() {
	c := r.c
	codes, amounts := r.metrics()
	sample, now, last := 0, 0.0, int64(0)
	for i := 0; i < len(c.Raw); {
		depth := c.Raw.Index(i, mostDepth)
		if depth < 0 || i+depth+1 >= len(c.Raw) {
			r.w.Dropped.Add("stacks without an end", 1)
			return
		}
		context := uint32(0)
		for k := i + 1; k <= i+depth; k++ {
			line := int32(0)
			if len(c.RawLines) == len(c.Raw) {
				line = jsonfile.Number(c.RawLines[k])
			}
			context = r.w.Call(context, r.frame(frameAt{int64(c.Raw[k]), line}))
		}
		count := c.Raw.Index(i+depth+1, 1<<40)
		i += depth + 2
		if context == 0 || count <= 0 {
			continue
		}
		at := last
		if len(c.Times) > 0 {
			if v := (c.Times.At(sample) - c.Times[0]) * 1e3; v > float64(at) && v < 1<<53 {
				at = int64(v)
			}
		} else if v := now * 1e3; v > float64(at) && v < 1<<53 {
			at = int64(v)
		}
		for k := range min(count, len(c.Deltas)-min(sample, len(c.Deltas))) {
			if d := c.Deltas[sample+k]; d > 0 {
				now += d
			}
		}
		sample += count
		for k, code := range codes {
			r.w.Sample(r.stream, at, r.pe, context, code, amounts[k]*int64(count))
		}
		last = at
	}
}

// frame returns the dictionary entries of a frame.
func (r *reader) frame(at frameAt) []uint32 {
	codes, ok := r.frames[at]
	if !ok {
		f, known := r.c.Frames[strconv.FormatInt(at.id, 10)]
		if !known {
			r.w.Dropped.Add("frames missing from the table", 1)
		}
		line := f.place()
		line.Line = at.line
		codes = r.w.Frames(profile.Place{Lines: []profile.Line{line}})
		r.frames[at] = codes
	}
	return codes
}

// place returns the function of a frame.
func (f *frame) place() profile.Line {
	file := f.File
	if strings.HasPrefix(file, "<") { // such as <cfunc>
		file = ""
	}
	return profile.Line{Function: strings.ToValidUTF8(f.Name, "\ufffd"), File: strings.ToValidUTF8(file, "\ufffd"), Start: jsonfile.Number(f.Line)}
}

// graph records a profile without stacks.
func (r *reader) graph() {
	codes, amounts := r.metrics()
	g := arcs.New(r.w, codes, 0)
	numbers := map[string]int32{}
	ids := slices.SortedFunc(maps.Keys(r.c.Frames), profile.Natural)
	for _, id := range ids {
		f := r.c.Frames[id]
		numbers[id] = g.Function(f.place(), nil)
	}
	values := make([]int64, len(codes))
	scaled := func(samples float64) []int64 {
		n := int64(0)
		if samples >= 0 && samples < 1<<40 {
			n = int64(math.Round(samples))
		}
		for k := range values {
			values[k] = min(n*amounts[k], 1<<53)
		}
		return values
	}
	for _, id := range ids {
		f := r.c.Frames[id]
		left := f.Self
		for _, line := range slices.SortedFunc(maps.Keys(f.Lines), profile.Natural) {
			if n, err := strconv.ParseInt(line, 10, 32); err == nil && n > 0 && f.Lines[line].At(1) > 0 {
				own := min(f.Lines[line].At(1), max(left, 0))
				left -= own
				g.Cost(numbers[id], "", int32(n), scaled(own))
			}
		}
		if left > 0 {
			g.Cost(numbers[id], "", 0, scaled(left))
		}
		for _, to := range slices.SortedFunc(maps.Keys(f.Edges), profile.Natural) {
			if callee, ok := numbers[to]; ok {
				g.Arc(numbers[id], "", 0, callee, 0, scaled(f.Edges[to]))
			} else {
				r.w.Dropped.Add("frames missing from the table", 1)
			}
		}
	}
	g.Record(r.stream, r.pe)
}
