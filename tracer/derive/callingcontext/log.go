package callingcontext

import (
	"cmp"
	"slices"

	"whorl/internal/hashtable"
	"whorl/tracer"
	"whorl/tracer/derive/labels"
	"whorl/tracer/derive/onward"
)

// A Log records the time and context of each amount spent, so that the tree of any interval of a run is available at once. It is immutable.
type Log struct {
	read   reader  // nodes, processes and metrics
	spent  []spent // in the order of their ends
	blocks [][2]int64
	last   []spent // until the end of the trace
	long   bool    // the trace is too long for a log and is read again for each interval
	labels *labels.Chooser

	next *onward.State[recorder]
}

// spent is an amount that a process spent at a node.
type spent struct {
	time, value int64
	cell        uint32
	metric      uint16
	lasts       bool // the amount is a duration from time
}

// part returns the part of the amount that was spent from first to last.
func (s *spent) part(first, last int64) int64 {
	switch {
	case s.time > last:
		return 0
	case !s.lasts:
		if s.time < first {
			return 0
		}
		return s.value
	}
	from, to := max(s.time, first), Plus(s.time, s.value)
	if last < to-1 {
		to = last + 1
	}
	return max(to-from, 0)
}

// mostSpent is the largest number of amounts in a log; each takes 24 bytes.
const mostSpent = 1 << 24

// block is the number of amounts that Between skips at once.
const block = 1 << 12

// A recorder records the amounts that a reader reports.
type recorder struct {
	reader
	spent  []spent
	blocks [][2]int64 // by block: first and last time
}

func (r *recorder) add(s spent) {
	last := s.time
	if s.lasts {
		last = Plus(last, s.value-1)
	}
	if len(r.spent)%block == 0 {
		r.blocks = append(r.blocks, [2]int64{s.time, last})
	}
	b := &r.blocks[len(r.blocks)-1]
	b[0], b[1] = min(b[0], s.time), max(b[1], last)
	r.spent = append(r.spent, s)
}

// Record makes the log of a trace for the samples and frames of labels that a Chooser chooses, nil for all. prev, which may be nil, is the log of an earlier part of the same trace: Record then reads only the later
// events. tick, which may be nil, gets the progress; its error ends the work.
func Record(src tracer.Source, prev *Log, l *labels.Chooser, tick func(done, total int64) error) (*Log, error) {
	var events int64
	for k, n := range src.Counts() {
		if Kinds.Contains(tracer.Kind(k)) {
			events += n
		}
	}
	if events > mostSpent {
		return &Log{long: true, labels: l}, nil
	}
	var r *recorder
	rest := src
	if prev != nil {
		r, rest = prev.next.Resume(src)
	}
	if r == nil || !labels.Same(r.labels, l) || !r.continues(src) {
		r, rest = &recorder{reader: *newReader(l)}, src
		r.report = r.add
		r.begin(src)
	}
	if err := onward.Scan(rest, scanned, tick, r.read); err != nil {
		return nil, err
	}
	last := r.unfinished(src)
	log := &Log{read: r.seen(), spent: r.spent, last: last, blocks: append([][2]int64(nil), r.blocks...), labels: l}
	log.next = onward.Keep(src, r)
	return log, nil
}

// seen returns a copy of a reader's nodes, processes and metrics that does not change while the reader continues.
func (r *reader) seen() reader {
	m := *r.Merger
	m.children, m.cells, m.values = hashtable.Table{}, hashtable.Table{}, nil
	return reader{Merger: &m}
}

// Between returns the tree of the amounts spent from first to last, in ns. Durations count for their part within the interval, other amounts if
// their time is within it. The tree has the nodes, processes and metrics of the tree of the whole trace.
func (l *Log) Between(src tracer.Source, first, last int64, tick func(done, total int64) error) (*Tree, error) {
	if l.long {
		return between(src, l.labels, first, last, tick)
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
	r.sum(l.last, first, last)
	return r.tree(src), nil
}

// sum adds the parts of amounts that were spent from first to last.
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

// A Run is an amount that a process spent at a node of the tree of a trace.
type Run struct {
	Node   int32
	Amount int64
}

// Runs returns the amounts of a metric of the tree of a trace that each process spent from first to last, in ns, in the order of time. It returns false
// for a trace that is too long for a log.
func (l *Log) Runs(m Metric, first, last int64) (runs [][]Run, ok bool) {
	if l.long {
		return nil, false
	}
	r := &l.read
	place := r.preorder(blank(len(r.code)))
	times := make([]float64, len(r.metrics)) // by metric of the log; 0 for others
	for k, x := range r.metrics {
		if x.Name == m.Name && x.Unit == m.Unit && x.Visits == m.Visits {
			times[k] = 1
			if x.Scale != 0 && m.Scale != 0 {
				times[k] = x.Scale / m.Scale
			}
		}
	}
	all := make([][]spent, len(r.processes))
	for _, some := range [][]spent{l.spent, l.last} {
		for _, s := range some {
			if times[s.metric] != 0 && s.part(first, last) != 0 {
				p := r.owner[s.cell]
				all[p] = append(all[p], s)
			}
		}
	}
	runs = make([][]Run, len(all))
	for p, list := range all {
		slices.SortStableFunc(list, func(a, b spent) int { return cmp.Compare(a.time, b.time) })
		for _, s := range list {
			node, amount := place[r.node[s.cell]], Rounded(float64(s.part(first, last))*times[s.metric])
			if n := len(runs[p]); n > 0 && runs[p][n-1].Node == node {
				runs[p][n-1].Amount = Plus(runs[p][n-1].Amount, amount)
				continue
			}
			runs[p] = append(runs[p], Run{node, amount})
		}
	}
	return runs, true
}

// Timed reports whether the amounts have different times.
func (l *Log) Timed() bool {
	for _, some := range [][]spent{l.spent, l.last} {
		if slices.ContainsFunc(some, func(s spent) bool { return s.lasts || s.time != some[0].time }) {
			return true
		}
	}
	return false
}

// between is like Log.Between, but reads the trace.
func between(src tracer.Source, l *labels.Chooser, first, last int64, tick func(done, total int64) error) (*Tree, error) {
	r := newReader(l)
	r.begin(src)
	r.report = func(s spent) {
		if n := s.part(first, last); n != 0 {
			r.add(s.cell, int(s.metric), n)
		}
	}
	if err := onward.Scan(src, scanned, tick, r.read); err != nil {
		return nil, err
	}
	for _, s := range r.unfinished(src) {
		r.report(s)
	}
	return r.tree(src), nil
}
