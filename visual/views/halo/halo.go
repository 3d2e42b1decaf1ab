// Package halo shows calling contexts as a tree whose nodes tell how processes differ, and below it the functions that the tree hides:
// H. T. Nguyen, L. Wei, A. Bhatele, T. Gamblin, D. Boehme, M. Schulz, K.-L. Ma and P.-T. Bremer, "VIPACT: A Visualization Interface for
// Analyzing Calling Context Trees" (VPA 2016).
//
// A node is a halo of three rings (section III A). Its histogram over the processes is centred at their mean, and has three thirds of equal
// width: the share of the processes in the lower one is the colour of the inner ring, that in the middle one of the central ring, and that in
// the upper one of the outer ring. Where all processes are exactly equal there is no range, and a disc in its place. Work that is shared
// out evenly has dark central rings; a dark outer ring says that most are slower than the mean.
//
// The Halo-DAG (section III B) is a row of discs at the bottom, for the functions with most of the flat profile that no node of the tree
// shows. Each is joined to all its lowest visible ancestors by lines as wide as what it spent below them, which the paper left as future
// work.
package halo

import (
	"math"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

var (
	least = view.Param{
		Name: "least", Doc: "least share of a context with all that it called, in percent, for which it is drawn", Default: 1.0, Min: 0, Max: 100,
	}
	hot = view.Param{
		Name: "hot", Doc: "share of a context with all that it called, in percent, from which its path is lit", Default: 20.0, Min: 0, Max: 100,
	}
	top = view.Param{
		Name: "top", Doc: "functions at the bottom, where the tree hides them: this percent of all, those that spent most themselves, and a dozen at least; 0 is none",
		Default: 0.5, Min: 0, Max: 100,
	}
	chains = view.Param{
		Name: "chains", Doc: "contexts one below the other, of which each calls the next alone, are drawn as one where they are more than so many; 0 is as many as leave no more than 40 levels",
		Default: int64(0), Min: 0, Max: math.MaxInt32,
	}
	folded = view.Param{Name: "folded", Doc: "numbers of the contexts whose callees are hidden, parted by commas", Default: ""}
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "halo",
		Title: "Halo tree",
		Doc:   "calling contexts as a tree of halos, which tell how the processes differ, and the functions that it hides",
		Icon:  icon.Fork,
		Positions: []view.Position{
			{In: view.Samples, Rank: 2},
			{In: view.Processes},
		},
		Needs:    contexts.Needs,
		Picture:  view.Draws(geometryStage),
		Params:   append(contexts.Params(), contexts.Against, least, hot, top, contexts.Find, contexts.Root, chains, folded, view.Palette, view.Background),
		Keys:     keys,
		Contexts: true,
		Windowed: true,
	}
}

var keys = []view.Key{
	{Key: "Enter", Doc: "show the selected context and what it called alone; a double click does that too"},
	{Key: "Backspace", Doc: "back to what was shown before", Action: view.Action{Do: view.Back}},
	{Key: "c", Doc: "hide what the selected context called, or show it; a click on the sign beside it does that too"},
	{Key: "x", Doc: "show all that is hidden so", Action: view.Action{Do: view.SetParam, Name: folded.Name, Value: ""}},
	{Key: "m", Doc: "the next metric"},
	{Key: "v", Doc: "of contexts with all that they called, or of themselves alone"},
	{Key: "s", Doc: "the selected processes alone, or all"},
	{Key: "d", Doc: "how the selected processes differ from all others, or this run from the one beside it; and back"},
	{Key: "n", Doc: "go to the next context that was found"},
	{Key: "u", Doc: "go to the context in which the processes differ most, then to the next one"},
}

// Bounds returns all nodes. The world has one unit for each leaf to the right and one for each level downwards.
func (g *Geometry) Bounds() scene.Rect {
	return scene.Rect{X1: max(g.width, 1), Y1: max(g.depth, 1)}
}

// Wrong is what is wrong with what is looked for, shown or compared.
func (g *Geometry) Wrong() error {
	return g.Contexts.Wrong(g.wrong, g.diff)
}
