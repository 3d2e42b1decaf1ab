package callingcontext

import (
	"whorl/tracer"
	"whorl/tracer/derive/onward"
)

// A Log is what was spent when in each context, so that the tree of any time of a run can be had at once. It does not change.
type Log struct {
	read   reader  // what is known of nodes, processes and metrics
	spent  []spent // in the order of the trace
	blocks [][2]int64
	long   bool // the trace has too much: it is read again for each time

	next *onward.State[recorder]
}

// spent is an amount that a process spent at a node.
type spent struct {
	at, value int64
	cell      uint32
	metric    uint16
	lasts     bool // it is a time, from at on
}

// part is what of it is from first to last.
func (s *spent) part(first, last int64) int64 {
	switch {
	case s.at > last:
		return 0
	case !s.lasts:
		if s.at < first {
			return 0
		}
		return s.value
	}
	from, to := max(s.at, first), Plus(s.at, s.value)
	if last < to-1 {
		to = last + 1
	}
	return max(to-from, 0)
}

// mostSpent is of how many events amounts are kept, which take 24 bytes each.
const mostSpent = 1 << 24

// block is how many of them are passed over at once where their times are others.
const block = 1 << 12

// A recorder keeps what is spent.
type recorder struct {
	reader
	spent  []spent
	blocks [][2]int64 // by block: from when to when
}

func (r *recorder) tell(s spent) {
	last := s.at
	if s.lasts {
		last = Plus(last, s.value-1)
	}
	if len(r.spent)%block == 0 {
		r.blocks = append(r.blocks, [2]int64{s.at, last})
	}
	b := &r.blocks[len(r.blocks)-1]
	b[0], b[1] = min(b[0], s.at), max(b[1], last)
	r.spent = append(r.spent, s)
}

// Record reads when a trace spent what. Where prev, which may be nil, is the log of it when it was shorter, only what has come since is read. tick,
// which may be nil, is told of the progress; its error ends the work and is returned.
func Record(src tracer.Source, prev *Log, tick func(done, total int64) error) (*Log, error) {
	var events int64
	for k, n := range src.Counts() {
		if Kinds.Has(tracer.Kind(k)) {
			events += n
		}
	}
	if events > mostSpent {
		return &Log{long: true}, nil
	}
	var r *recorder
	rest := src
	if prev != nil {
		r, rest = prev.next.Take(src)
	}
	if r == nil {
		r, rest = &recorder{reader: *newReader()}, src
	}
	r.dict, r.told = src.Dict(), r.tell
	if err := onward.Scan(rest, Kinds, tick, r.take); err != nil {
		return nil, err
	}
	l := &Log{read: r.seen(), spent: r.spent, blocks: append([][2]int64(nil), r.blocks...)}
	l.next = onward.Keep(src, r)
	return l, nil
}

// seen is what a reader knows of nodes, processes and metrics, which is not changed while it goes on.
func (r *reader) seen() reader {
	m := *r.Merger
	m.children, m.cells, m.values = nil, table{}, nil
	return reader{Merger: &m}
}

// Between is the tree of what was spent from first to last, in ns: of times what lies within, of everything else what happened there. It has the
// nodes, processes and metrics of the tree of the whole trace.
func (l *Log) Between(src tracer.Source, first, last int64, tick func(done, total int64) error) (*Tree, error) {
	if l.long {
		return between(src, first, last, tick)
	}
	r := l.read.seen()
	r.values = make([][]int64, len(r.metrics))
	for i, b := range l.blocks {
		if b[0] > last || b[1] < first {
			continue
		}
		if tick != nil && i%64 == 0 {
			if err := tick(int64(i), int64(len(l.blocks))); err != nil {
				return nil, err
			}
		}
		r.sum(l.spent[i*block:min((i+1)*block, len(l.spent))], first, last)
	}
	return r.tree(src), nil
}

// sum adds the parts of amounts that are from first to last.
func (r *reader) sum(all []spent, first, last int64) {
	for k := range all {
		s := &all[k]
		n := s.part(first, last)
		if n == 0 {
			continue
		}
		if r.values[s.metric] == nil {
			r.values[s.metric] = make([]int64, len(r.node))
		}
		v := &r.values[s.metric][s.cell]
		*v = Plus(*v, n)
	}
}

// between is Log.Between without a log.
func between(src tracer.Source, first, last int64, tick func(done, total int64) error) (*Tree, error) {
	r := newReader()
	r.dict = src.Dict()
	r.told = func(s spent) {
		if n := s.part(first, last); n != 0 {
			r.add(s.cell, int(s.metric), n)
		}
	}
	if err := onward.Scan(src, Kinds, tick, r.take); err != nil {
		return nil, err
	}
	return r.tree(src), nil
}
