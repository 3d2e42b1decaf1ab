// Package timeline shows what each PE did when: PEs downwards, time to the right.
//
// In every column of pixels a row is filled from below with the share of the time that its PE was busy and had overhead; the rest is idle.
// The shares are exact at every zoom (tracer/derive/activity), and whatever took any time at all shows as a pixel at least. Where the
// machine has more PEs than the picture has room for, a row stands for a group of them; zooming in opens the groups. Steps that are wide
// enough are drawn apart and named. Messages are drawn as lines from sender to receiver on demand.
package timeline

import (
	"context"
	"slices"

	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/messages"
	"whorl/visual/flow"
	"whorl/visual/icon"
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
		Needs: timeplot.Needs,
		Stages: []flow.Stage{
			view.RunStage, view.SpawnTree, view.PEStage, view.ProcedureStage, match.Stage, timeplot.ActivityStage, match.IndexStage,
			timeplot.PyramidStage, timeplot.BusyStage, messagesStage, geometryStage,
		},
		Geometry: geometryStage.Name,
		Params:   []view.Param{timeplot.ColorBy, withMessages, view.Palette, view.Background},
		Keys:     keys,
		View:     picture{},
	}
}

var keys = append(slices.Clip(timeplot.Keys), view.Key{Key: "m", Doc: "messages, or none"})

// Geometry is what the view draws.
type Geometry struct {
	*timeplot.Busy
	groups *activity.Pyramid
	index  *match.Index
	mail   *messages.Messages // nil where none are to be drawn
}

var messagesStage = flow.Stage{
	Name: "messages", Doc: "what was sent from PE to PE", In: []string{view.Trace}, Params: []string{withMessages.Name},
	Run: func(_ context.Context, in []any, prev any, p flow.Params, tick flow.Tick) (any, error) {
		if !p.Bool(withMessages.Name) {
			return (*messages.Messages)(nil), nil
		}
		src, err := view.Source(in[0])
		if err != nil {
			return nil, err
		}
		before, _ := prev.(*messages.Messages)
		return messages.Grow(src, before, tick)
	},
}

var geometryStage = flow.Stage{
	Name: "timeline", Doc: "all that the picture needs", In: []string{"busy", "pyramid", "index", "messages"},
	Run: func(_ context.Context, in []any, _ any, _ flow.Params, _ flow.Tick) (any, error) {
		return &Geometry{in[0].(*timeplot.Busy), in[1].(*activity.Pyramid), in[2].(*match.Index), in[3].(*messages.Messages)}, nil
	},
}

// picture implements view.View over *Geometry. The world is ns to the right and PEs downwards.
type picture struct{}

// Bounds is the whole run on all PEs.
func (picture) Bounds(geometry any) view.Rect {
	a := geometry.(*Geometry).Act
	return view.Rect{X0: float64(a.From), X1: float64(max(a.To, a.From+1)), Y1: float64(max(a.PEs, 1))}
}
