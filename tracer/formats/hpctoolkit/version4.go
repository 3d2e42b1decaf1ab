//go:build !js

package hpctoolkit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"whorl/tracer"
)

// A thread is a thread of a database.
type thread struct {
	index uint32 // of its profile
	pe    tracer.PE
	order []uint64 // the identifiers of the thread, by which threads are sorted

	values, offset, contexts, indices uint64 // counts and offsets in profile.db
	lines                             []traced
}

// A traced is the byte range of a trace line in trace.db.
type traced struct{ from, to uint64 }

// version4 reads a database of version 4.
func (d *database) version4() error {
	metaFile := d.files["meta"][0]
	m, err := d.meta(metaFile)
	if err != nil {
		return metaFile.failed(err)
	}
	if len(d.files["prof"]) == 0 {
		return metaFile.failed(errors.New("no profile.db: name the folder that holds meta.db and profile.db"))
	}
	d.w.Meta.Program = cmp.Or(d.w.Meta.Program, d.name)
	profiles := d.files["prof"][0]
	threads, err := d.threads(profiles, m)
	if err != nil {
		return profiles.failed(err)
	}
	if len(threads) == 0 {
		d.w.Dropped.Once(profiles.name + " has no profiles")
	}
	began, ended := uint64(0), uint64(0)
	var traces *blob
	if len(d.files["trce"]) > 0 {
		traces = d.files["trce"][0]
		if began, ended, err = d.traces(traces, threads); err != nil {
			d.w.Dropped.Once(fmt.Sprintf("the traces: %v", traces.failed(err)))
			traces = nil
		}
	}
	d.prepare()
	traceMetric := uint32(0)
	if traces != nil {
		traceMetric = d.w.Metric("traced", "ns")
	}
	shared := (*tracer.Stream)(nil)
	for _, t := range threads {
		pe, err := d.w.Processor(t.pe)
		if err != nil {
			return profiles.failed(err)
		}
		stream := shared
		if shared == nil || traces != nil {
			stream = d.w.Rec.Stream(tracer.StreamInfo{Name: cmp.Or(t.pe.Process, d.name)})
			shared = stream
		}
		d.w.Begin(stream, pe, 0)
		last := int64(0)
		if traces != nil {
			if last, err = d.trace(traces, t, began, stream, pe, traceMetric); err != nil {
				d.w.Dropped.Once(fmt.Sprintf("the rest of a trace: %v", traces.failed(err)))
			}
		}
		if err := d.values(profiles, t); err != nil {
			d.w.Dropped.Once(fmt.Sprintf("the values of a profile: %v", profiles.failed(err)))
		}
		d.flush(stream, max(last, int64(min(ended-began, mostValue))), pe)
		stream.Sync()
	}
	return nil
}

// threads lists the threads of profile.db in the order of their identifiers.
func (d *database) threads(b *blob, m *meta) ([]*thread, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	head, err := b.part(0, 0x30)
	if err != nil {
		return nil, err
	}
	info, err := b.part(little.Uint64(head[0x18:]), 13)
	if err != nil {
		return nil, err
	}
	n, size := uint64(little.Uint32(info[8:])), uint64(info[12])
	if n > 0 && size < 0x28 {
		return nil, fmt.Errorf("profiles of %d bytes: expected at least 40", size)
	}
	all, err := b.array(little.Uint64(info), n, size)
	if err != nil {
		return nil, err
	}
	var threads []*thread
	room := uint64(b.size)
	for i := range n {
		p := all[i*size : (i+1)*size]
		tuple := little.Uint64(p[0x20:])
		if tuple == 0 || size >= 0x2c && p[0x28]&1 != 0 {
			continue // sums of several threads
		}
		t := &thread{
			index: uint32(i), values: little.Uint64(p), offset: little.Uint64(p[8:]), contexts: uint64(little.Uint32(p[0x10:])), indices: little.Uint64(p[0x18:]),
		}
		need := min(t.values, room)*10 + t.contexts*12
		if need > room {
			return nil, fmt.Errorf("the values of profile %d exceed the file", i)
		}
		room -= need
		if err := d.identify(b, m, t, tuple); err != nil {
			return nil, err
		}
		threads = append(threads, t)
	}
	slices.SortStableFunc(threads, func(a, b *thread) int { return slices.Compare(a.order, b.order) })
	return threads, nil
}

// identify reads the identifiers of a thread.
func (d *database) identify(b *blob, m *meta, t *thread, at uint64) error {
	count, err := b.part(at, 8)
	if err != nil {
		return err
	}
	n := uint64(little.Uint16(count))
	ids, err := b.array(at+8, n, 16)
	if err != nil {
		return err
	}
	t.pe.Host = d.host
	var thread []string
	for i := range n {
		id := ids[16*i:]
		kind := fmt.Sprintf("kind %d", id[0])
		if int(id[0]) < len(m.kind) {
			kind = m.kind[id[0]]
		}
		number := fmt.Sprint(little.Uint32(id[4:]))
		t.order = append(t.order, uint64(id[0]), uint64(little.Uint32(id[4:])))
		switch kind {
		case "NODE":
			if little.Uint16(id[2:])&1 != 0 {
				number = fmt.Sprintf("%x", little.Uint64(id[8:]))
			}
			t.pe.Host = strings.TrimSpace(d.host + " node " + number)
		case "RANK":
			t.pe.Process = "rank " + number
		case "CORE": // does not identify the thread
		default:
			thread = append(thread, strings.ToLower(kind)+" "+number)
		}
	}
	t.pe.Process = cmp.Or(t.pe.Process, d.name)
	t.pe.Thread = strings.Join(thread, " ")
	return nil
}

// values adds the values of a thread.
func (d *database) values(b *blob, t *thread) error {
	indices, err := b.array(t.indices, t.contexts, 12)
	if err != nil {
		return err
	}
	values, err := b.array(t.offset, t.values, 10)
	if err != nil {
		return err
	}
	for i := range t.contexts {
		id := little.Uint32(indices[12*i:])
		from, to := little.Uint64(indices[12*i+4:]), t.values
		if i+1 < t.contexts {
			to = little.Uint64(indices[12*(i+1)+4:])
		}
		if from > to || to > t.values {
			return fmt.Errorf("context %d has values %d to %d, beyond the %d of its profile", id, from, to, t.values)
		}
		if id == 0 {
			continue // sums of all threads
		}
		node, ok := d.ids[id]
		if !ok {
			d.w.Dropped.Add("contexts missing from meta.db", 1)
			continue
		}
		for k := from; k < to; k++ {
			if metric, ok := d.ofID[little.Uint16(values[10*k:])]; ok {
				d.add(metric, node, math.Float64frombits(little.Uint64(values[10*k+2:])))
			}
		}
	}
	return nil
}

// traces finds the trace lines of trace.db, and the first and the last instant.
func (d *database) traces(b *blob, threads []*thread) (began, ended uint64, err error) {
	if err := b.check(); err != nil {
		return 0, 0, err
	}
	head, err := b.part(0x10, 16)
	if err != nil {
		return 0, 0, err
	}
	section, err := b.part(little.Uint64(head[8:]), 32)
	if err != nil {
		return 0, 0, err
	}
	n, size := uint64(little.Uint32(section[8:])), uint64(section[12])
	if n > 0 && size < 24 {
		return 0, 0, fmt.Errorf("traces of %d bytes: expected at least 24", size)
	}
	all, err := b.array(little.Uint64(section), n, size)
	if err != nil {
		return 0, 0, err
	}
	room := uint64(b.size)
	of := map[uint32]*thread{}
	for _, t := range threads {
		of[t.index] = t
	}
	for i := range n {
		h := all[i*size:]
		t, ok := of[little.Uint32(h)]
		if !ok {
			d.w.Dropped.Add("traces of threads missing from profile.db", 1)
			continue
		}
		from, to := little.Uint64(h[8:]), little.Uint64(h[16:])
		if from > to || to > uint64(b.size) || (to-from)%12 != 0 || to-from > room {
			return 0, 0, fmt.Errorf("trace %d spans offsets %d to %d of a file of %d bytes", i, from, to, b.size)
		}
		room -= to - from
		t.lines = append(t.lines, traced{from, to})
	}
	return little.Uint64(section[16:]), max(little.Uint64(section[24:]), little.Uint64(section[16:])), nil
}

// trace records the time that a thread spent in each context until the next change, and returns the last instant.
func (d *database) trace(b *blob, t *thread, began uint64, s *tracer.Stream, pe int32, metric uint32) (last int64, err error) {
	const chunk = 12 << 14
	running, first := false, true
	var context uint32 // since the last instant; 0 for none
	for _, line := range t.lines {
		for from := line.from; from < line.to; from += chunk {
			part, err := b.part(from, min(chunk, line.to-from))
			if err != nil {
				return last, err
			}
			for ; len(part) > 0; part = part[12:] {
				stamp, id := little.Uint64(part), little.Uint32(part[8:])
				at := last
				if stamp < began || stamp-began > mostValue || int64(stamp-began) < last {
					d.w.Dropped.Add("instants of traces out of order", 1)
				} else {
					at = int64(stamp - began)
				}
				if context != 0 && at > last {
					d.w.Sample(s, last, pe, context, metric, at-last)
				}
				context, last = 0, at
				if node, ok := d.ids[id]; ok && id != 0 {
					context = d.tree.context(d.w, node)
				} else if id != 0 {
					d.w.Dropped.Add("contexts of traces missing from meta.db", 1)
				}
				if d.alone && (first || running != (context != 0)) {
					d.state(s, at, pe, context != 0)
				}
				running, first = context != 0, false
			}
		}
	}
	return last, nil
}

// state records that a processor begins or stops running the program.
func (d *database) state(s *tracer.Stream, at int64, pe int32, running bool) {
	if s == nil {
		return
	}
	e := tracer.Event{Kind: tracer.Busy, Time: at, PE: pe, Peer: tracer.None}
	if !running {
		e.Kind, e.Code = tracer.Idle, d.w.Rec.Dict().Add(tracer.Code{Type: tracer.Reason, Name: tracer.ReasonNotRunning})
	}
	*s.Slot() = e
}
