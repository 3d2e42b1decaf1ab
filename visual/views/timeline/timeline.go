// Package timeline shows what each PE did when: PEs downwards, time to the right.
//
// In every column of pixels a row is filled from below with the share of the time that its PE was busy and had overhead; the rest is idle.
// The shares are exact at every zoom (tracer/derive/activity), and whatever took any time at all shows as a pixel at least. Where the
// machine has more PEs than the picture has room for, a row stands for a group of them; zooming in opens the groups. Steps that are wide
// enough are drawn apart and named. Messages are drawn as lines from sender to receiver on demand.
package timeline

import (
	"slices"

	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/messages"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

var withMessages = view.Param{
	Name: "messages", Doc: "draw messages as lines from sender to receiver; where there are none, work that moved", Default: false,
}

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "timeline",
		Title: "Timeline",
		Doc:   "what each PE did when: busy, overhead and idle time, and messages on demand",
		Icon:  icon.Rows,
		Positions: []view.Position{
			{In: view.Goals, Slot: view.Right},
			{In: view.Threads, Slot: view.Right},
			{In: view.Samples, Rank: 4},
			{In: view.Processes, Rank: 5},
			{In: view.Compared, Slot: view.Under, Rank: 1},
		},
		Needs:   timeplot.Needs,
		Picture: view.Draws(geometryStage),
		Params:  []view.Param{timeplot.ColorBy, withMessages, view.Palette, view.Background},
		Keys:    keys,
	}
}

var keys = append(slices.Clip(timeplot.Keys), view.Key{Key: "m", Doc: "messages, or none"})

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Timed
} = (*Geometry)(nil)

// Geometry is what the view draws.
type Geometry struct {
	*timeplot.Busy
	groups *activity.Pyramid
	index  *match.Index
	mail   *messages.Messages // nil where none are to be drawn
}

var messagesStage = flow.Derive("messages", "what was sent from PE to PE",
	flow.In(view.Trace),
	flow.Params{withMessages.Name},
	func(c *flow.Call[*messages.Messages]) (*messages.Messages, error) {
		if !c.Params.Bool(withMessages.Name) {
			return (*messages.Messages)(nil), nil
		}
		return messages.Grow(view.Trace.In(c), c.Prev, c.Tick)
	})

var geometryStage = flow.Derive("timeline", "all that the picture needs",
	flow.In(timeplot.BusyStage, timeplot.PyramidStage, match.IndexStage, messagesStage), nil,
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		return &Geometry{timeplot.BusyStage.In(c), timeplot.PyramidStage.In(c), match.IndexStage.In(c), messagesStage.In(c)}, nil
	})

// Bounds returns the whole run on all PEs. The world is ns to the right and PEs downwards.
func (g *Geometry) Bounds() scene.Rect {
	a := g.Act
	return scene.Rect{X0: float64(a.From), X1: float64(max(a.To, a.From+1)), Y1: float64(max(a.PEs, 1))}
}
