// Package pprof reads profiles of pprof: the message Profile of github.com/google/pprof/proto/profile.proto, packed or not, and the older forms
// of gperftools and Go. A file is a process, and each of them a processor of the trace; a label of the samples may stand for it instead.
//
// The tables of a file are read as far as they go, with ids that lead nowhere or are there twice, and what is lost by that is counted: profiles
// are looked at when something went wrong. The older forms are read by the library of pprof itself.
package pprof

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// A File is the profile of a process.
type File = profile.File

// Read reads profiles into rec, a stream for each, in this order; it does not close rec. Every kind of value is a metric. A profile does not say
// when its samples were taken: they are at its end, and each profile begins at 0. Only one file is in memory at a time. An error names the file;
// what came before it has been recorded.
func Read(files []File, rec tracer.Recorder, o profile.Options) error {
	r := reader{w: profile.NewWriter(rec, o), rec: rec, labels: map[string]int64{}}
	if o.Processor != "process" && o.Processor != "file" {
		r.label = o.Processor
	}
	r.w.Meta = tracer.Meta{Substrate: "pprof", Clock: tracer.Aligned}
	err := r.files(files)
	if err == nil && r.label != "" && r.labels[r.label] == 0 {
		err = r.noLabel()
	}
	if len(files) == 1 && r.t.began > 0 {
		r.w.Meta.Extra = append(r.w.Meta.Extra, tracer.KV{Key: "recorded", Value: time.Unix(0, r.t.began).UTC().Format(time.RFC3339)})
	}
	for _, name := range slices.Sorted(maps.Keys(r.labels)) {
		r.w.Meta.Extra = append(r.w.Meta.Extra, tracer.KV{Key: "label", Value: name})
	}
	r.w.Finish()
	return err
}

func (r *reader) files(files []File) error {
	for i := range files {
		if err := r.file(&files[i]); err != nil {
			return &profile.FileError{Name: files[i].Name, Err: err}
		}
	}
	return nil
}

// A reader reads one file after the other.
type reader struct {
	w      *profile.Writer
	rec    tracer.Recorder
	label  string           // that stands for the processor, "" for none
	labels map[string]int64 // samples that have it, by name

	t       tables // of the file in hand
	stream  *tracer.Stream
	metrics []uint32
	wanted  map[uint64]bool  // strings that are the label's name
	pes     map[string]int32 // by the value of the label
	keys    map[uint64]int64 // of labels
	s       sample
	values  int    // of the file, that were recorded
	nowhere uint32 // the context of samples without a stack
}

// A sample is one as it stands in the file.
type sample struct {
	places, values []uint64
	labels         [][]byte
}

func (r *reader) file(f *File) error {
	data, cut, err := unpack(f.R, mostText)
	if err != nil {
		return err
	}
	r.t = tables{}
	if err := r.t.read(data); err != nil {
		return err
	}
	t := &r.t
	if len(t.types) == 0 && t.samples == 0 {
		return errors.New("it is no profile: no kinds of values and no samples")
	}
	if cut || t.cut {
		r.w.Dropped.Once(f.Name + " ends too early, or is damaged")
	}
	if r.w.Meta.Program == "" && len(t.modules) > 0 {
		r.w.Meta.Program = t.modules[0].Name()
	}
	for _, c := range t.comments {
		r.w.Meta.Extra = append(r.w.Meta.Extra, tracer.KV{Key: "comment", Value: c})
	}
	r.metrics = r.metrics[:0]
	for _, v := range t.types {
		r.metrics = append(r.metrics, r.w.Metric(v.name, v.unit))
	}
	slices.SortStableFunc(t.order, func(a, b *location) int { // so that instructions are numbered by address
		return cmp.Or(cmp.Compare(a.module, b.module), cmp.Compare(a.address, b.address))
	})
	malformed := t.malformed
	r.stream = r.rec.Stream(tracer.StreamInfo{Name: cmp.Or(f.Process, f.Name)})
	if err := r.processors(f, data); err != nil {
		return err
	}
	t.starts()
	r.each(data, func() {
		if len(r.s.places) > 0 {
			if l := t.location.at(r.s.places[0]); l != nil {
				l.leaf = true
			}
		}
	})
	t.malformed = malformed // which is counted when samples are recorded
	for _, l := range t.order {
		l.frames = r.frames(l)
	}
	r.keys, r.values = map[uint64]int64{}, 0
	r.each(data, r.record)
	for key, n := range r.keys {
		r.labels[t.string(key)] += n
	}
	if r.stream != nil {
		r.stream.Sync()
	}
	r.count()
	return nil
}

// count says what was dropped of the file.
func (r *reader) count() {
	d, t := &r.w.Dropped, &r.t
	d.Add("names missing from the table of strings", t.lostNames-t.lostTypes)
	d.Add("kinds of values without a name", t.lostTypes)
	d.Add("entries with no id, or with that of another one", t.twice)
	d.Add("entries cut short or damaged", t.malformed)
}

// each calls f with each sample.
func (r *reader) each(data []byte, f func()) {
	m := message{rest: data}
	for m.next() {
		if m.number != 2 || !m.packed {
			continue
		}
		s := &r.s
		s.places, s.values, s.labels = s.places[:0], s.values[:0], s.labels[:0]
		in := message{rest: m.bytes}
		for in.next() {
			switch in.number {
			case 1:
				s.places = in.numbers(s.places)
			case 2:
				s.values = in.numbers(s.values)
			case 3:
				s.labels = append(s.labels, in.bytes)
			}
		}
		if in.bad {
			r.t.malformed++
		}
		f()
	}
}

// processors numbers the processors of the file.
func (r *reader) processors(f *File, data []byte) error {
	r.pes = map[string]int32{}
	if r.label == "" {
		return r.processor(f, "")
	}
	r.wanted = map[uint64]bool{}
	for i, s := range r.t.text {
		if string(s) == r.label {
			r.wanted[uint64(i)] = true
		}
	}
	values := map[string]bool{}
	r.each(data, func() { values[r.value()] = true })
	for _, v := range slices.SortedFunc(maps.Keys(values), profile.Natural) {
		if err := r.processor(f, v); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) processor(f *File, value string) error {
	p := tracer.PE{Host: f.Host, Process: cmp.Or(f.Process, f.Name)}
	if r.label != "" {
		p.Thread = cmp.Or(value, "no "+r.label)
	}
	pe, err := r.w.Processor(p)
	if err != nil {
		return err
	}
	r.pes[value] = pe
	r.w.Begin(r.stream, pe, 0)
	return nil
}

// value is the value of the label that stands for the processor, in the sample at hand.
func (r *reader) value() string {
	for _, b := range r.s.labels {
		key, text, number := label(b)
		switch {
		case !r.wanted[key]:
		case text != 0:
			return r.t.string(text)
		default:
			return strconv.FormatInt(number, 10)
		}
	}
	return ""
}

func label(b []byte) (key, text uint64, number int64) {
	m := message{rest: b}
	for m.next() {
		switch m.number {
		case 1:
			key = m.value
		case 2:
			text = m.value
		case 3:
			number = int64(m.value)
		}
	}
	return key, text, number
}

// record records the sample at hand.
func (r *reader) record() {
	s, d := &r.s, &r.w.Dropped
	pe := r.pes[""]
	if r.label != "" {
		pe = r.pes[r.value()]
	}
	for _, b := range s.labels {
		key, _, _ := label(b)
		r.keys[key]++
	}
	if len(s.values) != len(r.metrics) {
		d.Add("samples with more or fewer values than there are kinds", 1)
	}
	context := r.context()
	for i := range min(len(s.values), len(r.metrics)) {
		v := int64(s.values[i])
		if v == 0 {
			continue
		}
		if r.values++; r.values > mostValues {
			d.Add("values beyond the most that are read of a file", 1)
		} else {
			r.w.Sample(r.stream, max(r.t.lasted, 0), pe, context, r.metrics[i], v)
		}
	}
}

// context is the calling context of the sample at hand.
func (r *reader) context() (context uint32) {
	s, d := &r.s, &r.w.Dropped
	if len(s.places) > mostFrames {
		d.Add("frames of stacks that are too deep", int64(len(s.places)-mostFrames))
		s.places = s.places[:mostFrames]
	}
	for i := len(s.places) - 1; i >= 0; i-- {
		l := r.t.location.at(s.places[i])
		if l == nil {
			d.Add("frames of stacks whose place is not in the table", 1)
			continue
		}
		if l.noModule {
			d.Add("frames whose module is not in the table", 1)
		}
		if l.noFunction > 0 {
			d.Add("frames whose function is not in the table", 1)
		}
		context = r.w.Call(context, l.frames)
	}
	if context != 0 {
		return context
	}
	if len(s.places) == 0 {
		d.Add("samples without a stack", 1)
	}
	if r.nowhere == 0 {
		r.nowhere = r.w.Call(0, r.w.Frames(profile.Place{}))
	}
	return r.nowhere
}

// frames are the entries of a location.
func (r *reader) frames(l *location) []uint32 {
	t := &r.t
	p := profile.Place{Address: l.address, Leaf: l.leaf}
	if i, ok := t.module[l.module]; ok {
		p.Module = &t.modules[i]
	} else {
		l.noModule = l.module != 0
	}
	for _, raw := range l.lines {
		line, ok := t.function[raw.function]
		if !ok {
			l.noFunction++
			continue
		}
		line.Line, line.Column = lineNumber(raw.line), lineNumber(raw.column)
		p.Lines = append(p.Lines, line)
	}
	return r.w.Frames(p)
}

// noLabel says which labels there are.
func (r *reader) noLabel() error {
	known := slices.Sorted(maps.Keys(r.labels))
	if len(known) == 0 {
		return fmt.Errorf("no sample has the label %q, or any other", r.label)
	}
	text := fmt.Sprintf("no sample has the label %q; there are %s", r.label, strings.Join(known[:min(len(known), 20)], " "))
	if near := nearest.Names(r.label, known); len(near) > 0 {
		text += "; did you mean " + near[0] + "?"
	}
	return errors.New(text)
}
