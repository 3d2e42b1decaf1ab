// Package calltable shows calling contexts as tables, as profilers do. The flat profile has a row for each function, with recursion
// counted once. The call tree has a row for each context, and rows open and close. Both can be sorted by any column, and show the
// distribution over the processes beside the sums.
package calltable

import (
	"slices"
	"strings"
	"sync"

	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// The values of the parameter sort.
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

// sortBy returns the parameter sort with a default.
func sortBy(column string) view.Param {
	return view.Param{Name: "sort", Label: "Sort by", Doc: "the column that rows are sorted by", Default: column, Choices: sorts}
}

var (
	reverse = view.Param{Name: "reverse", Label: "Reverse order", Doc: "the smallest number or the last name comes first", Default: false}
	top     = view.Param{
		Name: "top", Label: "Functions listed (%)", Doc: "list this percentage of the functions, those with the largest exclusive values", Default: 100.0, Min: 0, Max: 100,
	}
	least = view.Param{
		Name: "least", Label: "Smallest share (%)", Doc: "the least inclusive share, in percent, of a context with a row", Default: 0.0, Min: 0, Max: 100,
	}
	open = view.Param{
		Name: "open", Label: "Open from (%)", Doc: "the least inclusive share, in percent, of a context that is open at first; above 100 none is", Default: 10.0, Min: 0, Max: 101,
	}
	opened = view.Param{Name: "opened", Label: "Opened and closed", Doc: "exceptions: the numbers of contexts that the user opened (+) or closed (-)", Default: ""}
)

// Functions describes the flat profile.
func Functions() *view.Kind {
	return &view.Kind{
		Name:  "functions",
		Title: "Flat profile",
		Doc:   "the flat profile: a row for each function, recursion counted once, with the distribution over the processes",
		Icon:  icon.Table,
		Positions: []view.Position{
			{In: view.Processes, Rank: 3},
			{In: view.Profiles, Rank: 5},
			{In: view.BalanceOfCode, Rank: 1},
			{In: view.Contexts, Rank: 1},
		},
		Needs:    contexts.Needs,
		Picture:  view.Draws(functionsStage),
		Params:   append(contexts.Params(), contexts.Against, sortBy(byExclusive), reverse, top, contexts.Find, contexts.Root, view.Palette, view.Background),
		Keys:     append(slices.Clone(keys), contexts.Keys...),
		Contexts: true,
		Windowed: true,
	}
}

// Tree describes the call tree.
func Tree() *view.Kind {
	return &view.Kind{
		Name:  "contexts",
		Title: "Call tree",
		Doc:   "the call tree as a table with rows that open and close, with the distribution over the processes",
		Icon:  icon.Menu,
		Positions: []view.Position{
			{In: view.Samples, Slot: view.Under, Rank: 1},
			{In: view.Processes, Rank: 2},
			{In: view.Profiles, Rank: 1},
			{In: view.Compared, Rank: 2, Needs: tracer.Kinds(tracer.Sample)},
			{In: view.Contexts},
			{In: view.Policies, Rank: 2},
		},
		Needs:    contexts.Needs,
		Picture:  view.Draws(treeStage),
		Params:   append(contexts.Params(), contexts.Against, sortBy(byInclusive), reverse, least, open, opened, contexts.Find, contexts.Root, view.Palette, view.Background),
		Keys:     append(append(slices.Clone(keys), treeKeys...), contexts.Keys...),
		Contexts: true,
		Windowed: true,
	}
}

var keys = []view.Key{
	{Key: "Home", Doc: "go to the start: select the first row"},
	{Key: "End", Doc: "go to the end: select the last row"},
	{Key: "PageUp", Doc: "a page up: select the row there"},
	{Key: "PageDown", Doc: "a page down: select the row there"},
	{Key: "Enter", Doc: "go into the selection: show the context and its callees alone, as a double click does", Action: view.Action{Do: view.EnterSubtree}},
	{Key: "Backspace", Doc: "go back out: to the previous root", Action: view.Action{Do: view.Back}},
	{Key: "r", Doc: "go back to the whole tree", Action: view.Action{Do: view.LeaveTo}},
	view.MatchKeys[0], view.MatchKeys[1],
	contexts.CompareKey,
}

var treeKeys = []view.Key{
	{Key: "o", Doc: "open the path to the selection"},
	{Key: "x", Doc: "unfold all: rows", Action: view.Action{Do: view.SetParam, Name: open.Name, Value: "0"}},
	{Key: "c", Doc: "fold or unfold: close all rows", Action: view.Action{Do: view.SetParam, Name: open.Name, Value: "101"}},
}

var functionsStage = flow.Derive("functiontable", "the rows of the flat profile",
	flow.In(contexts.SpreadStage, contexts.DifferenceStage, flatStage),
	flow.Params{"sort", reverse.Name, top.Name, contexts.Find.Name, contexts.Root.Name, view.Palette.Name, view.Background.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := newGeometry(contexts.SpreadStage.In(c), contexts.DifferenceStage.In(c), c.Params)
		g.flat = flatStage.In(c)
		g.listFunctions(c.Params.Float(top.Name))
		return g, nil
	})

var treeStage = flow.Derive("calltree", "the rows of the call tree",
	flow.In(contexts.SpreadStage, contexts.DifferenceStage),
	flow.Params{"sort", reverse.Name, least.Name, open.Name, opened.Name, contexts.Find.Name, contexts.Root.Name, view.Palette.Name, view.Background.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p := c.Params
		g := newGeometry(contexts.SpreadStage.In(c), contexts.DifferenceStage.In(c), p)
		exceptions, err := exceptions(p.Text(opened.Name))
		if err != nil {
			return nil, err
		}
		g.opening = opening{least: p.Float(least.Name), open: p.Float(open.Name), list: p.Text(opened.Name), exceptions: exceptions}
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

// Geometry is the picture of both views.
type Geometry struct {
	*contexts.Spreads
	diff    *contexts.Differences
	differs float64 // largest absolute difference of a row
	dark    bool
	flat    *flat // nil for the call tree
	opening opening
	root    int32
	sort    string
	reverse bool
	found   []int32 // matches of sought, nodes
	sought  string
	wrong   error // sought is not a regular expression

	rows    []row
	rowOf   map[int32]int // by node for the call tree, by code for the flat profile
	listed  int           // number of functions or contexts, with or without a row
	without int           // of these, those left out because they have no values
	smaller int           // and those of the flat profile beyond the listed percentage
	shown   []bool        // by node of the call tree, from the root on: it has a row if its ancestors are open
	deep    int32         // largest depth of a row
	filed   bool          // some rows have a file

	memo   view.Memo[view.Selection, lit]
	mu     sync.Mutex // guards widest
	widest map[string]float64
}

// A row is a function or a context.
type row struct {
	node           int32 // for a function, its first outermost context
	code           uint32
	depth          int32
	in, ex, visits int64
	spread         callingcontext.Spread
	calls, open    bool // it has callees that may have a row; they do
	function       int  // index in flat, -1 for a context
	module         string
	inside         int     // number of matches below a closed row
	marked         bool    // it matches
	share          float64 // difference of the compared processes, as a share of the total of a process
}

func newGeometry(s *contexts.Spreads, d *contexts.Differences, p flow.Values) *Geometry {
	g := &Geometry{
		Spreads: s, diff: d, dark: p.Text(view.Background.Name) == "dark", sort: p.Text("sort"), reverse: p.Bool(reverse.Name), rowOf: map[int32]int{}, widest: map[string]float64{},
		sought: strings.TrimSpace(p.Text(contexts.Find.Name)),
	}
	g.root = g.Root(uint64(p.Int(contexts.Root.Name)))
	var err error
	if g.found, err = g.Search(g.sought); err != nil { // the user may still be typing
		g.sought, g.wrong = "", err
	}
	return g
}

// Bounds returns a rectangle around all rows. The world has a unit downwards for each row, and one to the right.
func (g *Geometry) Bounds() scene.Rect {
	return scene.Rect{X1: 1, Y1: float64(max(len(g.rows), 1))}
}

// Wrong reports which of the user's settings were ignored: an invalid search, unknown processes, a missing baseline.
func (g *Geometry) Wrong() error {
	return g.Contexts.Wrong(g.wrong, g.diff)
}
