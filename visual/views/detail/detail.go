// Package detail shows a part of the program line by line: a heat map with the count of each line on each processor, the text of the line,
// and the extremes, mean and variance over the processors (PerfVisS, sections 2.1.1 to 2.1.3).
//
// All views share the shown lines (view.Frame.Detail): the detail, the column of extremes, the assembler and the surface show them, and the
// overview outlines them. The camera's X is the number of characters scrolled out of the text at the left; its Y and Scale have no effect.
package detail

import (
	"slices"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

var line = view.Param{Name: "line", Label: "First line", Doc: "until a view scrolls; 0 shows the lines around the hottest", Default: int64(0), Max: 1 << 30}

// Kind describes the view with all three columns: heat map, text and extremes.
func Kind() *view.Kind {
	k := kind(view.Draws(detailStage), detailKeys)
	k.Name, k.Title = "detail", "Detail"
	k.Doc = "lines by processors: ticks as heat and numbers, the text of the lines, and their extremes, mean and variance"
	k.Icon, k.Positions = icon.Table, []view.Position{{In: view.Samples, Slot: view.Right}, {In: view.Processes, Slot: view.Corner}, {In: view.Profiles, Slot: view.Corner, Rank: 1}, {In: view.CodeLines, Slot: view.Corner}}
	k.Params = append(k.Params, lineplot.Normalised, lineplot.Processors, lineplot.SortBy, lineplot.SortLine, lineplot.First)
	return k
}

// Extremes describes the view with the text and the column of extremes.
func Extremes() *view.Kind {
	k := kind(view.Draws(extremesStage), minmaxKeys)
	k.Name, k.Title = "minmax", "Min-max"
	k.Doc = "least and most ticks of a processor for each line as a dark and a light bar, with numbers, mean and variance"
	k.Icon, k.Positions = icon.Chart, []view.Position{{In: view.Samples, Slot: view.Far}, {In: view.Processes, Slot: view.Corner, Rank: 2}, {In: view.CodeLines, Slot: view.Corner, Rank: 1}}
	return k
}

// Assembler describes the view of the instructions of the detail's lines.
func Assembler() *view.Kind {
	k := kind(view.Draws(assemblerStage), listingKeys)
	k.Name, k.Title = "assembler", "Assembler"
	k.Doc = "the instructions of the lines in the detail view, or of those around the hottest line, with the ticks of each on each processor"
	k.Icon, k.Positions = icon.Code, []view.Position{{In: view.Samples, Slot: view.Under, Rank: 3}, {In: view.CodeLines, Slot: view.Corner, Rank: 2}}
	k.Params = append(k.Params, lineplot.Normalised, lineplot.Processors, lineplot.SortBy, lineplot.SortLine, lineplot.First)
	return k
}

var (
	columnKeys = []view.Key{
		{Key: "p", Doc: "switch columns between processors, groups of processors and ranks"},
		{Key: "q", Doc: "sort columns by number, by ticks, or by ticks at the selected line"},
		{Key: "a", Doc: "normalised heat on or off"},
		view.CompareKey,
	}
	rowKeys = []view.Key{
		{Key: "u", Doc: "go to the worst: the hottest line"},
		{Key: "n", Doc: "go to the next match: highlighted line or, without a selection, line with ticks"},
		{Key: "N", Doc: "go to the previous match: highlighted line or, without a selection, line with ticks"},
		{Key: "PageUp", Doc: "a page up"},
		{Key: "PageDown", Doc: "a page down"},
		{Key: "Home", Doc: "go to the start: first line of the file"},
		{Key: "End", Doc: "go to the end: last line of the file"},
	}
	minmaxKeys  = append(rowKeys[:len(rowKeys):len(rowKeys)], view.CompareKey)
	detailKeys  = slices.Concat(rowKeys, columnKeys)
	listingKeys = slices.Concat([]view.Key{
		{Key: "n", Doc: "go to the next match: highlighted line"},
		{Key: "N", Doc: "go to the previous match: highlighted line"},
		{Key: "PageUp", Doc: "a page up"},
		{Key: "PageDown", Doc: "a page down"},
		{Key: "Home", Doc: "go to the start: first instruction", Action: view.Action{Do: view.SetCamera}},
		{Key: "End", Doc: "go to the end: last instruction"},
	}, columnKeys)
)

func kind(pictures view.Pictures, keys []view.Key) *view.Kind {
	return &view.Kind{
		Needs: lineplot.Needs, Windowed: true, Picture: pictures, Keys: keys,
		Params: []view.Param{lineplot.Palette, view.Background, lineplot.Metric, lineplot.Inclusive, view.CompareRuns, line},
	}
}

// keys returns the keys of the picture's kind.
func (g *Geometry) keys() []view.Key {
	if g.heatmap() {
		return detailKeys
	}
	return minmaxKeys
}

// Bounds returns a point: lines are not scaled to the pane.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{} }
