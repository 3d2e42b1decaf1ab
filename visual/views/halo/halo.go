// Package halo shows calling contexts as a tree whose nodes show how the processes differ, and below it the functions that the tree hides.
// The view is that of H. T. Nguyen, L. Wei, A. Bhatele, T. Gamblin, D. Boehme, M. Schulz, K.-L. Ma and P.-T. Bremer, "VIPACT: A
// Visualization Interface for Analyzing Calling Context Trees" (VPA 2016).
//
// A node is a halo of three rings (section III A). The histogram of its values over the processes is symmetric about the mean and divided
// into thirds. The colour of the inner ring is the share of the processes in the lowest third, that of the central ring the share in the
// middle third, and that of the outer ring the share in the highest. If all processes have exactly the same value, a disc replaces the
// rings. Balanced work has a dark central ring; a dark outer ring means that most processes are slower than the mean.
//
// The Halo-DAG (section III B) is a row of discs at the bottom: the functions with the largest exclusive values that no node of the tree
// shows. Lines join each to all lowest visible ancestors of its contexts. The width of a line is the value below that ancestor, which the
// paper left as future work.
package halo

import (
	"math"
	"slices"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

var (
	least = view.Param{
		Name: "least", Label: "Smallest share (%)", Doc: "the least inclusive share, in percent, of a context that is drawn", Default: 1.0, Min: 0, Max: 100,
	}
	hot = view.Param{
		Name: "hot", Label: "Highlight paths from (%)", Doc: "the least inclusive share, in percent, of a context with a highlighted path", Default: 20.0, Min: 0, Max: 100,
	}
	top = view.Param{
		Name: "top", Label: "Hidden functions (%)", Doc: "show the hidden functions of this top percentage by exclusive value, at least a dozen, at the bottom; 0 shows none",
		Default: 0.5, Min: 0, Max: 100,
	}
	chains = view.Param{
		Name: "chains", Label: "Longest chain (contexts)", Doc: "the longest chain of contexts with one callee each that is drawn in full; 0 chooses it for at most 40 levels",
		Default: int64(0), Min: 0, Max: math.MaxInt32,
	}
	folded = view.Param{Name: "folded", Label: "Folded contexts", Doc: "the numbers of the contexts whose callees are hidden, separated by commas", Default: ""}
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "halo",
		Title: "Halo tree",
		Doc:   "calling contexts as a tree of halos that show how the processes differ, with the hidden functions below it",
		Icon:  icon.Fork,
		Positions: []view.Position{
			{In: view.Samples, Rank: 2},
			{In: view.Processes},
			{In: view.Profiles, Rank: 2},
			{In: view.BalanceOfCode, Slot: view.Right, Rank: 1},
			{In: view.Contexts, Slot: view.Under},
		},
		Needs:    contexts.Needs,
		Picture:  view.Draws(geometryStage),
		Params:   append(contexts.Params(), contexts.Against, least, hot, top, contexts.Find, contexts.Root, chains, folded, view.Palette, view.Background),
		Keys:     keys,
		Contexts: true,
		Windowed: true,
	}
}

var keys = append([]view.Key{
	{Key: "Enter", Doc: "go into the selection: show the context and its callees alone, as a double click does"},
	{Key: "Backspace", Doc: "go back out: to the previous root", Action: view.Action{Do: view.Back}},
	{Key: "c", Doc: "fold or unfold: the callees of the selected context, as a click on the sign beside it does"},
	{Key: "x", Doc: "unfold all: hidden callees", Action: view.Action{Do: view.SetParam, Name: folded.Name, Value: ""}},
}, append(slices.Clone(contexts.Keys),
	contexts.CompareKey,
	view.MatchKeys[0], view.MatchKeys[1],
	view.Key{Key: "u", Doc: "go to the worst: context where the slowest process is farthest above the mean, then the next one"},
)...)

// Bounds returns a rectangle around all nodes. The world has a unit to the right for each leaf and a unit downwards for each level.
func (g *Geometry) Bounds() scene.Rect {
	return scene.Rect{X1: max(g.width, 1), Y1: max(g.depth, 1)}
}

// Wrong reports which of the user's settings were ignored: an invalid search, unknown processes, a missing baseline.
func (g *Geometry) Wrong() error {
	return g.Contexts.Wrong(g.wrong, g.diff)
}
