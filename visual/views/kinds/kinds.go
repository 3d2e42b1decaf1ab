// Package kinds shows which processes behave alike. Each kind has a card with its members, as a list and as marks on a strip of all
// processes, and with the calling contexts that take more or less time than in all others. A click on a card selects its members in all
// views.
package kinds

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer/derive/kinds"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

var number = view.Param{
	Name: "kinds", Label: "Number of kinds", Doc: "0 chooses it so that the kinds are distinct", Default: int64(0), Max: 64,
}

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "kinds",
		Title: "Kinds of processes",
		Doc:   "groups of processes that behave alike, and the contexts in which each group differs from the others",
		Icon:  icon.Rows,
		Positions: []view.Position{
			{In: view.Processes, Slot: view.Right},
			{In: view.BalanceOfCode, Slot: view.Right, Rank: 2},
			{In: view.Contexts, Slot: view.Right, Rank: 1},
		},
		Needs:    contexts.Needs,
		Picture:  view.Draws(geometryStage),
		Params:   slices.Concat([]view.Param{contexts.Metric, contexts.Processes, number}, contexts.Choices(), []view.Param{view.Palette, view.Background}),
		Keys:     keys,
		Contexts: true,
		Windowed: true,
	}
}

var keys = []view.Key{
	{Key: "ArrowUp", Doc: "move up: select the previous kind"},
	{Key: "ArrowDown", Doc: "move down: select the next kind"},
	{Key: "m", Doc: "show the next metric"},
	{Key: "s", Doc: "show the selected processes alone, or all again: their kinds"},
}

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Chooser
	view.Doubter
} = (*Geometry)(nil)

// Geometry is the picture of the view.
type Geometry struct {
	*contexts.Values
	silhouette float64
	cards      []card
	most       float64 // largest absolute share of a line
	scales     view.Diverging
}

// A card shows a kind.
type card struct {
	members []int32  // processes of the tree
	runs    [][2]int // of consecutive members: first and end
	list    string
	medoid  int32
	color   scene.Color
	lines   []line
}

// alone reports whether there is only one kind.
func (g *Geometry) alone() bool { return len(g.cards) == 1 }

// A line is a context that distinguishes a kind. Values are exclusive.
type line struct {
	node        int32
	mean, other float64 // means of the members and of all others
	share       float64 // their difference as a share of the total of a process
}

const (
	mostLines = 6     // of a card
	leastPart = 0.002 // least absolute share of a line
)

var geometryStage = flow.Derive("processkinds", "the processes that behave alike",
	flow.In(contexts.Chosen),
	flow.Params{contexts.Metric.Name, number.Name, view.Palette.Name, view.Background.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p := c.Params
		v, err := contexts.Chosen.In(c).Values(p.Text(contexts.Metric.Name), false)
		if err != nil {
			return nil, err
		}
		found, err := kinds.Find(v.Tree, v.Metric, int(p.Int(number.Name)), c.Tick)
		if err != nil {
			return nil, err
		}
		dark := p.Text(view.Background.Name) == "dark"
		scheme, _ := palette.Named(p.Text(view.Palette.Name))
		set := scheme.Set(dark)
		g := &Geometry{Values: v, silhouette: found.Silhouette, scales: view.Diverging{Dark: dark}}
		for i, k := range found.All {
			c := card{members: k.Members, runs: runs(k.Members), medoid: k.Medoid, color: scene.NRGBA(set[i%len(set)])}
			if c.list = g.places(k.Members); c.list == "" {
				c.list = g.listed(c.runs)
			}
			g.compare(&c)
			g.cards = append(g.cards, c)
		}
		return g, nil
	})

// compare finds the lines of a card. Without other processes they are the contexts with the largest values.
func (g *Geometry) compare(c *card) {
	d := g.Difference(g.Metric, false, c.members, g.Rest(c.members))
	for _, v := range d.Most(mostLines) {
		if s := d.Share(v); math.Abs(s) >= leastPart {
			if len(c.members) == len(g.Processes) {
				s /= 2 // Share divides by the mean of both sides, and the empty one has 0
			}
			c.lines = append(c.lines, line{v, d.A[v], d.B[v], s})
			g.most = max(g.most, math.Abs(s))
		}
	}
}

// runs returns the runs of consecutive numbers, each as its first number and its end.
func runs(numbers []int32) (out [][2]int) {
	for _, n := range numbers {
		if k := len(out); k > 0 && out[k-1][1] == int(n) {
			out[k-1][1]++
			continue
		}
		out = append(out, [2]int{int(n), int(n) + 1})
	}
	return out
}

// places names processes by their places, "" where rows cannot have the names of places.
func (g *Geometry) places(members []int32) string {
	const most = 1000 // more would not fit
	pes := make([]int32, min(len(members), most))
	for i := range pes {
		pes[i] = g.PE[members[i]]
	}
	return g.Run.PEList(pes)
}

// listed returns a list of PEs as text.
func (g *Geometry) listed(runs [][2]int) string {
	const most = 200 // more would not fit
	var words []string
	for _, r := range runs[:min(len(runs), most)] {
		first, last := g.PE[r[0]], g.PE[r[1]-1]
		word := strconv.Itoa(int(first))
		if last > first && int(last-first) == r[1]-1-r[0] {
			word += "–" + strconv.Itoa(int(last))
		} else if last > first {
			word += " … " + strconv.Itoa(int(last))
		}
		words = append(words, word)
	}
	if len(runs) > most {
		words = append(words, "…")
	}
	return strings.Join(words, ", ")
}

// counted returns the number of a card's processes in words.
func (c *card) counted() string {
	return figures.Counted(int64(len(c.members)), "process")
}

// percent formats a share, with its sign if it is a difference.
func (g *Geometry) percent(share float64) string {
	if g.alone() {
		return figures.Share(share, 1)
	}
	s := figures.Share(math.Abs(share), 1)
	if share < 0 {
		return "–" + s
	}
	return "+" + s
}

// lit returns the cards with selected processes, or false if the selection has no processes.
func (g *Geometry) lit(l *contexts.Highlight) (cards []int, ok bool) {
	if l == nil || l.Processes == nil {
		return nil, false
	}
	for i := range g.cards {
		if slices.ContainsFunc(l.Processes, func(p int32) bool { _, member := slices.BinarySearch(g.cards[i].members, p); return member }) {
			cards = append(cards, i)
		}
	}
	return cards, true
}

// Bounds returns the unit square: the sheet has no camera. It counts the cards that do not fit.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: 1} }

// Wrong reports unknown processes.
func (g *Geometry) Wrong() error { return g.Contexts.Wrong(nil, nil) }

// Input handles the input of the view: the arrow keys select one kind after the other. Other input is handled as in every view.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	step := map[string]int{"ArrowUp": -1, "ArrowDown": 1}
	switch in.Kind {
	case view.Wheel, view.Drag, view.DoubleClick:
		return nil
	case view.Press:
		if by := step[in.Key]; by != 0 && len(g.cards) > 0 {
			card := -1
			if by < 0 {
				card = len(g.cards)
			}
			if cards, ok := g.lit(g.Highlight(f.Trace, f.Selected())); ok && len(cards) > 0 {
				card = cards[0]
			}
			card = max(min(card+by, len(g.cards)-1), 0)
			s := g.SelectProcesses(f.Trace, g.cards[card].members)
			return []view.Action{{Do: view.Select, Pane: in.Pane, Selection: &s}}
		}
		switch in.Key {
		case "m", "s":
			return g.Press(f, in)
		case "+", "-", "=", "ArrowLeft", "ArrowRight":
			return nil
		}
	}
	return view.Navigate(g, keys, f, in)
}

// Legend explains bars and strips.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	l := g.LegendOf(f, "Kinds of processes by "+g.Metrics[g.Metric].Name)
	if err := g.Wrong(); err != nil {
		l.Warning = view.Capital(err.Error())
	}
	block := view.Block{Title: "Kinds", Columns: []string{"processes"}}
	for i := range g.cards {
		c := &g.cards[i]
		block.Swatches = append(block.Swatches, view.Swatch{
			Colors: []scene.Color{c.color}, Label: "like " + g.Process(int(c.medoid)), Values: []string{figures.Count(int64(len(c.members)))},
		})
	}
	l.Blocks = append(l.Blocks, block)
	facts := []view.Fact{{Label: "Processes", Value: g.Counted()}, {Label: "Total", Value: g.Amount(g.In[0])}}
	notes := []string{"Each strip shows all processes from left to right and marks those of the kind."}
	if len(g.cards) > 1 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Compared with all others", Ramp: g.scales.Ramp(figures.Share(g.most, 1))})
		facts = append(facts, view.Fact{Label: "Silhouette", Value: figures.Fixed(g.silhouette, 2)})
		notes = append(notes, "Bars show differences of means of exclusive values, as shares of what a process spends in total.",
			"A silhouette near 1 means that the kinds are distinct.")
	} else if len(g.cards) == 1 {
		notes = append(notes, "Bars show means of exclusive values, as shares of what a process spends in total.")
		if len(g.Processes) > 1 {
			notes = append(notes, "All processes are one kind: no groups of them are far enough apart.")
		}
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Contexts", Facts: facts}, view.Block{Title: "Reading it", Notes: append(notes, g.Notes()...)},
		view.Block{Title: "Run", Facts: g.Run.Facts()})
	return l
}
