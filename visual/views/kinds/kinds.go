// Package kinds shows which processes behave alike: a card for each kind with its members, as a list and as marks on a strip of all processes,
// and the calling contexts in which they spend more, or less, than all others. A click on a card selects its members, in all views.
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
	Name: "kinds", Doc: "how many kinds there are; 0 is as many as are apart from each other", Default: int64(0), Max: 64,
}

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "kinds",
		Title: "Kinds of processes",
		Doc:   "the processes that behave alike, with the calling contexts in which each kind differs from all others",
		Icon:  icon.Rows,
		Positions: []view.Position{
			{In: view.Processes, Slot: view.Right},
		},
		Needs:    contexts.Needs,
		Picture:  view.Draws(geometryStage),
		Params:   []view.Param{contexts.Metric, contexts.Processes, number, view.Palette, view.Background},
		Keys:     keys,
		Contexts: true,
		Windowed: true,
	}
}

var keys = []view.Key{
	{Key: "ArrowUp", Doc: "select the kind before"},
	{Key: "ArrowDown", Doc: "select the next kind"},
	{Key: "m", Doc: "the next metric"},
	{Key: "s", Doc: "kinds of the selected processes alone, or of all"},
}

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Chooser
	view.Doubter
} = (*Geometry)(nil)

// Geometry is what the view draws.
type Geometry struct {
	*contexts.Values
	silhouette float64
	cards      []card
	most       float64 // share that a bar stands for
	scales     contexts.Diverging
}

// A card is a kind.
type card struct {
	members []int32  // processes of the tree
	runs    [][2]int // of members, from the first to behind the last
	list    string
	medoid  int32
	color   scene.Color
	lines   []line
}

// alone says that there is but one kind.
func (g *Geometry) alone() bool { return len(g.cards) == 1 }

// A line is a context in which a kind differs: what its members and all others spend there themselves, in means.
type line struct {
	node        int32
	mean, other float64
	share       float64 // the difference as a part of what a process spends in all
}

// Most lines of a card, and the least share that is worth one.
const (
	mostLines = 6
	leastPart = 0.002
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
		scheme, _, _ := palette.Named(p.Text(view.Palette.Name))
		set := scheme.Set(dark)
		g := &Geometry{Values: v, silhouette: found.Silhouette, scales: contexts.Diverging{Dark: dark}}
		for i, k := range found.All {
			c := card{members: k.Members, runs: runs(k.Members), medoid: k.Medoid, color: scene.Color(set[i%len(set)])}
			c.list = g.listed(c.runs)
			g.compare(&c)
			g.cards = append(g.cards, c)
		}
		return g, nil
	})

// compare finds the lines of a card. With nobody to compare with they tell where most is spent.
func (g *Geometry) compare(c *card) {
	d := g.Difference(g.Metric, false, c.members, g.Rest(c.members))
	for _, v := range d.Most(mostLines) {
		if s := d.Share(v); math.Abs(s) >= leastPart {
			if len(c.members) == len(g.Processes) {
				s /= 2 // the others, who are none, spend nothing: what is spent in all is twice the mean
			}
			c.lines = append(c.lines, line{v, d.A[v], d.B[v], s})
			g.most = max(g.most, math.Abs(s))
		}
	}
}

// runs are those of consecutive numbers, from the first to behind the last.
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

// listed is a list of PEs as text.
func (g *Geometry) listed(runs [][2]int) string {
	const most = 200 // of which no more has room
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

// counted is how many processes a card has, in words.
func (c *card) counted() string {
	if len(c.members) == 1 {
		return "1 process"
	}
	return figures.Count(int64(len(c.members))) + " processes"
}

// percent is a share, with its sign where it is a difference.
func (g *Geometry) percent(share float64) string {
	if g.alone() {
		return figures.Fixed(100*share, 1) + " %"
	}
	s := figures.Fixed(100*math.Abs(share), 1) + " %"
	if share < 0 {
		return "–" + s
	}
	return "+" + s
}

// lit are the cards that have some of the selected processes, and the processes; false where the selection names none.
func (g *Geometry) lit(l *contexts.Lit) (cards []int, ok bool) {
	if l == nil || l.Processes == nil {
		return nil, false
	}
	for i := range g.cards {
		if slices.ContainsFunc(l.Processes, func(p int32) bool { _, has := slices.BinarySearch(g.cards[i].members, p); return has }) {
			cards = append(cards, i)
		}
	}
	return cards, true
}

// Bounds returns the unit square: the sheet has no camera. It leaves out what has no room, and says so.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: 1} }

// Wrong is what is wrong with the processes.
func (g *Geometry) Wrong() error { return g.Contexts.Wrong(nil, nil) }

// Input selects kinds, one after the other by the arrows.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	step := map[string]int{"ArrowUp": -1, "ArrowDown": 1}
	switch in.Kind {
	case view.Wheel, view.Drag, view.DoubleClick:
		return nil
	case view.Press:
		if by := step[in.Key]; by != 0 && len(g.cards) > 0 {
			at := -1
			if by < 0 {
				at = len(g.cards)
			}
			if f.State != nil {
				if cards, ok := g.lit(g.Lit(f.Trace, f.State.Shared.Selection)); ok && len(cards) > 0 {
					at = cards[0]
				}
			}
			at = max(min(at+by, len(g.cards)-1), 0)
			s := g.SelectProcesses(f.Trace, g.cards[at].members)
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

// Legend says what bars and strips stand for.
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
	facts := []view.Fact{{Label: "Processes", Value: g.Counted()}, {Label: "All", Value: g.Amount(g.In[0])}}
	notes := []string{"A mark on a strip is a process of the kind, from the first on the left to the last."}
	if len(g.cards) > 1 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Spent there beside all others", Ramp: g.scales.Ramp(g.most)})
		facts = append(facts, view.Fact{Label: "Silhouette", Value: figures.Fixed(g.silhouette, 2)})
		notes = append(notes, "Bars are differences of means, of what is spent in a context itself, as parts of what a process spends in all.")
	} else if len(g.cards) == 1 {
		notes = append(notes, "Bars are what a process spends in a context itself, as parts of what it spends in all.")
		if len(g.Processes) > 1 {
			notes = append(notes, "No kinds are so far apart that they can be told: the processes go over into each other.")
		}
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Contexts", Facts: facts, Notes: append(notes, g.Notes()...)}, view.Block{Title: "Run", Facts: g.Run.Facts()})
	return l
}
