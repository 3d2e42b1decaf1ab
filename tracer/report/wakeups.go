package report

import (
	"cmp"
	"slices"

	"whorl/internal/figures"
	"whorl/internal/numbering"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
)

// WakeUps are the statistics of a trace whose threads wait and are woken, as real programs do (tracer/derive/waits). They are null for other traces.
type WakeUps struct {
	TaskTimes  *TaskTimes   `json:"task_times"`  // of all tasks together; their sum is the sum of all lives
	WaitCauses []WaitReason `json:"wait_causes"` // the blocked time by function and cause, longest first
	WakePath   *WakePath    `json:"wake_path"`
	SpanLeft   bool         `json:"span_left"` // span, parallelism and bounds are left out: the graph of the threads is too large
}

// TaskTimes holds ns by state.
type TaskTimes struct {
	RunningNs   int64 `json:"running_ns"`
	KernelNs    int64 `json:"kernel_ns"`
	RuntimeNs   int64 `json:"runtime_ns"` // in the runtime system
	CollectorNs int64 `json:"collector_ns"`
	MessagesNs  int64 `json:"messages_ns"` // sending and receiving
	ReadyNs     int64 `json:"ready_ns"`    // able to run, without a PE
	BlockedNs   int64 `json:"blocked_ns"`
}

// A WaitReason is the time that tasks of one function were blocked for a reason by tasks of another.
type WaitReason struct {
	Function string  `json:"function"`
	Reason   string  `json:"reason"`   // of the trace, join or binding
	By       string  `json:"by"`       // the function of the wakers; "" if unknown or none
	Inferred bool    `json:"inferred"` // the wakers are not in the trace, but follow from what tasks usually do
	TimeNs   int64   `json:"time_ns"`
	Share    float64 `json:"share"` // of the blocked time, 0 to 1
	Count    int64   `json:"count"`
}

// A WakePath is the critical path through wake-ups, to the end of the task that ran last.
type WakePath struct {
	Root          string     `json:"root"`    // the function of the task without a parent whose life the path is, such as the slowest request; "" for the path of the run
	TimeNs        int64      `json:"time_ns"` // the sum of Parts
	Parts         []PathPart `json:"parts"`   // longest first
	Hops          int64      `json:"hops"`    // from one task to another
	Inferred      int64      `json:"inferred"`
	TooFewPEs     bool       `json:"too_few_pes"`    // most of the path is waiting for a PE
	CausesUnknown bool       `json:"causes_unknown"` // most of the path is waiting for something that the trace does not name
}

// A PathPart is a part of the path.
type PathPart struct {
	Activity string  `json:"what"`     // runs, in the kernel, in the runtime system, garbage collection, waits for a PE, messages, outside, before its first event
	Function string  `json:"function"` // of the task; "" where it does not matter
	Reason   string  `json:"reason"`   // what the task waits for outside
	TimeNs   int64   `json:"time_ns"`
	Share    float64 `json:"share"` // of the path, 0 to 1
}

// mostGraph is the largest number of waits, wake-ups, forks and joins for building a graph to find the span.
const mostGraph = 20_000_000

// tooLarge reports whether the thread graph of a trace would take too much memory.
func tooLarge(src tracer.Source) bool {
	counts, sum := src.Counts(), int64(0)
	for _, k := range []tracer.Kind{tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd, tracer.Wait, tracer.Wake, tracer.Wake} {
		sum += counts[k]
	}
	return sum > mostGraph
}

// wakeUps fills in the statistics of waits and wake-ups.
func (s *Stats) wakeUps(src tracer.Source) error {
	w, err := waits.Build(src, nil)
	if err != nil {
		return err
	}
	names := namesOf(src)
	all := w.All.Times
	s.TaskTimes = &TaskTimes{all[waits.Running], all[waits.Kernel], all[waits.Runtime], all[waits.Collector], all[waits.Messaging], all[waits.Ready], all[waits.Blocked]}
	s.WaitCauses = []WaitReason{}
	for _, b := range w.Blocks {
		r := WaitReason{Function: names.owner(b.Code), Inferred: b.Inferred, TimeNs: b.Time, Count: b.Count + b.Open}
		if all[waits.Blocked] > 0 {
			r.Share = float64(b.Time) / float64(all[waits.Blocked])
		}
		if b.By != 0 {
			r.By = names.owner(b.By)
		}
		r.Reason = b.For(names.codes)
		s.WaitCauses = append(s.WaitCauses, r)
	}
	p, err := w.Path(src, 0, 0, nil)
	if err != nil {
		return err
	}
	s.WakePath = pathOf(names, p)
	if p.Root != 0 {
		s.WakePath.Root = names.owner(w.CodeOf(p.Root))
	}
	return nil
}

// pathOf returns the parts of a path. The functions of tasks count where these run.
func pathOf(names names, p *waits.Path) *WakePath {
	w := &WakePath{TimeNs: p.To - p.From, Parts: []PathPart{}, Hops: p.Hops, Inferred: p.Inferred}
	w.TooFewPEs, w.CausesUnknown = p.TooFewPEs(), p.CausesUnknown()
	var parts numbering.List[PathPart]
	for _, x := range p.Shares {
		key := PathPart{Activity: x.Activity.String()}
		if x.Activity == waits.Runs || x.Activity == waits.System || x.Activity == waits.Serve {
			key.Function = names.owner(x.Code)
		}
		if x.Reason != 0 && int(x.Reason) < len(names.codes) {
			key.Reason = names.codes[x.Reason].Name
		}
		i := int(parts.Number(key))
		if i == len(w.Parts) {
			w.Parts = append(w.Parts, key)
		}
		w.Parts[i].TimeNs += x.Time
	}
	for i := range w.Parts {
		w.Parts[i].Share = float64(w.Parts[i].TimeNs) / float64(max(w.TimeNs, 1))
	}
	slices.SortStableFunc(w.Parts, func(a, b PathPart) int { return cmp.Compare(b.TimeNs, a.TimeNs) })
	return w
}

// table adds the numbers to a table.
func (s *WakeUps) table(t rows) {
	if s.TaskTimes == nil {
		return
	}
	x := s.TaskTimes
	times := waits.Times{
		waits.Running: x.RunningNs, waits.Kernel: x.KernelNs, waits.Runtime: x.RuntimeNs, waits.Collector: x.CollectorNs, waits.Messaging: x.MessagesNs, waits.Ready: x.ReadyNs, waits.Blocked: x.BlockedNs,
	}
	name := "lives of tasks"
	for st, ns := range times {
		if ns > 0 {
			t(name, waits.State(st).String()+"  "+figures.Duration(ns)+"  "+figures.PercentTo(ns, times.Sum(), 1))
			name = " "
		}
	}
	list := make([]portion, len(s.WaitCauses))
	for i, r := range s.WaitCauses {
		text := r.Function + " for " + r.Reason
		if r.By != "" {
			text += ", by " + r.By
		}
		if r.Inferred {
			text += " (inferred)"
		}
		list[i] = portion{text, r.TimeNs, r.Share, ""}
	}
	t.portions("  blocked", list)
	if s.WakePath == nil {
		return
	}
	if s.WakePath.Root != "" {
		t("longest task", s.WakePath.Root+"  "+figures.Duration(s.WakePath.TimeNs))
	}
	list = make([]portion, len(s.WakePath.Parts))
	for i, p := range s.WakePath.Parts {
		text := p.Activity
		if p.Function != "" {
			text = p.Function + " " + text
		}
		if p.Reason != "" {
			text = "waits for " + p.Reason
		}
		list[i] = portion{text, p.TimeNs, p.Share, ""}
	}
	t.portions("path of wake-ups", list)
	switch {
	case s.WakePath.TooFewPEs:
		t(" ", "most of it waits for a PE: the run had too few of them to show another cause")
	case s.WakePath.CausesUnknown:
		t(" ", "most of it waits for what the trace does not name; the speedup bounds hold all the same")
	}
	if s.SpanLeft {
		t("span", "left out: the graph of the threads is too large")
	}
}
