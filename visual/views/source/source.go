// Package source shows the text of the program. The number of reductions and the time of a clause are shown beside its first line, and
// the clauses of the selection are highlighted. In a sampled run, lines take the place of clauses.
//
// The text comes from the trace, so the view shows the program that ran. Its font size is fixed: the camera scrolls, Y in lines and X in
// characters, and does not zoom.
package source

import (
	"whorl/tracer"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
)

var first = view.Param{Name: "line", Label: "First line", Doc: "0 means the first of the listing or, in a sampled run, a line just above the hottest", Default: int64(0), Max: 1e9}

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "source",
		Title: "Source",
		Doc:   "the text of the program with the reductions and the time of each clause, or the samples of each line",
		Icon:  icon.Code,
		Positions: []view.Position{
			{In: view.Goals, Slot: view.Corner},
			{In: view.Threads, Slot: view.Corner},
			{In: view.Samples, Slot: view.Right, Rank: 1},
			{In: view.Processes, Slot: view.Corner, Rank: 1},
			{In: view.Profiles, Slot: view.Corner},
			{In: view.Compared, Slot: view.Right},
			{In: view.WaitingThreads, Slot: view.Corner, Rank: 2},
			{In: view.WaitingPEs, Slot: view.Corner, Rank: 1},
			{In: view.CodeLines},
			{In: view.Contexts, Slot: view.Corner},
			{In: view.Policies, Slot: view.Corner},
		},
		Program:  true,
		Needs:    []tracer.KindSet{tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Fork), tracer.Kinds(tracer.Sample)},
		Picture:  view.Draws(geometryStage),
		Params:   []view.Param{view.Background, view.CompareRuns, first},
		Keys:     keys,
		Windowed: true,

		Condensation: &view.Condensation{Kind: condensed, Memory: memoryOf},
	}
}

var keys = []view.Key{
	{Key: "n", Doc: "go to the next match: highlighted line"},
	{Key: "N", Doc: "go to the previous match: highlighted line"},
	view.CompareKey,
	{Key: "PageUp", Doc: "a page up"},
	{Key: "PageDown", Doc: "a page down"},
	{Key: "Home", Doc: "go to the start: first line"},
	{Key: "End", Doc: "go to the end: last line"},
}

// Bounds returns a point: text is not scaled to the pane.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{} }
