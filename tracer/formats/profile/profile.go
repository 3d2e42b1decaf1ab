package profile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"whorl/internal/figures"
	"whorl/tracer"
)

// Options control how profiles are read. The zero Options is valid.
type Options struct {
	// Processor selects the processors: "" for the default of the format, the name of a label, or one of the format's own choices.
	Processor string
	// Merge is one of Levels, or "" for none. Processors with the same names down to that level become one.
	Merge string
	// Leaves asks for the innermost place of each stack alone, for numbers that need no callers. A reader may ignore it.
	Leaves bool
	// Binaries finds the binaries of modules; nil for none.
	Binaries Binaries
	// Source returns the text of a source file that a profile names, and false if there is none. It may be nil.
	Source func(name string) (text string, ok bool)
}

// Levels are the values of Options.Merge.
var Levels = []string{"thread", "process", "host"}

// A Module is a program or a library as it was mapped into memory.
type Module struct {
	Path    string // "" if unknown
	BuildID string // in hex, as the profile has it
	Start   uint64 // first mapped address
	Limit   uint64 // end of the mapped addresses
	Offset  uint64 // file offset of Start
}

// Name returns the base name of the module's path, or "" if it has none.
func (m *Module) Name() string {
	if m == nil {
		return ""
	}
	return m.Path[strings.LastIndexByte(m.Path, '/')+1:]
}

// A Line is a line of a function. Unknown fields are zero.
type Line struct {
	Function string
	Start    int32 // the function's first line
	File     string
	Line     int32
	Column   int32
	Home     string // the file of the function, if the line is in another file, such as a header; "" for File
}

// A Place is the position of a stack frame: an address in a module. Inlining may make it a place in several functions.
type Place struct {
	Module  *Module // nil for none
	Address uint64  // at run time; 0 for none
	Symbol  string  // of the symbol table, if the profile gives it beside Lines; "" for none
	Offset  uint64  // of the address from Symbol
	Return  bool    // Address is a return address, just behind the call
	Leaf    bool    // samples were taken here, and not only in callees
	Lines   []Line  // the functions there, the innermost inlined function first
}

// A Writer makes a trace of profiles. It is not safe for concurrent use.
type Writer struct {
	Rec     tracer.Recorder
	Meta    tracer.Meta
	Dropped Dropped
	Sampled int64 // number of calls of Sample

	opts      Options
	dict      *tracer.Dict
	functions map[function]uint32
	found     map[Module]Binary
	units     map[unitKey]*unit
	touched   []*unit
	merged    map[names]int32
	begun     []bool // by processor
}

// NewWriter returns a writer that records into rec, which it does not close.
func NewWriter(rec tracer.Recorder, o Options) *Writer {
	return &Writer{
		Rec: rec, opts: o, dict: rec.Dict(),
		functions: map[function]uint32{}, found: map[Module]Binary{}, units: map[unitKey]*unit{},
		merged: map[names]int32{},
	}
}

// units maps the units of profiles to the units of a trace and the factor between them.
var units = map[string]struct {
	unit  string
	scale float64
}{
	"nanoseconds": {"ns", 1}, "ns": {"ns", 1}, "microseconds": {"ns", 1e3}, "us": {"ns", 1e3}, "milliseconds": {"ns", 1e6}, "ms": {"ns", 1e6},
	"seconds": {"ns", 1e9}, "s": {"ns", 1e9}, "bytes": {"bytes", 1}, "b": {"bytes", 1}, "kilobytes": {"bytes", 1 << 10}, "kb": {"bytes", 1 << 10},
	"megabytes": {"bytes", 1 << 20}, "mb": {"bytes", 1 << 20},
}

// Metric returns the dictionary entry of a metric.
func (w *Writer) Metric(name, unit string) uint32 { return w.Scaled(name, unit, 1) }

// Scaled returns the dictionary entry of a metric that counts multiples of scale units.
func (w *Writer) Scaled(name, unit string, scale float64) uint32 {
	c := tracer.Code{Type: tracer.Metric, Name: name, Unit: unit, Scale: scale}
	if u, ok := units[strings.ToLower(unit)]; ok {
		c.Unit, c.Scale = u.unit, u.scale*scale
	}
	return w.dict.Add(c)
}

// Reason returns the dictionary entry of the reason of a wait or of overhead.
func (w *Writer) Reason(name string) uint32 {
	return w.dict.Add(tracer.Code{Type: tracer.Reason, Name: name})
}

// Name returns the dictionary entry of the name of a mark.
func (w *Writer) Name(name string) uint32 {
	return w.dict.Add(tracer.Code{Type: tracer.Name, Name: name})
}

// MessageClass returns the dictionary entry of a class of messages.
func (w *Writer) MessageClass(name string) uint32 {
	return w.dict.Add(tracer.Code{Type: tracer.MessageClass, Name: name})
}

// Extra adds a fact to the metadata. It ignores an empty value.
func (w *Writer) Extra(key, value string) {
	if value != "" {
		w.Meta.Extra = append(w.Meta.Extra, tracer.KV{Key: key, Value: value})
	}
}

// Recorded adds the Unix time in ns at which the trace begins to the metadata.
func (w *Writer) Recorded(ns int64) {
	w.Extra("recorded", time.Unix(0, ns).UTC().Format(time.RFC3339Nano))
}

// MostProcessors bounds the number of processors, as on the largest machine that traces support.
const MostProcessors = 1 << 20

// MostNames bounds the names of functions of a trace of events. Each takes about 3 KB in the structures that are derived from the trace.
const MostNames = 1 << 17

// OtherName is the name of the functions whose own names are beyond MostNames.
const OtherName = "[other names]"

// names identify a processor.
type names struct{ host, process, thread string }

// Processor returns the number of a processor: a new number, or the number of the processor that it is merged with.
func (w *Writer) Processor(p tracer.PE) (int32, error) {
	switch w.opts.Merge {
	case "host":
		p.Process, p.Thread = "", ""
	case "process":
		p.Thread = ""
	}
	key := names{p.Host, p.Process, p.Thread}
	if pe, ok := w.merged[key]; ok && w.opts.Merge != "" {
		return pe, nil
	}
	if w.Meta.PEs == MostProcessors {
		return 0, fmt.Errorf("more than %d processors", MostProcessors)
	}
	pe := int32(w.Meta.PEs)
	w.merged[key] = pe
	w.Meta.PEInfo = append(w.Meta.PEInfo, p)
	w.Meta.PEs++
	return pe, nil
}

// Frames returns the dictionary entries of a place, the outermost function first. There is at least one.
func (w *Writer) Frames(p Place) []uint32 {
	at := w.locate(&p)
	lines := p.Lines
	if at.binary != nil && (len(lines) == 0 || lines[0].Line <= 0 || !strings.Contains(lines[0].File, "/")) { // perf omits folders
		better := at.binary.Lines(at.inside)
		if len(better) > 0 && (better[0].Line > 0 || len(lines) == 0 && p.Symbol == "") {
			lines = better
		}
	}
	if len(lines) == 0 {
		lines = []Line{{Function: p.Symbol}}
	}
	codes := make([]uint32, 0, len(lines))
	for i := len(lines) - 1; i >= 0; i-- {
		codes = append(codes, w.line(&lines[i], p.Module))
	}
	if at.text != "" {
		last := len(codes) - 1
		codes[last] = w.dict.Add(tracer.Code{Type: tracer.Instruction, Name: at.text, Line: at.index, Parent: codes[last]})
	}
	return codes
}

// line returns the dictionary entry of a line, or of its function if the line is unknown.
func (w *Writer) line(l *Line, m *Module) uint32 {
	key := function{l.Function, cmp.Or(l.Home, l.File)}
	if key.name == "" {
		key.name = "[" + strings.Trim(cmp.Or(m.Name(), "unknown"), "[]") + "]"
	}
	if key.file == "" && m != nil { // the program or library is better than nothing
		key.file = m.Path
	}
	f, ok := w.functions[key]
	if !ok {
		f = w.dict.Add(tracer.Code{Type: tracer.Function, Name: Demangle(key.name), File: key.file, Line: max(l.Start, 0)})
		w.functions[key] = f
	}
	if l.Line <= 0 {
		return f
	}
	return w.dict.Add(tracer.Code{Type: tracer.Line, File: l.File, Line: l.Line, Column: max(l.Column, 0), Parent: f})
}

// A function identifies a function. Its first line is not part of the key, since profiles may omit it.
type function struct{ name, file string }

// Full reports that the number of calling contexts has reached its bound.
func (w *Writer) Full() bool { return len(w.dict.Contexts()) >= mostContexts }

// mostContexts bounds the calling contexts, of about 25 bytes each.
const mostContexts = 1 << 24

// Call returns the calling context in the dictionary of frames, the outermost first, called from the context from; 0 is the root.
func (w *Writer) Call(from uint32, frames []uint32) uint32 {
	context, left := w.dict.AddPath(from, frames, mostContexts)
	if left > 0 {
		w.Dropped.Add("frames beyond the limit of calling contexts", int64(left))
	}
	return context
}

// Labels returns the labels of a sample for Labelled: the entries of labels in their order (tracer.Dict.AddLabel).
func (w *Writer) Labels(codes []uint32) uint32 {
	labels, left := w.dict.AddPath(0, codes, mostContexts)
	if left > 0 {
		w.Dropped.Add("labels beyond the limit of calling contexts", int64(left))
	}
	return labels
}

// Begin records the Init event of a processor at its first call for the processor.
func (w *Writer) Begin(s *tracer.Stream, pe int32, at int64) {
	for int(pe) >= len(w.begun) {
		w.begun = append(w.begun, false)
	}
	if s != nil && !w.begun[pe] {
		w.begun[pe] = true
		*s.Slot() = tracer.Event{Kind: tracer.Init, Time: at, PE: pe, Peer: tracer.None}
	}
}

// Sample records an amount of a metric in a calling context.
func (w *Writer) Sample(s *tracer.Stream, at int64, pe int32, context, metric uint32, amount int64) {
	w.Labelled(s, at, pe, context, 0, metric, amount)
}

// Labelled is Sample with the labels of the sample, 0 for none.
func (w *Writer) Labelled(s *tracer.Stream, at int64, pe int32, context, labels, metric uint32, amount int64) {
	w.Sampled++
	if s == nil {
		return
	}
	e := tracer.Event{Kind: tracer.Sample, Time: at, PE: pe, Peer: tracer.None, Ref: uint64(context), Code: metric, Value: amount}
	if labels != 0 {
		e.Peer = int32(labels)
	}
	*s.Slot() = e
}

// Finish records the metadata, including the sources and a summary of dropped data.
func (w *Writer) Finish() {
	w.sources() // before listings, so that only sampled lines count
	w.listings()
	if s := w.Dropped.String(); s != "" {
		w.Extra(tracer.MissingKey, s)
	}
	w.Rec.SetMeta(w.Meta)
}

// Dropped counts the data of profiles that cannot be recorded, by kind. The zero Dropped is ready to use.
type Dropped struct {
	// File names the file being read; "" if there is only one.
	File string

	kinds  []string
	counts map[string]int64
	in     map[string]places
}

// places are the files with dropped data of one kind.
type places struct {
	first, last string
	more        int
}

// Add counts n dropped items. what describes them and begins with a plural noun ending in s, such as "samples without a stack".
func (d *Dropped) Add(what string, n int64) {
	if n == 0 {
		return
	}
	if d.counts == nil {
		d.counts, d.in = map[string]int64{}, map[string]places{}
	}
	if d.counts[what] == 0 {
		d.kinds = append(d.kinds, what)
		d.in[what] = places{first: d.File, last: d.File}
	}
	d.counts[what] += n
	if in := d.in[what]; in.last != d.File {
		d.in[what] = places{in.first, d.File, in.more + 1}
	}
}

// Unnamed counts a record, one of records in the plural, whose function is called OtherName.
func (d *Dropped) Unnamed(records string) {
	d.Add(records+" with names beyond the first "+figures.Count(MostNames)+", which are shown as "+OtherName, 1)
}

// Empty returns the error for a trace with nothing to show. It begins with a text and lists the dropped data.
func (d *Dropped) Empty(text string) error {
	if dropped := d.String(); dropped != "" {
		text += "; missing: " + dropped
	}
	return errors.New(text)
}

// Once adds a fact without a count. It ignores repetitions.
func (d *Dropped) Once(what string) {
	if !slices.Contains(d.kinds, what) {
		d.kinds = append(d.kinds, what)
	}
}

// singular returns the singular of a noun in the plural.
func singular(plural string) string {
	for _, ending := range [...]struct{ many, one string }{{"ies", "y"}, {"ches", "ch"}, {"sses", "ss"}, {"xes", "x"}} {
		if noun, ok := strings.CutSuffix(plural, ending.many); ok {
			return noun + ending.one
		}
	}
	return strings.TrimSuffix(plural, "s")
}

// String lists the dropped data, or returns "" if there is none.
func (d *Dropped) String() string {
	var b strings.Builder
	for i, what := range d.kinds {
		if i == mostDropped {
			fmt.Fprintf(&b, "; and %d more", len(d.kinds)-i)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		switch n := d.counts[what]; n {
		case 0:
			b.WriteString(what)
		case 1:
			first, rest, _ := strings.Cut(what, " ")
			b.WriteString("1 " + singular(first) + " " + rest)
		default:
			b.WriteString(figures.Count(n) + " " + what)
		}
		if in := d.in[what]; in.first != "" {
			b.WriteString(" in " + in.first)
			if in.more > 0 {
				fmt.Fprintf(&b, " and %d more", in.more)
			}
		}
	}
	return b.String()
}

const mostDropped = 20

// A FileError is an error in one of several files.
type FileError struct {
	Name string
	Err  error
}

func (e *FileError) Error() string { return e.Name + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }
