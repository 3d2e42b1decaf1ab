package report

import (
	"fmt"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/numbering"
	"whorl/tracer"
	"whorl/tracer/derive/clocks"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/totals"
	"whorl/tracer/derive/waits"
	"whorl/tracer/derive/workspan"
)

// Threads are the statistics of the thread graph of a run; unknown numbers are null. Speedups are bounds for the number of PEs of the run
// (tracer/derive/workspan).
type Threads struct {
	Count          *int64         `json:"threads"`            // of a logic program: goals that did not go on in place of their parents
	Timing         *string        `json:"timing"`             // exact, or shared: only the processor time of whole processes is known
	BurdenNs       *int64         `json:"burden_ns"`          // the cost of moving work: the median over threads that changed their PE
	BurdenedSpanNs *int64         `json:"burdened_span_ns"`   // the span where each fork and join costs the burden
	SpeedupMost    *float64       `json:"speedup_most"`       // no schedule is faster
	SpeedupLeast   *float64       `json:"speedup_least"`      // no schedule is slower that leaves no PE idle while there is work
	WaitingNs      *int64         `json:"waiting_ns"`         // from forks to starts, summed over threads
	BlockedNs      *int64         `json:"blocked_ns"`         // in joins or for bindings, summed over threads
	BlockedBy      []BlockedPart  `json:"blocked_by"`         // the same by function, longest first
	Steals         int64          `json:"steals"`             // moves that an idle PE asked for
	Migrated       *int64         `json:"migrated"`           // threads that started on another PE than their fork
	Unjoined       *int64         `json:"unjoined"`           // threads without a join
	ForeignJoins   *int64         `json:"foreign_joins"`      // joins of threads that another thread forked
	RepeatedJoins  *int64         `json:"repeated_joins"`     // joins of threads that were joined before
	CriticalPath   []FunctionPart `json:"critical_path"`      // the functions along a longest path
	UnsharedNs     *int64         `json:"unshared_ns"`        // shared timing: processor time while no thread could run
	Clocks         []string       `json:"clocks"`             // how the clocks of other hosts were corrected
	NotInOrder     *int64         `json:"edges_out_of_order"` // forks and joins that close a cycle in a damaged trace
}

// A FunctionPart is the part of the critical path in a function or procedure.
type FunctionPart struct {
	Function string  `json:"function"`
	TimeNs   int64   `json:"time_ns"`
	Share    float64 `json:"share"` // of the span, 0 to 1
	Edges    int64   `json:"edges"` // of the graph
}

const (
	exactTiming  = "exact"
	sharedTiming = "shared"
)

// hasThreads reports whether a trace has forks or starts.
func hasThreads(src tracer.Source) bool {
	counts := src.Counts()
	return counts[tracer.Fork]+counts[tracer.Start] > 0
}

// hasGoals reports whether a trace has goals that take time, on PEs with comparable clocks, and no threads.
func hasGoals(src tracer.Source, t *totals.Totals) bool {
	_, separate := tracer.ProcessTimes(src)
	return !hasThreads(src) && !separate && t.Reductions > 0 && t.Cost > 0
}

// threads fills in the statistics of the threads.
func (s *Stats) threads(src tracer.Source, t *totals.Totals) error {
	if hasThreads(src) {
		return s.forked(src)
	}
	if !hasGoals(src, t) {
		return nil
	}
	m, err := t.Goals(src)
	if err != nil {
		return err
	}
	timing := exactTiming
	s.Timing, s.Count, s.NotInOrder, s.WaitingNs, s.BlockedNs = &timing, &t.Threads, new(int64), &m.Waiting, &m.Blocked
	s.measure(src, m)
	return nil
}

// forked fills in the statistics of a trace with forks and joins.
func (s *Stats) forked(src tracer.Source) error {
	if waits.Woken(src) {
		if err := s.wakeUps(src); err != nil {
			return err
		}
		if s.SpanLeft = tooLarge(src); s.SpanLeft {
			return nil
		}
	}
	g, err := threadgraph.Build(src)
	if err != nil {
		return err
	}
	m := workspan.Compute(g)
	count := int64(g.Len())
	timing := exactTiming
	if g.Shared {
		timing = sharedTiming
		s.UnsharedNs, s.WorkNs = &g.Unshared, &m.Work
	} else {
		s.WaitingNs, s.BlockedNs = &m.Waiting, &m.Blocked
	}
	s.Count, s.Timing, s.NotInOrder = &count, &timing, &g.Backward
	s.measure(src, m)
	if waits.Woken(src) { // threads of real programs wait for each other without joins, and WakeUps say why they are blocked
		s.BlockedNs, s.BlockedBy = nil, []BlockedPart{}
		return nil
	}
	s.Unjoined, s.ForeignJoins, s.RepeatedJoins = &g.Unjoined, &g.Foreign, &g.Again
	return nil
}

// measure fills in the numbers that threads of both kinds have.
func (s *Stats) measure(src tracer.Source, m *workspan.Measure) {
	s.Migrated, s.SpanNs = &m.Migrated, &m.Span
	if s.WorkNs != nil {
		s.Parallelism = Ratio(*s.WorkNs, m.Span)
	}
	if m.Burden >= 0 {
		s.BurdenNs, s.BurdenedSpanNs = &m.Burden, &m.BurdenedSpan
	}
	if least, most, ok := m.Bounds(s.PEs); ok {
		s.SpeedupMost, s.SpeedupLeast = &most, &least
	}
	for _, kv := range src.Meta().Extra {
		if host, ok := strings.CutPrefix(kv.Key, clocks.Key); ok {
			s.Clocks = append(s.Clocks, host+": "+kv.Value)
		}
	}
	names := namesOf(src)
	s.criticalPath(names, m)
	s.blocked(names, m)
}

// criticalPath sums the time of the critical path by function. Clauses count for their procedures.
func (s *Stats) criticalPath(names names, m *workspan.Measure) {
	s.CriticalPath = []FunctionPart{}
	var functions numbering.List[string]
	for _, f := range m.Functions {
		name := names.owner(f.Code)
		i := int(functions.Number(name))
		if i == len(s.CriticalPath) {
			s.CriticalPath = append(s.CriticalPath, FunctionPart{Function: name})
		}
		p := &s.CriticalPath[i]
		p.TimeNs += f.Time
		p.Edges += f.Edges
		p.Share = float64(p.TimeNs) / float64(m.Span)
	}
}

// table adds the numbers to a table.
func (s *Threads) table(t rows) {
	if s.Count == nil {
		return
	}
	t("threads", figures.Count(*s.Count))
	if *s.Timing == sharedTiming {
		t("timing", "processor time of processes, shared among the threads that could run; while none could: "+figures.Duration(*s.UnsharedNs))
	}
	for i, c := range s.Clocks {
		name := "clocks"
		if i > 0 {
			name = " "
		}
		t(name, c)
	}
	if s.BurdenedSpanNs != nil {
		t("burdened span", fmt.Sprintf("%s, at %s for each fork and join", figures.Duration(*s.BurdenedSpanNs), figures.Duration(*s.BurdenNs)))
	}
	if s.SpeedupMost != nil {
		t("speedup bounds", fmt.Sprintf("%.2f to %.2f", *s.SpeedupLeast, *s.SpeedupMost))
	}
	path := make([]portion, len(s.CriticalPath))
	for i, p := range s.CriticalPath {
		path[i] = portion{p.Function, p.TimeNs, p.Share, ""}
	}
	t.portions("critical path", path)
	for _, d := range []struct {
		name string
		ns   *int64
	}{{"waiting to start", s.WaitingNs}, {"blocked", s.BlockedNs}} {
		if d.ns != nil && *d.ns > 0 {
			t(d.name, figures.Duration(*d.ns)+", all threads together")
		}
	}
	t.blocked(s.BlockedBy)
	for _, c := range []struct {
		name string
		n    *int64
	}{{"threads that changed PE", s.Migrated}, {"threads not joined", s.Unjoined}, {"joined by others", s.ForeignJoins}, {"joined again", s.RepeatedJoins}} {
		if c.n != nil {
			t.count(c.name, *c.n)
		}
	}
}
