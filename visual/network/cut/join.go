package cut

import (
	"fmt"
	"slices"

	"whorl/tracer"
)

// Join returns the trace of several runs side by side: the PEs of each run follow those of the run before it, and the tasks too. Each run begins
// at time 0.
func Join(traces []tracer.Source, tick Tick) (tracer.StreamSource, error) {
	c := newCopier()
	var meta tracer.Meta
	var total, done int64
	for _, src := range traces {
		total += 2 * events(src)
	}
	pes, tasks := int32(0), uint64(0)
	for i, src := range traces {
		m := src.Meta()
		if i == 0 {
			meta = m
			meta.PEInfo, meta.Source, meta.PEs, meta.Network = nil, nil, 0, ""
		} else {
			for _, f := range []struct {
				all *string
				one string
			}{{&meta.Program, m.Program}, {&meta.Policy, m.Policy}, {&meta.Machine, m.Machine}, {&meta.Goal, m.Goal}} {
				if *f.all != f.one {
					*f.all += " + " + f.one
				}
			}
		}
		if _, separate := tracer.ProcessTimes(src); separate {
			return nil, fmt.Errorf("the clocks of the processes of trace %d cannot be compared, so it cannot be merged", i+1)
		}
		for _, s := range m.Source {
			if !slices.Contains(meta.Source, s) {
				meta.Source = append(meta.Source, s)
			}
		}
		code, context := c.tables(src.Dict())
		begin, most, last := len(c.streams), int32(m.PEs)-1, uint64(0)
		c.begin(src)
		first, _ := src.Span()
		err := scan(src, tick, done, total, func(_ int, _ int64, e *tracer.Event) {
			most, last = max(most, e.PE), max(last, e.Task)
			if e.Kind != tracer.Sample {
				most, last = max(most, e.Peer), max(last, e.Ref)
			}
		})
		if err != nil {
			return nil, err
		}
		done += events(src)
		if uint64(pes)+uint64(most)+1 > maxPEs || last > 1<<62 || tasks > 1<<62 {
			return nil, fmt.Errorf("the merged traces have more PEs or tasks than a trace can hold")
		}
		err = scan(src, tick, done, total, func(stream int, _ int64, e *tracer.Event) {
			out := *e
			out.Time -= first
			if out.PE >= 0 {
				out.PE += pes
			}
			if out.Peer >= 0 && out.Kind != tracer.Sample {
				out.Peer += pes
			}
			if out.Task != 0 {
				out.Task += tasks
			}
			if out.Ref != 0 && out.Kind != tracer.Sample {
				out.Ref += tasks
			}
			record(c.streams[begin+stream], out, code, context)
		})
		if err != nil {
			return nil, err
		}
		done += events(src)
		for pe := range most + 1 {
			var info tracer.PE
			if int(pe) < len(m.PEInfo) {
				info = m.PEInfo[pe]
				info.Coords = nil
			}
			meta.PEInfo = append(meta.PEInfo, info)
		}
		pes, tasks = pes+most+1, tasks+last
		meta.PEs = int(pes)
	}
	c.w.SetMeta(meta)
	return c.finish()
}

// maxPEs is the largest number of PEs of a merged trace.
const maxPEs = 1 << 20
