package experiment

import (
	"fmt"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/clocks"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/workspan"
)

// Threads are the numbers of the thread graph of a run. Where there is none they are null.
type Threads struct {
	Count          *int64         `json:"threads"`            // of a logic program: goals that no PE went on with in place of their parents
	Timing         *string        `json:"timing"`             // exact, or shared: only the processor time of whole processes is known
	BurdenNs       *int64         `json:"burden_ns"`          // what it takes to bring work to another PE: the median over threads that changed theirs
	BurdenedSpanNs *int64         `json:"burdened_span_ns"`   // span where each fork and join costs that
	SpeedupMost    *float64       `json:"speedup_most"`       // on so many PEs: no schedule does better
	SpeedupLeast   *float64       `json:"speedup_least"`      // on so many PEs: every schedule that leaves no PE idle while there is work does so well
	WaitingNs      *int64         `json:"waiting_ns"`         // from forks to starts, of all threads together
	BlockedNs      *int64         `json:"blocked_ns"`         // in joins, or for bindings, of all threads together
	Steals         int64          `json:"steals"`             // moves that an idle PE asked for
	Migrated       *int64         `json:"migrated"`           // threads that started on another PE than the one that forked them
	Unjoined       *int64         `json:"unjoined"`           // threads that nobody joined
	ForeignJoins   *int64         `json:"foreign_joins"`      // joins of threads that another one forked
	RepeatedJoins  *int64         `json:"repeated_joins"`     // joins of threads that were joined before
	CriticalPath   []FunctionPart `json:"critical_path"`      // the functions along a longest path
	UnsharedNs     *int64         `json:"unshared_ns"`        // shared timing: processor time while no thread could run
	Clocks         []string       `json:"clocks"`             // what was done to the times of other hosts than the first
	NotInOrder     *int64         `json:"edges_out_of_order"` // forks and joins that close a circle: the trace is damaged
}

// A FunctionPart is a function's, or procedure's, part of the critical path.
type FunctionPart struct {
	Function string  `json:"function"`
	TimeNs   int64   `json:"time_ns"`
	Share    float64 `json:"share"` // of the span, 0 to 1
	Edges    int64   `json:"edges"` // stretches between two events
}

const sharedTiming = "shared"

// mostGoals is of how many reductions a graph is made, to say what nothing else tells: it takes some 200 bytes for each.
const mostGoals = 8_000_000

// threads fills in what the thread graph says; busy is the time that PEs were, 0 where that is not known.
func (s *Stats) threads(src tracer.Source, busy int64) error {
	counts := src.Counts()
	isThreads := counts[tracer.Fork]+counts[tracer.Start] > 0
	if !isThreads && (counts[tracer.Reduce] == 0 || counts[tracer.Reduce] > mostGoals || busy == 0) {
		return nil
	}
	g, err := threadgraph.Of(src)
	if err != nil {
		return err
	}
	m := workspan.Of(g)
	count := int64(g.Len())
	timing := "exact"
	if g.Shared {
		timing = sharedTiming
		s.UnsharedNs, s.Speedup, s.IdleShare = &g.Unshared, nil, nil
	} else {
		s.WaitingNs, s.BlockedNs = &m.Waiting, &m.Blocked
	}
	s.Count, s.Timing, s.Migrated, s.NotInOrder = &count, &timing, &m.Migrated, &g.Backward
	if isThreads {
		s.Unjoined, s.ForeignJoins, s.RepeatedJoins = &g.Unjoined, &g.Foreign, &g.Again
		s.WorkNs = &m.Work
		if !g.Shared {
			s.Speedup = ratio(m.Work, s.ElapsedNs)
			if s.IdleShare == nil && s.PEs > 0 {
				s.IdleShare = ratio(max(0, int64(s.PEs)*s.ElapsedNs-m.Work), int64(s.PEs)*s.ElapsedNs)
			}
		}
	}
	// Live, a goal may be resumed before the trace tells of the reduction that does it: one pass over the events would miss that.
	s.SpanNs = &m.Span
	s.Parallelism = ratio(*s.WorkNs, m.Span)
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
	s.criticalPath(src.Dict().Codes(), m)
	return nil
}

// criticalPath names the functions along the path, clauses by their procedures.
func (s *Stats) criticalPath(codes []tracer.Code, m *workspan.Measure) {
	s.CriticalPath = []FunctionPart{}
	at := map[string]int{}
	for _, f := range m.Functions {
		name := "unknown"
		if int(f.Code) < len(codes) && codes[f.Code].Name != "" {
			name = codes[f.Code].Name
		}
		i, ok := at[name]
		if !ok {
			i = len(s.CriticalPath)
			at[name] = i
			s.CriticalPath = append(s.CriticalPath, FunctionPart{Function: name})
		}
		p := &s.CriticalPath[i]
		p.TimeNs += f.Time
		p.Edges += f.Edges
		p.Share = float64(p.TimeNs) / float64(m.Span)
	}
}

// table writes the rows of the thread graph.
func (t *Threads) table(row func(name, value string), count func(name string, n int64)) {
	if t.Count == nil {
		return
	}
	row("threads", figures.Count(*t.Count))
	if *t.Timing == sharedTiming {
		row("timing", "processor time of processes, shared among the threads that could run; of no thread: "+figures.Duration(*t.UnsharedNs))
	}
	for i, c := range t.Clocks {
		name := "clocks"
		if i > 0 {
			name = " "
		}
		row(name, c)
	}
	if t.BurdenedSpanNs != nil {
		row("burdened span", fmt.Sprintf("%s, at %s for each fork and join", figures.Duration(*t.BurdenedSpanNs), figures.Duration(*t.BurdenNs)))
	}
	if t.SpeedupMost != nil {
		row("speedup bounds", fmt.Sprintf("%.2f to %.2f", *t.SpeedupLeast, *t.SpeedupMost))
	}
	for i, p := range t.CriticalPath {
		name := "critical path"
		if i > 0 {
			name = " "
		}
		if i == shownParts {
			row(" ", fmt.Sprintf("and %d more", len(t.CriticalPath)-i))
			break
		}
		row(name, fmt.Sprintf("%s  %s  %.1f %%", p.Function, figures.Duration(p.TimeNs), 100*p.Share))
	}
	for _, d := range []struct {
		name string
		ns   *int64
	}{{"waiting to start", t.WaitingNs}, {"blocked", t.BlockedNs}} {
		if d.ns != nil && *d.ns > 0 {
			row(d.name, figures.Duration(*d.ns)+", all threads together")
		}
	}
	for _, c := range []struct {
		name string
		n    *int64
	}{{"threads that changed PE", t.Migrated}, {"threads not joined", t.Unjoined}, {"joined by others", t.ForeignJoins}, {"joined again", t.RepeatedJoins}} {
		if c.n != nil {
			count(c.name, *c.n)
		}
	}
}

// shownParts is how many functions of the critical path the table has.
const shownParts = 8
