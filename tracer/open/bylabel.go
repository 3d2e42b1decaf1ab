package open

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"whorl/tracer"
	"whorl/tracer/derive/labels"
	"whorl/tracer/formats/profile"
)

// byLabel returns a trace with a processor for each value of a label. It reports false if o asks for anything else or the samples have no labels.
func (o *Options) byLabel(t *Trace) (*Trace, bool, error) {
	if o.Processor == "" || o.Merge != "" || len(o.Binaries)+len(o.Sources) > 0 || o.Program != nil || len(t.Dict().LabelKeys()) == 0 {
		return t, false, nil
	}
	m := tracer.NewMemory()
	if err := recordByLabel(m, t, o.Processor); err != nil {
		return t, true, fmt.Errorf("%s: %w", t.Path, err)
	}
	by, err := inMemory(t.Path, m)
	by.Missing = t.Missing
	return by, true, errors.Join(err, t.Close())
}

// A part of a PE is its samples with one value of a label, "" for those without the label.
type part struct {
	pe    int32
	value string
}

// recordByLabel records a trace of samples with a processor for each value of a label on each PE, in natural order. Events other than samples belong to
// all processors of their PE.
func recordByLabel(rec tracer.Recorder, t *Trace, key string) error {
	d := t.Dict()
	if _, err := labels.Parse(labels.Query{Root: key}, d); err != nil {
		return err
	}
	values := map[int32]string{} // by the labels of samples
	of := func(e *tracer.Event) part {
		value, ok := values[e.Peer]
		if !ok {
			for _, code := range slices.Backward(d.Labels(e)) { // the first of several values
				if v, _ := d.LabelValue(code); v.Key == key {
					value = v.Text
					if v.Numeric {
						value = strconv.FormatInt(v.Number, 10)
					}
				}
			}
			values[e.Peer] = value
		}
		return part{e.PE, value}
	}
	known := map[part]int32{}
	meta := t.Meta()
	has := make([]bool, meta.PEs)
	err := t.ScanStreams(tracer.AllKinds, func(_ int, es []tracer.Event) error {
		for i := range es {
			switch e := &es[i]; {
			case e.PE < 0 || int(e.PE) >= meta.PEs:
			case e.Kind == tracer.Sample:
				known[of(e)], has[e.PE] = 0, true
			case e.Kind != tracer.Init && e.Kind != tracer.Exit:
				return errors.New("a label becomes processors only in a trace of samples alone")
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	var parts []part
	for p := range known {
		parts = append(parts, p)
	}
	for pe := range has {
		if !has[pe] {
			parts = append(parts, part{pe: int32(pe)})
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(a.pe, b.pe), profile.Natural(a.value, b.value)) })
	first := make([]int, meta.PEs+1)
	info := make([]tracer.PE, len(parts))
	for k, p := range parts {
		known[p] = int32(k)
		first[p.pe+1] = k + 1
		if int(p.pe) < len(meta.PEInfo) {
			info[k] = meta.PEInfo[p.pe]
		}
		info[k].Thread, info[k].Coords = cmp.Or(p.value, "no "+key), nil
	}
	for k := 1; k < len(first); k++ {
		first[k] = max(first[k], first[k-1])
	}
	meta.PEs, meta.PEInfo = len(parts), info
	return copyByLabel(rec, t, meta, func(e *tracer.Event, record func(pe int32)) {
		switch {
		case e.PE < 0 || int(e.PE) >= len(has):
			record(e.PE)
		case e.Kind == tracer.Sample:
			record(known[of(e)])
		default:
			for k := first[e.PE]; k < first[e.PE+1]; k++ {
				record(int32(k))
			}
		}
	})
}

// copyByLabel records a trace with the PEs of each event.
func copyByLabel(rec tracer.Recorder, t *Trace, meta tracer.Meta, pes func(e *tracer.Event, record func(pe int32))) error {
	rec.SetMeta(meta)
	for _, c := range t.Dict().Codes()[1:] {
		rec.Dict().Add(c)
	}
	for _, c := range t.Dict().Contexts()[1:] {
		rec.Dict().AddContext(c)
	}
	var streams []*tracer.Stream
	for _, info := range t.Streams() {
		streams = append(streams, rec.Stream(info))
	}
	err := t.ScanStreams(tracer.AllKinds, func(stream int, es []tracer.Event) error {
		for i := range es {
			pes(&es[i], func(pe int32) {
				e := es[i]
				e.PE = pe
				*streams[stream].Slot() = e
			})
		}
		return nil
	})
	for _, s := range streams {
		s.Sync()
	}
	return err
}
