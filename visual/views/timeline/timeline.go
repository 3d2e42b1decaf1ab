// Package timeline shows the state of each PE over time, with PEs downwards and time to the right.
//
// Each column of pixels fills a row from the bottom with the shares of the time that its PE was busy and had overhead; the rest is idle.
// In a trace of samples, colours show the functions that the samples found: a column has the share of each in its time.
//
// The shares are exact at every zoom (tracer/derive/activity), and every state that took any time has at least a pixel. In a machine with more
// PEs than the picture has room for, a row shows a group of PEs; zooming in divides the groups. Wide steps are separated and named. Messages
// are drawn as lines from sender to receiver on demand.
package timeline

import (
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/messages"
	"whorl/tracer/derive/waits"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

var withMessages = view.Param{
	Name: "messages", Label: "Messages", Doc: "draw messages as lines from sender to receiver, or moves of work in traces without messages", Default: false,
}

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "timeline",
		Title: "Timeline",
		Doc:   "the state of each PE over time: busy, overhead and idle, with messages on demand",
		Icon:  icon.Rows,
		Positions: []view.Position{
			{In: view.Goals, Slot: view.Right},
			{In: view.Threads, Slot: view.Right},
			{In: view.Samples, Rank: 4},
			{In: view.Processes, Rank: 5},
			{In: view.Profiles, Rank: 4},
			{In: view.Compared, Slot: view.Under, Rank: 1},
			{In: view.Printed, Rank: 1},
			{In: view.BalanceOfTasks, Slot: view.Right, Rank: 1, Set: "color=pe"},
			{In: view.WaitingThreads, Slot: view.Right, Set: "messages=true"},
			{In: view.WaitingPEs, Set: "messages=true"},
			{In: view.Communication, Slot: view.Right, Set: "messages=true"},
			{In: view.Policies, Slot: view.Under, Rank: 1},
		},
		Examples: []string{"fghc/primes"},
		Needs:    timeplot.Needs,
		Timed:    true,
		Picture:  view.Draws(geometryStage).With(timeplot.ByTask),
		Params:   []view.Param{timeplot.ColorBy, timeplot.Rows, timeplot.Depth, contexts.Focus, withMessages, timeplot.WithPath, view.CompareRuns, view.Palette, view.Background},
		Keys:     keys,

		Condensation: timeplot.Outlined(Kind),
	}
}

var keys = append(slices.Clip(timeplot.Keys), view.Key{Key: "e", Doc: "edges on or off: messages"}, view.Key{Key: "k", Doc: "critical path on or off"},
	view.Key{Key: "g", Doc: "switch the geometry: rows are PEs, tasks or functions"}, view.CompareKey)

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Timed
} = (*Geometry)(nil)

// Geometry is the picture of the view.
type Geometry struct {
	*timeplot.Busy
	groups *activity.Pyramid
	index  *match.Index
	mail   *messages.Messages // nil if messages are off
	path   *waits.Path        // nil if it is off, or unknown
	strung bool               // the path is on
	dict   *tracer.Dict
	other  *timeplot.Other
}

var messagesStage = flow.Derive("messages", "messages and moves of work between PEs",
	flow.In(view.Trace),
	flow.Params{withMessages.Name},
	func(c *flow.Call[*messages.Messages]) (*messages.Messages, error) {
		if !c.Params.Bool(withMessages.Name) {
			return (*messages.Messages)(nil), nil
		}
		return messages.Grow(view.Trace.In(c), c.Prev, c.Tick)
	})

var geometryStage = flow.Derive("timeline", "the picture",
	append(flow.In(view.Trace, timeplot.BusyStage, timeplot.PyramidStage, match.IndexStage, messagesStage, timeplot.ThreadPathStage), timeplot.OtherRun...),
	flow.Params{timeplot.WithPath.Name, view.Against},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		return &Geometry{
			timeplot.BusyStage.In(c), timeplot.PyramidStage.In(c), match.IndexStage.In(c), messagesStage.In(c), timeplot.ThreadPathStage.In(c),
			c.Params.Bool(timeplot.WithPath.Name), view.Trace.In(c).Dict(), timeplot.OtherOf(c, c.Params, timeplot.BusyStage.In(c)),
		}, nil
	})

// Bounds returns the whole run on all PEs. The world has ns to the right and PEs downwards.
func (g *Geometry) Bounds() scene.Rect {
	a := g.Act
	return scene.Rect{X0: float64(a.From), X1: float64(max(g.other.To(a.To), a.From+1)), Y1: float64(max(a.PEs, 1))}
}

// Wrong returns the reason why the run is not compared with another, or nil.
func (g *Geometry) Wrong() error { return g.other.Wrong() }
