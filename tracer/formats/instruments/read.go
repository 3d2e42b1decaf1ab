//go:build !js

package instruments

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Read reads exports into rec, one stream for each file, and does not close rec. A processor is a thread. Samples keep their times. The metric is the
// weight: time for most schemas, cycles or bytes for others. An error names the file, the line and the column.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	if err := profile.CheckProcessor("Instruments", cmp.Or(o.Processor, "thread"), []string{"thread"}); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o)}
	r.w.Meta = tracer.Meta{Substrate: "instruments", Clock: tracer.Aligned}
	err := r.w.Each(files, r.file)
	r.w.Finish()
	return err
}

// An element is an element with what it holds.
type element struct {
	kind     string
	id, ref  string
	attr     map[string]string
	text     string
	children []*element
}

// Bounds of a file.
const (
	mostDepth  = 64
	mostFrames = 1 << 16
)

type reader struct {
	w        *profile.Writer
	f        *profile.File
	in       *xml.Decoder
	elements map[string]*element // by id
	stream   *tracer.Stream
	pes      map[string]int32
	frames   map[*element][]uint32
	stacks   map[*element]uint32
	samples  []sample
}

// A sample is a row.
type sample struct {
	time    int64
	pe      int32
	context uint32
	metric  uint32
	amount  int64
}

func (r *reader) file(f *profile.File) error {
	*r = reader{
		w: r.w, f: f, in: xml.NewDecoder(f.R), elements: map[string]*element{}, pes: map[string]int32{},
		frames: map[*element][]uint32{}, stacks: map[*element]uint32{},
	}
	r.stream = r.w.Rec.Stream(tracer.StreamInfo{Name: cmp.Or(f.Process, f.Name)})
	rows, toc := 0, false
	for {
		token, err := r.in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		var row *element
		if start, ok := token.(xml.StartElement); ok && err == nil {
			toc = toc || start.Name.Local == "trace-toc"
			if start.Name.Local != "row" {
				continue
			}
			if row, err = r.element(&start, 0); err == nil {
				err = r.row(row)
				rows++
			}
		}
		if err != nil {
			line, column := r.in.InputPos()
			if rows == 0 {
				return fmt.Errorf("line %d, column %d: %w", line, column, err)
			}
			r.w.Dropped.Once(fmt.Sprintf("the rest of %s from line %d on: %v", f.Name, line, err))
			break
		}
	}
	if rows == 0 && toc {
		return errors.New(`a table of contents; export the samples: xctrace export --input x.trace --xpath '/trace-toc/run[1]/data/table[@schema="time-profile"]'`)
	}
	slices.SortStableFunc(r.samples, func(a, b sample) int { return cmp.Compare(a.time, b.time) })
	for _, s := range r.samples {
		r.w.Sample(r.stream, s.time, s.pe, s.context, s.metric, s.amount)
	}
	if len(r.samples) == 0 {
		r.w.Dropped.Once(f.Name + " has no samples with stacks")
	}
	r.stream.Sync()
	return nil
}

// element reads an element to its end.
func (r *reader) element(start *xml.StartElement, depth int) (*element, error) {
	if depth > mostDepth {
		return nil, fmt.Errorf("more than %d elements within each other", mostDepth)
	}
	e := &element{kind: start.Name.Local, attr: map[string]string{}}
	for _, a := range start.Attr {
		e.attr[a.Name.Local] = strings.ToValidUTF8(a.Value, "\ufffd")
	}
	e.id, e.ref = e.attr["id"], e.attr["ref"]
	for {
		token, err := r.in.Token()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			child, err := r.element(&t, depth+1)
			if err != nil {
				return nil, err
			}
			e.children = append(e.children, child)
		case xml.CharData:
			e.text += string(t)
		case xml.EndElement:
			if e.text = strings.TrimSpace(e.text); e.id != "" {
				r.elements[e.id] = e
			}
			return r.known(e), nil
		}
	}
}

// known returns an element, or the one that it refers to.
func (r *reader) known(e *element) *element {
	if e.ref == "" {
		return e
	}
	if of, ok := r.elements[e.ref]; ok {
		return of
	}
	r.w.Dropped.Add("references to unknown elements", 1)
	return e
}

// child returns the first child of some kinds, nil for none.
func (e *element) child(kinds ...string) *element {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if slices.Contains(kinds, c.kind) {
			return c
		}
	}
	return nil
}

// number returns the text of an element as a number, 0 for another text.
func (e *element) number() int64 {
	if e == nil {
		return 0
	}
	n, err := strconv.ParseInt(e.text, 10, 64)
	if err != nil || n < 0 || n > 1<<53 {
		return 0
	}
	return n
}

// row records a sample.
func (r *reader) row(row *element) error {
	stack := row.child("backtrace", "tagged-backtrace", "text-backtrace")
	if stack != nil && stack.child("backtrace") != nil {
		stack = stack.child("backtrace")
	}
	if stack == nil {
		r.w.Dropped.Add("rows without a stack", 1)
		return nil
	}
	s := sample{time: row.child("sample-time", "event-time", "start-time").number(), amount: 1}
	switch weight := row.child("weight", "cycle-weight", "size-in-bytes"); {
	case weight == nil:
		s.metric = r.w.Metric("samples", "samples")
	case weight.kind == "weight":
		s.metric, s.amount = r.w.Metric("time", "ns"), weight.number()
	case weight.kind == "cycle-weight":
		s.metric, s.amount = r.w.Metric("cycles", "cycles"), weight.number()
	default:
		s.metric, s.amount = r.w.Metric("bytes", "bytes"), weight.number()
	}
	var err error
	if s.pe, err = r.thread(row.child("thread"), row.child("process")); err != nil {
		return err
	}
	if s.context = r.stack(stack); s.context != 0 && s.amount > 0 {
		r.samples = append(r.samples, s)
	}
	return nil
}

// thread returns the processor of a thread. Its name is: Main Thread 0x12aa (WindowServer, pid: 581).
func (r *reader) thread(t, process *element) (int32, error) {
	who := tracer.PE{Host: r.f.Host, Process: cmp.Or(r.f.Process, r.f.Name)}
	if process == nil {
		process = t.child("process")
	}
	if process != nil && process.attr["fmt"] != "" {
		who.Process = process.attr["fmt"]
	}
	if t != nil {
		who.Thread, _, _ = strings.Cut(t.attr["fmt"], " (")
	}
	key := who.Process + "\x00" + who.Thread
	pe, ok := r.pes[key]
	if !ok {
		var err error
		if pe, err = r.w.Processor(who); err != nil {
			return 0, err
		}
		r.pes[key] = pe
		r.w.Begin(r.stream, pe, 0)
	}
	return pe, nil
}

// stack returns the calling context of a stack, whose innermost frame is the first.
func (r *reader) stack(e *element) uint32 {
	context, ok := r.stacks[e]
	if ok {
		return context
	}
	depth := 0
	for _, f := range slices.Backward(e.children) {
		if f.kind != "frame" {
			continue
		}
		if depth++; depth > mostFrames {
			r.w.Dropped.Add("frames beyond the stack depth limit", 1)
			continue
		}
		context = r.w.Call(context, r.frame(f))
	}
	r.stacks[e] = context
	return context
}

// frame returns the dictionary entries of a frame.
func (r *reader) frame(e *element) []uint32 {
	codes, ok := r.frames[e]
	if ok {
		return codes
	}
	line := profile.Line{Function: e.attr["name"]}
	if strings.HasPrefix(line.Function, "0x") {
		line.Function = ""
	}
	var m *profile.Module
	if b := e.child("binary"); b != nil {
		m = &profile.Module{Path: cmp.Or(b.attr["path"], b.attr["name"]), BuildID: strings.ToLower(strings.ReplaceAll(b.attr["UUID"], "-", ""))}
	}
	if s := e.child("source"); s != nil {
		n, err := strconv.ParseInt(s.attr["line"], 10, 32)
		if p := s.child("path"); p != nil && err == nil && n > 0 {
			line.File, line.Line = p.text, int32(n)
		}
	}
	codes = r.w.Frames(profile.Place{Module: m, Lines: []profile.Line{line}})
	r.frames[e] = codes
	return codes
}
