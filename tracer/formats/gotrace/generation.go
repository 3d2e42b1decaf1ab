package gotrace

import (
	"errors"
	"fmt"
	"io"

	"whorl/internal/figures"
)

// next reads a generation. It returns false if there are no more.
func (r *reader) next() bool {
	g, f := &r.gen, &r.file
	g.reset()
	if f.ahead.ok {
		f.ahead.ok = false
		r.add(&f.ahead.head, append(g.memory.bytes(len(f.ahead.data))[:0], f.ahead.data...))
	}
	for f.end == nil {
		h, ok := f.header()
		switch {
		case !ok:
		case h.kind == endOfGeneration:
			if g.number != 0 {
				return true
			}
		case g.number != 0 && h.generation != g.number:
			if f.ahead.head, f.ahead.data = h, f.data(&h, make([]byte, h.size)); f.version >= 26 {
				r.w.Dropped.Add("generations without an end", 1)
			}
			f.ahead.ok = true
			return true
		default:
			r.add(&h, f.data(&h, g.memory.bytes(int(h.size))))
		}
	}
	if g.number != 0 && f.version >= 26 && errors.Is(f.end, io.EOF) {
		f.end = errCut
	}
	return g.number != 0
}

// mostGeneration bounds the bytes of a generation, which is in memory as a whole. The runtime writes one generation in about a second.
const mostGeneration = 1 << 30

// add adds a batch to the generation, by its contents.
func (r *reader) add(h *header, data []byte) {
	g := &r.gen
	if g.number == 0 {
		g.number = h.generation
	}
	if g.size += len(data); g.size > mostGeneration {
		r.file.end = fmt.Errorf("a generation has more than %s", figures.Size(mostGeneration))
	}
	if h.kind == experimentalBatch {
		r.w.Dropped.Add("blocks of experiments", 1)
		return
	}
	if len(data) == 0 {
		return
	}
	if !g.timed || h.time < g.first {
		g.timed, g.first = true, h.time
	}
	b := batch{h.time, data}
	switch record(data[0]) {
	case strings_:
		g.strings = append(g.strings, b)
	case stacks:
		g.stacks = append(g.stacks, b)
	case cpuSamples:
		g.samples = append(g.samples, b)
	case frequency:
		r.clock(h.time, data)
	case sync_:
		r.clock(h.time, data[1:])
	default:
		th := r.thread(h.thread)
		if th == nil {
			return
		}
		if len(th.batches) == 0 {
			g.order = append(g.order, th)
		} else if h.time < th.batches[len(th.batches)-1].time {
			r.w.Dropped.Add("blocks back in time", 1)
		}
		th.batches = append(th.batches, b)
	}
}

// clock reads the frequency of the clock and its reading.
func (r *reader) clock(at uint64, data []byte) {
	m := message{rest: data}
	for len(m.rest) > 0 {
		switch m.record() {
		case frequency:
			r.gen.freq = m.number()
		case clockSnapshot:
			at += m.number()
			m.number() // the monotonic clock
			sec, nsec := m.number(), m.number()
			if !m.bad && sec < 1<<33 && nsec < 1e9 {
				r.gen.wall, r.gen.wallAt = int64(sec)*1e9+int64(nsec), at
			}
		default:
			m.bad, m.rest = true, nil
		}
	}
	if m.bad {
		r.w.Dropped.Add("readings of the clock damaged", 1)
	}
}

// usualFrequency is the frequency of most traces, whose clock counts steps of 64 ns.
const usualFrequency = 1e9 / 64

// A clock converts the times of a generation to ns since the beginning of the trace.
type clock struct {
	begun bool
	from  uint64  // a time
	base  int64   // the same in ns
	whole int64   // ns in a unit of time, if that is a whole number
	most  int64   // longest time after from that whole is used for, 0 if it is not a whole number
	scale float64 // ns in a unit of time
	freq  uint64
}

// begin sets the clock for a generation.
func (c *clock) begin(g *generation) {
	if c.begun {
		c.base = c.ns(g.first)
	}
	c.from, c.begun = g.first, true
	if c.freq = g.freq; c.freq == 0 || c.freq > 1e12 {
		c.freq = usualFrequency
	}
	c.scale, c.whole, c.most = 1e9/float64(c.freq), 0, 0
	if 1_000_000_000%c.freq == 0 {
		c.whole = int64(1_000_000_000 / c.freq)
		c.most = farthest / c.whole
	}
}

// farthest bounds the time between two events of a generation.
const farthest = 1 << 60

func (c *clock) ns(t uint64) int64 {
	d := int64(t - c.from)
	if d <= c.most && d >= -c.most {
		return c.base + d*c.whole
	}
	return c.base + int64(max(-farthest, min(farthest, float64(d)*c.scale)))
}

// begin prepares the tables and the clock of the generation that was read.
func (r *reader) begin() {
	g := &r.gen
	if g.freq == 0 {
		g.freq = r.clocks.freq // that of the generation before
		r.w.Dropped.Once(fmt.Sprintf("the frequency of the clock in generation %d", g.number))
	}
	if !g.timed {
		g.first = r.clocks.from
	}
	r.clocks.begin(g)
	if g.wall != 0 && r.began == 0 {
		r.began = g.wall - r.clocks.ns(g.wallAt)
	}
	r.readStrings()
	r.readStacks()
	r.readSamples()
	r.look()
}
