package lineprofile

import (
	"cmp"
	"math"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
)

// A reader counts the events of a trace.
type reader struct {
	pes      int // of the machine, 0 if the trace does not state it
	seen     int // the largest PE seen plus 1
	dict     *tracer.Dict
	codes    int // size of the dictionary when it was last read
	contexts int
	series   []*counter
	dropped  int64
	from, to int64
	any      bool
}

// A series holds the events of one kind and, for samples, of one metric.
type series struct {
	kind  tracer.Kind
	code  uint32
	time  []int64  // time of each event, ns
	mixed bool     // time does not ascend
	cell  []uint32 // cell of each event
	value []uint32 // value of each event, nil if all are 1
	large []large  // values beyond uint32, by event
	site  []uint32 // of each cell: a context for samples, a code for other kinds
	pe    []int32  // of each cell
	count []int64  // of each cell: number of events
	sum   []int64  // of each cell: sum of values; nil if it equals count
}

type large struct {
	event int
	value int64
}

// A counter fills a series. The cells of a site are found by blocks of PEs.
type counter struct {
	series
	blocks [][]*[blockPEs]uint32 // by site, then by block: cell + 1
}

const blockPEs = 32

// count adds an event.
func (r *reader) count(e *tracer.Event) {
	site, code := uint64(e.Code), uint32(0)
	if e.Kind == tracer.Sample {
		site, code = e.Ref, e.Code
	}
	if site == 0 || !r.known(site, e.Kind == tracer.Sample) || !bounds.OnMachine(r.pes, e.PE) {
		r.dropped++
		return
	}
	if !r.any {
		r.from, r.to, r.any = e.Time, e.Time, true
	}
	r.from, r.to = min(r.from, e.Time), max(r.to, e.Time)
	r.seen = max(r.seen, int(e.PE)+1)
	value := e.Value
	if e.Kind == tracer.Suspend || e.Kind == tracer.Start {
		value = 1
	}
	r.counter(e.Kind, code).add(uint32(site), e.PE, e.Time, value)
}

// known reports whether the dictionary has a context or a code.
func (r *reader) known(site uint64, context bool) bool {
	n := &r.codes
	if context {
		n = &r.contexts
	}
	if site >= uint64(*n) {
		r.codes, r.contexts = len(r.dict.Codes()), len(r.dict.Contexts())
	}
	return site < uint64(*n)
}

// counter returns the counter of a kind and a metric. It searches a list, because there are few counters.
func (r *reader) counter(kind tracer.Kind, code uint32) *counter {
	for _, c := range r.series {
		if c.kind == kind && c.code == code {
			return c
		}
	}
	c := &counter{series: series{kind: kind, code: code}}
	r.series = append(r.series, c)
	return c
}

func (c *counter) add(site uint32, pe int32, at, value int64) {
	if n := int(site) + 1 - len(c.blocks); n > 0 {
		c.blocks = append(c.blocks, make([][]*[blockPEs]uint32, n)...)
	}
	blocks := c.blocks[site]
	b := int(pe / blockPEs)
	if n := b + 1 - len(blocks); n > 0 {
		blocks = append(blocks, make([]*[blockPEs]uint32, n)...)
		c.blocks[site] = blocks
	}
	if blocks[b] == nil {
		blocks[b] = new([blockPEs]uint32)
	}
	slot := &blocks[b][pe%blockPEs]
	if *slot == 0 {
		c.site, c.pe, c.count = append(c.site, site), append(c.pe, pe), append(c.count, 0)
		if c.sum != nil {
			c.sum = append(c.sum, 0)
		}
		*slot = uint32(len(c.site))
	}
	k := *slot - 1
	if value != 1 && c.sum == nil {
		c.sum = slices.Clone(c.count)
		c.value = slices.Repeat([]uint32{1}, len(c.time))
	}
	if c.sum != nil {
		c.sum[k] += value
		small := uint32(value)
		if int64(small) != value || small == math.MaxUint32 {
			c.large = append(c.large, large{len(c.time), value})
			small = math.MaxUint32
		}
		c.value = append(c.value, small)
	}
	c.count[k]++
	if n := len(c.time); n > 0 && at < c.time[n-1] {
		c.mixed = true
	}
	c.time, c.cell = append(c.time, at), append(c.cell, k)
}

// profile returns the profile of the events so far.
func (r *reader) profile(src tracer.Source) *Profile {
	p := &Profile{PEs: max(r.pes, r.seen), Dropped: r.dropped, From: r.from, To: r.to, codes: src.Dict().Codes(), contexts: src.Dict().Contexts()}
	for _, c := range r.series {
		s := c.series // its lists only grow, except for the sums
		s.count, s.sum = slices.Clone(s.count), slices.Clone(s.sum)
		p.series = append(p.series, s)
	}
	slices.SortFunc(p.series, compareSeries)
	p.Stacks = slices.ContainsFunc(p.series, func(s series) bool {
		return s.kind == tracer.Sample && slices.ContainsFunc(s.site, func(c uint32) bool { return p.contexts[c].Parent != 0 })
	})
	for i := range p.series {
		p.Metrics = append(p.Metrics, p.series[i].metrics(i, p.codes)...)
	}
	p.locate(src)
	return p
}

// valueOf returns the value of an event.
func (s *series) valueOf(i int) int64 {
	if s.value == nil {
		return 1
	}
	if s.value[i] < math.MaxUint32 {
		return int64(s.value[i])
	}
	k, _ := slices.BinarySearchFunc(s.large, i, func(l large, i int) int { return cmp.Compare(l.event, i) })
	return s.large[k].value
}

// byPE returns the cells ordered by PE.
func (s *series) byPE(pes int) []int32 {
	begins := make([]int32, pes+1)
	for _, pe := range s.pe {
		begins[pe+1]++
	}
	for k := range pes {
		begins[k+1] += begins[k]
	}
	cells := make([]int32, len(s.pe))
	for k, pe := range s.pe {
		cells[begins[pe]] = int32(k)
		begins[pe]++
	}
	return cells
}
