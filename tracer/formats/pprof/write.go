//go:build !js

package pprof

import (
	"cmp"
	"io"
	"time"

	library "github.com/google/pprof/profile"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Write writes the samples of a trace, added up by processor, stack and labels. Each metric is a kind of value, and the first one is the default. If several
// processors have samples, labels name the host, the process and the thread of each, and the label processor has a name of its own for each.
func Write(w io.Writer, src tracer.Source) error {
	s, err := profile.Sum(src, profile.LineOf)
	if err != nil {
		return err
	}
	o := writer{Sums: s, dict: src.Dict(), functions: map[library.Function]*library.Function{}, places: map[uint32]*library.Location{}}
	o.head()
	labels := o.labels()
	stacks := make([][]*library.Location, len(s.Stacks))
	for i := range s.Cells {
		c := &s.Cells[i]
		if stacks[c.Stack] == nil {
			for at := c.Stack; at != 0; at = s.Stacks[at].Caller {
				stacks[c.Stack] = append(stacks[c.Stack], o.place(s.Stacks[at].Code))
			}
		}
		values := make([]int64, len(c.Values))
		for m, v := range c.Values {
			values[m] = profile.Multiplied(v, o.scales[m])
		}
		sample := &library.Sample{Location: stacks[c.Stack], Value: values, Label: labels[c.PE]}
		o.label(sample, o.dict.Labels(&tracer.Event{Kind: tracer.Sample, Peer: c.Labels}))
		o.p.Sample = append(o.p.Sample, sample)
	}
	return o.p.Write(w)
}

type writer struct {
	*profile.Sums
	dict      *tracer.Dict
	p         library.Profile
	scales    []float64 // factors of the values, by metric
	functions map[library.Function]*library.Function
	places    map[uint32]*library.Location // by code
}

// head writes what describes the profile.
func (o *writer) head() {
	for i := range o.Metrics {
		unit, scale := profile.UnitOf(&o.Metrics[i])
		o.p.SampleType = append(o.p.SampleType, &library.ValueType{Type: o.Metrics[i].Name, Unit: unit})
		o.scales = append(o.scales, scale)
	}
	o.p.DefaultSampleType = o.Metrics[0].Name
	o.p.DurationNanos = max(o.Last, 0)
	if o.Meta.Program != "" {
		o.p.Mapping = []*library.Mapping{{ID: 1, File: o.Meta.Program, HasFunctions: true, HasFilenames: true, HasLineNumbers: true, HasInlineFrames: true}}
	}
	for _, kv := range o.Meta.Extra {
		switch kv.Key {
		case "comment":
			o.p.Comments = append(o.p.Comments, kv.Value)
		case "recorded":
			if at, err := time.Parse(time.RFC3339Nano, kv.Value); err == nil {
				o.p.TimeNanos = at.UnixNano()
			}
		}
	}
}

// labels returns the labels of the samples by processor.
func (o *writer) labels() map[int32]map[string][]string {
	all := map[int32]map[string][]string{}
	if len(o.PEs) < 2 {
		return all
	}
	names := o.Unique()
	for i, pe := range o.PEs {
		p := o.PE(pe)
		l := map[string][]string{"processor": {names[i]}}
		for _, kv := range []tracer.KV{{Key: "host", Value: p.Host}, {Key: "process", Value: p.Process}, {Key: "thread", Value: p.Thread}} {
			if kv.Value != "" {
				l[kv.Key] = []string{kv.Value}
			}
		}
		all[pe] = l
	}
	return all
}

// label gives a sample its own labels. They take the place of those that name its processor.
func (o *writer) label(s *library.Sample, codes []uint32) {
	if len(codes) == 0 {
		return
	}
	names := s.Label
	s.Label = map[string][]string{}
	for _, code := range codes {
		switch v, _ := o.dict.LabelValue(code); {
		case !v.Numeric:
			s.Label[v.Key] = append(s.Label[v.Key], v.Text)
		case s.NumLabel == nil:
			s.NumLabel, s.NumUnit = map[string][]int64{}, map[string][]string{}
			fallthrough
		default:
			s.NumLabel[v.Key] = append(s.NumLabel[v.Key], v.Number)
			s.NumUnit[v.Key] = append(s.NumUnit[v.Key], v.Unit)
		}
	}
	for key, values := range names {
		if s.Label[key] == nil && s.NumLabel[key] == nil {
			s.Label[key] = values
		}
	}
}

// place returns the location of a function or a line. A line in another file than its function, such as a header, has a function of its own.
func (o *writer) place(code uint32) *library.Location {
	if l, ok := o.places[code]; ok {
		return l
	}
	c, owner := o.Codes[code], o.Codes[profile.OwnerOf(o.Codes, code)]
	name := o.Name(code)
	key := library.Function{Name: name, SystemName: name, Filename: cmp.Or(c.File, owner.File), StartLine: int64(owner.Line)}
	line := library.Line{}
	if c.Type == tracer.Line {
		line.Line, line.Column = int64(c.Line), int64(c.Column)
		if key.Filename != owner.File {
			key.StartLine = 0
		}
	}
	f, ok := o.functions[key]
	if !ok {
		of := key
		of.ID = uint64(len(o.p.Function)) + 1
		f = &of
		o.functions[key] = f
		o.p.Function = append(o.p.Function, f)
	}
	line.Function = f
	l := &library.Location{ID: uint64(len(o.p.Location)) + 1, Line: []library.Line{line}}
	o.places[code] = l
	o.p.Location = append(o.p.Location, l)
	return l
}
