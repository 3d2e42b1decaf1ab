// Package calltable shows calling contexts as tables, as profilers do: the flat profile, a row for each function with all its contexts, in
// which recursion is counted once, and the call tree, a row for each context, which can be opened and closed. Both are sorted by any column,
// and tell beside the sums how the processes lie.
package calltable

import (
	"slices"
	"strings"
	"sync"

	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// What tables can be sorted by.
const (
	byName      = "name"
	byInclusive = "inclusive"
	byExclusive = "exclusive"
	byVisits    = "visits"
	byMean      = "mean"
	byLeast     = "least"
	byMost      = "most"
	bySpread    = "spread"
	byDiffers   = "difference"
	byModule    = "module"
)

var sorts = []string{byInclusive, byExclusive, byVisits, byMean, byLeast, byMost, bySpread, byDiffers, byName, byModule}

func sortBy(first string) view.Param {
	return view.Param{Name: "sort", Doc: "the column by which rows are sorted", Default: first, Choices: sorts}
}

var (
	reverse = view.Param{Name: "reverse", Doc: "the other way around: numbers from the smallest, names from the end", Default: false}
	top     = view.Param{
		Name: "top", Doc: "how many of the functions are listed, in percent of all, those that spent most themselves", Default: 100.0, Min: 0, Max: 100,
	}
	least = view.Param{
		Name: "least", Doc: "least share of a context with all that it called, in percent, for which it has a row", Default: 0.0, Min: 0, Max: 100,
	}
	open = view.Param{
		Name: "open", Doc: "share of a context with all that it called, in percent, from which it is open by itself; above 100 none is", Default: 10.0, Min: 0, Max: 101,
	}
	opened = view.Param{Name: "opened", Doc: "numbers of the contexts that are open all the same, with a + before them, or closed, with a -", Default: ""}
)

// Functions describes the flat profile.
func Functions() *view.Kind {
	return &view.Kind{
		Name:      "functions",
		Title:     "Flat profile",
		Doc:       "the functions of the run with all their calls, recursion counted once, and how they lie on the processes",
		Icon:      icon.Table,
		Positions: []view.Position{{In: view.Processes, Rank: 3}},
		Needs:     contexts.Needs,
		Picture:   view.Draws(functionsStage),
		Params:    append(contexts.Params(), contexts.Against, sortBy(byExclusive), reverse, top, contexts.Find, contexts.Root, view.Palette, view.Background),
		Keys:      append(slices.Clone(keys), contexts.Keys...),
		Contexts:  true,
		Windowed:  true,
	}
}

// Tree describes the call tree.
func Tree() *view.Kind {
	return &view.Kind{
		Name:      "contexts",
		Title:     "Call tree",
		Doc:       "the calling contexts of the run as a table that opens and closes, and how they lie on the processes",
		Icon:      icon.Menu,
		Positions: []view.Position{{In: view.Samples, Slot: view.Under, Rank: 1}, {In: view.Processes, Rank: 2}},
		Needs:     contexts.Needs,
		Picture:   view.Draws(treeStage),
		Params:    append(contexts.Params(), contexts.Against, sortBy(byInclusive), reverse, least, open, opened, contexts.Find, contexts.Root, view.Palette, view.Background),
		Keys:      append(append(slices.Clone(keys), treeKeys...), contexts.Keys...),
		Contexts:  true,
		Windowed:  true,
	}
}

var keys = []view.Key{
	{Key: "Home", Doc: "select the first row"},
	{Key: "End", Doc: "select the last row"},
	{Key: "PageUp", Doc: "select the row a page further up"},
	{Key: "PageDown", Doc: "select the row a page further down"},
	{Key: "Enter", Doc: "show the selected context alone, with what it called; a double click shows one too", Action: view.Action{Do: view.EnterSubtree}},
	{Key: "Backspace", Doc: "go back to what was shown before", Action: view.Action{Do: view.Back}},
	{Key: "r", Doc: "go back to the whole tree", Action: view.Action{Do: view.LeaveTo}},
	{Key: "n", Doc: "select the next row that was found"},
	{Key: "d", Doc: "how the selected processes differ from all others, or this run from the one beside it; and back"},
}

var treeKeys = []view.Key{
	{Key: "e", Doc: "open the way to what is selected, wherever it was selected"},
	{Key: "x", Doc: "open everything", Action: view.Action{Do: view.SetParam, Name: open.Name, Value: "0"}},
	{Key: "c", Doc: "close everything", Action: view.Action{Do: view.SetParam, Name: open.Name, Value: "101"}},
}

var functionsStage = flow.Derive("functiontable", "the functions in order",
	flow.In(contexts.SpreadStage, contexts.DifferenceStage, flatStage),
	flow.Params{"sort", reverse.Name, top.Name, contexts.Find.Name, contexts.Root.Name, view.Palette.Name, view.Background.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := newGeometry(contexts.SpreadStage.In(c), contexts.DifferenceStage.In(c), c.Params)
		g.flat = flatStage.In(c)
		g.listFunctions(c.Params.Float(top.Name))
		return g, nil
	})

var treeStage = flow.Derive("calltree", "the contexts that have a row, in order",
	flow.In(contexts.SpreadStage, contexts.DifferenceStage),
	flow.Params{"sort", reverse.Name, least.Name, open.Name, opened.Name, contexts.Find.Name, contexts.Root.Name, view.Palette.Name, view.Background.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p := c.Params
		g := newGeometry(contexts.SpreadStage.In(c), contexts.DifferenceStage.In(c), p)
		g.opening = opening{least: p.Float(least.Name), open: p.Float(open.Name), list: p.Text(opened.Name)}
		g.listTree()
		return g, nil
	})

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Revealer
	view.Chooser
	view.Doubter
} = (*Geometry)(nil)

// Geometry is what the views draw.
type Geometry struct {
	*contexts.Spreads
	diff    *contexts.Differences
	differs float64 // the largest difference of a row, either way
	dark    bool
	flat    *flat // nil for the call tree
	opening opening
	root    int32
	sort    string
	reverse bool
	found   []int32 // nodes
	sought  string
	wrong   error // with what is sought

	rows   []row
	rowOf  map[int32]int // by node, of the call tree; by code, of the flat profile
	listed int           // functions or contexts that could have a row
	deep   int32         // the largest depth of a row
	filed  bool          // some rows have a file

	mu     sync.Mutex
	memo   []lit
	widest map[string]float64
}

// A row is a function, or a context.
type row struct {
	node           int32 // of a function, its first outermost context
	code           uint32
	depth          int32
	in, ex, visits int64
	spread         callingcontext.Spread
	calls, open    bool // it called others that may have a row; they have
	function       int  // in flat, -1 for a context
	module         string
	inside         int // that are found below a row that is not open
	marked         bool
	share          float64 // by how much the compared processes differ, as a part of what one spends in all
}

func newGeometry(s *contexts.Spreads, d *contexts.Differences, p flow.Values) *Geometry {
	g := &Geometry{
		Spreads: s, diff: d, dark: p.Text(view.Background.Name) == "dark", sort: p.Text("sort"), reverse: p.Bool(reverse.Name), rowOf: map[int32]int{}, widest: map[string]float64{},
		sought: strings.TrimSpace(p.Text(contexts.Find.Name)),
	}
	g.root = g.Root(uint64(p.Int(contexts.Root.Name)))
	var err error
	if g.found, err = g.Search(g.sought); err != nil { // it may be half typed
		g.sought, g.wrong = "", err
	}
	return g
}

// Bounds returns all rows. The world's unit downwards is a row; there is one unit to the right.
func (g *Geometry) Bounds() scene.Rect {
	return scene.Rect{X1: 1, Y1: float64(max(len(g.rows), 1))}
}

// Wrong is what is wrong with what is looked for, or with the processes.
func (g *Geometry) Wrong() error {
	return g.Contexts.Wrong(g.wrong, g.diff)
}
