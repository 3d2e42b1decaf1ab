// Package detail shows a part of the program line by line: how much each line has on each processor, as a number on a heat map, aligned with
// the text of the line and with how far its processors differ (PerfVisS, sections 2.1.1 to 2.1.3).
//
// Which lines these are is in the state that all views share (view.Frame.Detail): the detail, the column of extremes, the assembler and the
// surface show the same ones, and the overview outlines them. Of the camera X alone counts: how many characters of the text are passed over.
package detail

import (
	"slices"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

var line = view.Param{Name: "line", Doc: "the line at the top, while nothing else says which lines are shown; 0 is a screen around the hottest one", Default: int64(0), Max: 1 << 30}

// Kind describes the view of all three columns.
func Kind() *view.Kind {
	k := kind(view.Draws(detailStage), detailKeys)
	k.Name, k.Title = "detail", "Detail"
	k.Doc = "lines by processors: ticks as heat and as numbers, beside the text of the lines, their extremes, mean and variance"
	k.Icon, k.Positions = icon.Table, []view.Position{{In: view.Samples, Slot: view.Right}, {In: view.Processes, Slot: view.Corner}}
	k.Params = append(k.Params, lineplot.Normalised, lineplot.Processors, lineplot.SortBy, lineplot.SortLine, lineplot.First)
	return k
}

// Extremes describes the column of extremes as a view of its own.
func Extremes() *view.Kind {
	k := kind(view.Draws(extremesStage), rowKeys)
	k.Name, k.Title = "minmax", "Min-max"
	k.Doc = "for each line the processors with least and most ticks as a dark and a light bar, with numbers, mean and variance"
	k.Icon, k.Positions = icon.Chart, []view.Position{{In: view.Samples, Slot: view.Far}, {In: view.Processes, Slot: view.Corner, Rank: 2}}
	return k
}

// Assembler describes the view of the instructions of the lines that the detail shows.
func Assembler() *view.Kind {
	k := kind(view.Draws(assemblerStage), listingKeys)
	k.Name, k.Title = "assembler", "Assembler"
	k.Doc = "the instructions of the lines that the detail shows, with the ticks that each has on each processor"
	k.Icon, k.Positions = icon.Code, []view.Position{{In: view.Samples, Slot: view.Under, Rank: 3}}
	k.Params = append(k.Params, lineplot.Normalised, lineplot.Processors, lineplot.SortBy, lineplot.SortLine, lineplot.First)
	return k
}

var (
	columnKeys = []view.Key{
		{Key: "p", Doc: "columns are processors, groups of them, or ranks"},
		{Key: "t", Doc: "columns by number, with most ticks first, or with most at the selected line first"},
		{Key: "z", Doc: "heat is normalised, or not"},
	}
	rowKeys = []view.Key{
		{Key: "b", Doc: "go to the hottest line"},
		{Key: "n", Doc: "go to the next line that is lit, or that has ticks"},
		{Key: "PageUp", Doc: "a page up"},
		{Key: "PageDown", Doc: "a page down"},
		{Key: "Home", Doc: "the first line of the file"},
		{Key: "End", Doc: "the last line of the file"},
	}
	detailKeys  = slices.Concat(rowKeys, columnKeys)
	listingKeys = slices.Concat([]view.Key{
		{Key: "n", Doc: "go to the next line that is lit"},
		{Key: "PageUp", Doc: "a page up"},
		{Key: "PageDown", Doc: "a page down"},
		{Key: "Home", Doc: "the first instruction", Action: view.Action{Do: view.SetCamera}},
		{Key: "End", Doc: "the last instruction"},
	}, columnKeys)
)

func kind(pictures view.Pictures, keys []view.Key) *view.Kind {
	return &view.Kind{
		Needs: lineplot.Needs, Windowed: true, Picture: pictures, Keys: keys,
		Params: []view.Param{view.Palette, view.Background, lineplot.Metric, lineplot.Inclusive, line},
	}
}

// keys are those of the picture's kind.
func (g *Geometry) keys() []view.Key {
	if g.heatmap() {
		return detailKeys
	}
	return rowKeys
}

// Bounds is a point: lines are not fitted.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{} }
