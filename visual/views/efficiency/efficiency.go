// Package efficiency shows how well a run used its machine and where the rest of its time went, after the methodology of POP
// (tracer/derive/efficiency): a waterfall from the ideal time to the measured one. Below it a bar for each PE, or for neighbours that share a
// column of pixels, divides the time of the PE among the classes of the account.
//
// A click on a bar of the waterfall selects the PE with most of it. A click on the bar of a PE selects the PE. PEs with a part in the selection are
// marked.
package efficiency

import (
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/efficiency"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

var timeRange = view.Param{
	Name: view.TimeRange, Label: "Time range (ns)", Doc: "time that the width of the waterfall stands for, in ns; 0 fits it to the run",
	Default: int64(0), Min: 0, Max: 1 << 62,
}

// Kind describes the view. It opens every trace, and says what a trace does not tell.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "efficiency",
		Title: "Efficiency",
		Doc:   "what keeps the run from the ideal time: load imbalance, serialisation, transfer, scheduling, the collector, the operating system",
		Icon:  icon.Steps,
		Positions: []view.Position{
			{In: view.BalanceOfTasks, Slot: view.Corner, Rank: 1},
			{In: view.BalanceOfCode, Slot: view.Corner, Needs: tracer.Kinds(tracer.Busy)},
			{In: view.WaitingThreads, Slot: view.Corner},
			{In: view.WaitingPEs, Slot: view.Right},
			{In: view.Communication, Slot: view.Corner, Rank: 1},
			{In: view.Policies, Slot: view.Right},
		},
		Needs:   []tracer.KindSet{0}, // no kind of event: every trace
		Picture: view.Draws(geometryStage),
		Params:  []view.Param{timeRange, view.Background},
		Whole:   true,
	}
}

var _ interface {
	view.Overlayer
	view.Linked
} = (*Geometry)(nil)

// A Geometry is the picture.
type Geometry struct {
	run     *view.Run
	index   *match.Index
	account *account.Account
	eff     *efficiency.Efficiency
	length  int64         // ns, the width of the waterfall
	sums    []account.Row // of the PEs before each PE, and of all
}

var geometryStage = flow.Derive("efficiency", "the efficiencies and the parts of the elapsed time",
	flow.In(view.Trace, view.RunStage, timeplot.AccountStage, match.IndexStage), flow.Params{view.TimeRange},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		a := timeplot.AccountStage.In(c)
		g := &Geometry{
			run: view.RunStage.In(c), index: match.IndexStage.In(c), account: a, eff: efficiency.Compute(view.Trace.In(c), a),
			sums: make([]account.Row, a.PEs+1),
		}
		g.length = max(a.Elapsed(), c.Params.Int(view.TimeRange), 1)
		for pe := range a.PEs {
			row := a.Row(pe)
			g.sums[pe+1].Times = g.sums[pe].Times
			g.sums[pe+1].Add(&row.Times)
		}
		return g, nil
	})

// Bounds returns the unit square: the picture has no camera.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: 1} }

// between returns the times of the PEs from first to end-1 together.
func (g *Geometry) between(first, end int) (t account.Times) {
	for c := range t {
		t[c] = g.sums[end].Times[c] - g.sums[first].Times[c]
	}
	return t
}

// classes returns the classes of a PE's time that make up a step. The time until the PE with the most work is done is time with nothing to do on
// the others.
func classes(s efficiency.Step) []account.Class {
	switch s {
	case efficiency.Ideal:
		return []account.Class{account.Work}
	case efficiency.Imbalance:
		return []account.Class{account.Nothing}
	case efficiency.Serialisation:
		return []account.Class{account.Waiting}
	case efficiency.Transfer:
		return []account.Class{account.Communication}
	case efficiency.Scheduling:
		return []account.Class{account.Scheduling, account.Stealing}
	case efficiency.Collector:
		return []account.Class{account.Collector}
	}
	return []account.Class{account.System}
}

// part returns the time of the classes of a step.
func part(t *account.Times, s efficiency.Step) (ns int64) {
	for _, c := range classes(s) {
		ns += t[c]
	}
	return ns
}

// most returns the PE with most time of a step, and that time: for the load imbalance and the ideal time the one with the most work.
func (g *Geometry) most(s efficiency.Step) (pe int, ns int64) {
	if s == efficiency.Ideal || s == efficiency.Imbalance {
		return g.eff.Busiest, g.eff.Most
	}
	for i := range g.account.Rows {
		if x := part(&g.account.Rows[i].Times, s); x > ns {
			pe, ns = i, x
		}
	}
	return pe, ns
}
