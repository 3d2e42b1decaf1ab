package timeplot

import (
	"cmp"
	"slices"
	"sync/atomic"

	"whorl/internal/figures"
	"whorl/internal/numbering"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Stages of views of tasks that wait.
var (
	// LivesStage is what the tasks of a trace did, and by whom their waits were ended.
	LivesStage = flow.Derive("lives", "states of tasks and the causes of their waits",
		flow.In(view.Trace), nil,
		func(c *flow.Call[*Lives]) (*Lives, error) { return &Lives{trace: view.Trace.In(c)}, nil })

	// WaitsStage derives the lives of tasks in the time that counts.
	WaitsStage = flow.Derive("waits", "states of tasks and the causes of their waits in the time window",
		flow.In(view.Trace, LivesStage), flow.Params{view.Counted},
		func(c *flow.Call[*waits.Waits]) (*waits.Waits, error) {
			part := Counting(c.Params.Text(view.Counted))
			if part.From == 0 && part.To == 0 {
				return LivesStage.In(c).Waits(c.Tick)
			}
			return waits.BuildPart(view.Trace.In(c), part, c.Tick)
		})

	// PathStage derives the critical path through wake-ups of a trace whose threads wait. It is nil for other traces, and unless WithPath is set.
	PathStage = flow.Derive("wakepath", "the critical path through wake-ups",
		flow.In(view.Trace, LivesStage), flow.Params{WithPath.Name},
		func(c *flow.Call[*waits.Path]) (*waits.Path, error) {
			if !c.Params.Bool(WithPath.Name) || !waits.Woken(view.Trace.In(c)) {
				return (*waits.Path)(nil), nil
			}
			return LivesStage.In(c).path(c.Tick)
		})

	// ThreadPathStage is PathStage with the path of threads that wait for each other in joins alone.
	ThreadPathStage = flow.Derive("path", "the critical path",
		flow.In(LivesStage, PathStage), flow.Params{WithPath.Name},
		func(c *flow.Call[*waits.Path]) (*waits.Path, error) {
			if p := PathStage.In(c); p != nil || !c.Params.Bool(WithPath.Name) {
				return p, nil
			}
			return LivesStage.In(c).path(c.Tick)
		})

	// SharesStage derives the parts of the critical path.
	SharesStage = flow.Derive("pathshares", "the parts of the critical path",
		flow.In(view.RunStage, ThreadPathStage), nil,
		func(c *flow.Call[*PathShares]) (*PathShares, error) {
			p := ThreadPathStage.In(c)
			if p == nil {
				return &PathShares{}, nil
			}
			return &PathShares{pathShares(view.RunStage.In(c), p)}, nil
		})
)

// Lives derives the lives of the tasks of a trace when a stage first asks for them. Most stages do so for some values of their parameters only.
type Lives struct {
	trace   tracer.Source
	derived atomic.Pointer[waits.Waits]
}

// Waits returns the lives. No lock is held meanwhile, since the tick may pause a stage.
func (l *Lives) Waits(tick flow.Tick) (*waits.Waits, error) {
	if w := l.derived.Load(); w != nil {
		return w, nil
	}
	w, err := waits.Build(l.trace, tick)
	if err == nil {
		l.derived.Store(w)
	}
	return w, err
}

// WithPath is the parameter of views that show the critical path.
var WithPath = view.Param{Name: "path", Label: "Critical path", Doc: "draw the critical path: what the end of the run had to wait for", Default: false}

// path returns the critical path of a trace of threads, nil for a trace of goals, whose walks are in package workspan.
func (l *Lives) path(tick flow.Tick) (*waits.Path, error) {
	if l.trace.Counts()[tracer.Reduce] > 0 {
		return nil, nil
	}
	w, err := l.Waits(tick)
	if err != nil {
		return nil, err
	}
	return w.Path(l.trace, 0, 0, tick)
}

// Counting returns the part of a trace that a value of view.Counted names.
func Counting(counted string) (p waits.Part) {
	if t := view.ParseCounted(counted); t != nil {
		p.From, p.To = t.First, max(t.Last, t.First)+1
	}
	return p
}

// TaskColours returns the colours of the states of tasks.
func TaskColours(isDark bool) (c [waits.NumStates]scene.Color) {
	c = [waits.NumStates]scene.Color{
		waits.Running: StateColours(isDark).Busy, waits.Kernel: lch(0.52, 0.09, 150), waits.Runtime: lch(0.62, 0.09, 195), waits.Collector: lch(0.55, 0.15, 20),
		waits.Messaging: lch(0.60, 0.13, 305), waits.Ready: StateColours(isDark).Over, waits.Blocked: lch(0.86, 0.01, 250),
	}
	if isDark {
		c[waits.Kernel], c[waits.Collector], c[waits.Blocked] = lch(0.58, 0.09, 150), lch(0.60, 0.15, 20), lch(0.41, 0.012, 250)
	}
	return c
}

// PieceColours returns the colours of the pieces of paths through wake-ups. A piece has the colour of the state of its task.
func PieceColours(isDark bool) (c [waits.NumActivities]scene.Color) {
	s := TaskColours(isDark)
	c = [waits.NumActivities]scene.Color{
		waits.Runs: s[waits.Running], waits.System: s[waits.Kernel], waits.Serve: s[waits.Runtime], waits.Collect: s[waits.Collector], waits.Queue: s[waits.Ready],
		waits.Message: s[waits.Messaging], waits.Outside: s[waits.Blocked], waits.Before: lch(0.93, 0.004, 250),
	}
	if isDark {
		c[waits.Before] = lch(0.28, 0.008, 250)
	}
	return c
}

// mostShares is the number of parts of a path that a legend lists.
const mostShares = 8

// A part is a component of a path in a legend. The functions of tasks count where they run.
type part struct {
	activity waits.Activity
	code     uint32
	reason   uint32
}

func (p part) label(run *view.Run) string {
	switch {
	case p.activity == waits.Runs:
		return "runs " + run.Name(p.code)
	case p.activity == waits.Outside && p.reason != 0 && int(p.reason) < len(run.Codes):
		return "waits for " + run.Codes[p.reason].Name
	case p.activity == waits.Outside:
		return "waits, cause unknown"
	}
	return p.activity.String()
}

// PathShares are the parts of a path, longest first.
type PathShares struct{ Parts []*PathShare }

// A PathShare is a part of a path.
type PathShare struct {
	Label    string
	Activity waits.Activity
	Time     int64 // ns
	Share    float64
}

// pathShares returns the parts of a path, longest first.
func pathShares(run *view.Run, p *waits.Path) (all []*PathShare) {
	var parts numbering.List[part]
	for _, x := range p.Shares {
		k := part{activity: x.Activity, reason: x.Reason}
		if x.Activity == waits.Runs {
			k.code = run.Owner(x.Code)
		}
		i := int(parts.Number(k))
		if i == len(all) {
			all = append(all, &PathShare{Label: k.label(run), Activity: k.activity})
		}
		all[i].Time += x.Time
	}
	for _, s := range all {
		s.Share = float64(s.Time) / float64(max(1, p.To-p.From))
	}
	slices.SortStableFunc(all, func(a, b *PathShare) int { return cmp.Compare(b.Time, a.Time) })
	return all
}

// PathBlock returns the legend block of a path: its parts, longest first.
func PathBlock(run *view.Run, p *waits.Path, dark bool) view.Block {
	b := view.Block{Title: "Critical path", Columns: []string{"share", "time"}}
	colours := PieceColours(dark)
	whole := p.To - p.From
	var times, wholes []int64
	others := int64(0)
	all := pathShares(run, p)
	for n, x := range all {
		if n >= mostShares && len(all) > mostShares+1 {
			others += x.Time
			continue
		}
		b.Swatches = append(b.Swatches, view.Swatch{Colors: []scene.Color{colours[x.Activity]}, Label: x.Label})
		times, wholes = append(times, x.Time), append(wholes, whole)
	}
	if others > 0 {
		b.Swatches = append(b.Swatches, view.Swatch{Label: figures.Count(int64(len(all)-mostShares)) + " others"})
		times, wholes = append(times, others), append(wholes, whole)
	}
	b = numbered(b, times, wholes)
	if p.Root != 0 {
		b.Title = "Path of longest task"
	}
	hops := "It follows " + figures.Counted(p.Hops, "hop") + " from task to task"
	if p.Inferred > 0 {
		hops += ", " + figures.Count(p.Inferred) + " of them inferred"
	}
	b.Notes = append(b.Notes, hops+".")
	switch {
	case p.TooFewPEs():
		b.Notes = append(b.Notes, "Most of it waits for a PE: the recording had too few processors to show another cause.")
	case p.CausesUnknown():
		b.Notes = append(b.Notes, "Most of it waits for what the trace does not name. Work and span in the thread graph bound the speedup all the same.")
	}
	return b
}
