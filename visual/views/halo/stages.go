package halo

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
	"whorl/visual/layout/tidy"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// shown is the part of the tree that is drawn, and where.
type shown struct {
	*contexts.Values
	root    int32   // of the tree: the node whose subtree is shown
	nodes   []int32 // of the tree, in preorder; the first is root
	parent  []int32 // by place in nodes; -1 for the first
	at      []int32 // by node of the tree: its place in nodes, or that of its lowest ancestor there; -1 outside the subtree
	spread  []callingcontext.Spread
	hidden  []int32 // by place: how many nodes below are not drawn, not counting those below others that are
	closed  []bool  // by place: what it called is hidden because somebody asked for it
	chain   []int32 // by place: how many contexts it stands for, one below the other; see fold
	last    []int32 // by place: the last one of these
	foldIDs []uint64
	least   float64 // percent

	x            []float64 // by place, in the unit of a leaf
	level        []int32
	rows         [][]int32 // places by level, from left to right
	nth          []int32   // by place: where it stands in its row
	width, depth float64

	rise float64 // levels by which all stands lower than it will, in a picture that moves
}

var shownStage = flow.Derive("haloshown", "the calling contexts that are drawn, and their places",
	flow.In(contexts.ValuesStage),
	flow.Params{contexts.Root.Name, least.Name, chains.Name, folded.Name},
	func(c *flow.Call[*shown]) (*shown, error) {
		p := c.Params
		v := contexts.ValuesStage.In(c)
		s := &shown{Values: v, root: v.Root(uint64(p.Int(contexts.Root.Name))), least: p.Float(least.Name), foldIDs: numbers(p.Text(folded.Name))}
		s.choose()
		s.fold(int(p.Int(chains.Name)))
		s.place()
		s.spread = make([]callingcontext.Spread, len(s.nodes))
		for k, n := range s.nodes {
			if k%64 == 0 {
				if err := c.Tick(int64(k), int64(len(s.nodes))); err != nil {
					return nil, err
				}
			}
			s.spread[k] = v.Spread(n)
		}
		return s, nil
	})

// numbers reads a list of numbers; what is no number is passed over.
func numbers(list string) (out []uint64) {
	for s := range strings.SplitSeq(list, ",") {
		if n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 64); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// choose takes the nodes of which the share of what is shown is large enough, or that of any below, unless they are folded away.
func (s *shown) choose() {
	from, end := s.root, s.End[s.root]
	whole := max(s.In[from], -s.In[from])
	large := make([]bool, end-from)
	for v := end - 1; v >= from; v-- {
		if n := s.In[v]; float64(max(n, -n))*100 >= s.least*float64(whole) && (n != 0 || s.least == 0) {
			large[v-from] = true
		}
		if up := s.Parent[v]; v > from && large[v-from] {
			large[up-from] = true
		}
	}
	shut := map[int32]bool{}
	for _, id := range s.foldIDs {
		if v, ok := s.Node(id); ok {
			shut[v] = true
		}
	}
	s.at = make([]int32, s.Nodes())
	for v := range s.at {
		s.at[v] = -1
	}
	for v := from; v < end; v++ {
		up := int32(-1)
		if v > from {
			up = s.at[s.Parent[v]]
			if parent := s.Parent[v]; !large[v-from] || s.nodes[up] != parent || s.closed[up] {
				s.at[v] = up
				s.hidden[up]++
				continue
			}
		}
		s.at[v] = int32(len(s.nodes))
		s.nodes, s.parent = append(s.nodes, v), append(s.parent, up)
		s.hidden, s.closed = append(s.hidden, 0), append(s.closed, shut[v] && s.End[v] > v+1)
	}
}

// place lays the nodes out.
func (s *shown) place() {
	s.x, s.level = tidy.Place(tidy.Tree{Parent: s.parent})
	for k, x := range s.x {
		l := int(s.level[k])
		if l == len(s.rows) {
			s.rows = append(s.rows, nil)
		}
		s.nth = append(s.nth, int32(len(s.rows[l])))
		s.rows[l] = append(s.rows[l], int32(k))
		s.width = max(s.width, x+0.5)
	}
	s.depth = float64(len(s.rows))
}

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Revealer
	view.Mover
	view.Chooser
	view.Doubter
} = (*Geometry)(nil)

// Geometry is what the view draws.
type Geometry struct {
	drawing

	mu   sync.Mutex
	memo []marked
}

// A drawing is what of a Geometry does not change.
type drawing struct {
	*shown
	diff      *contexts.Differences
	scales    scales
	hot       float64 // percent
	top       float64
	functions []function // at the bottom, from left to right
	all       int        // functions below the root that spent anything themselves
	most      int64      // that one at the bottom spent
	widest    int64      // that one of their links stands for
	found     []int32    // of the tree, ascending; nil where nothing is looked for
	foundAt   []int32    // where they are drawn
	sought    string
	wrong     error // the expression that is looked for is none

	strip  float64            // part of the height of the row at the bottom that is there
	placed map[uint32]float64 // where functions stand there, from 0 to 1; nil where they are spread evenly
}

var geometryStage = flow.Derive("halo", "all that the picture needs",
	flow.In(shownStage, contexts.DifferenceStage),
	flow.Params{hot.Name, top.Name, contexts.Find.Name, view.Palette.Name, view.Background.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p := c.Params
		g := &Geometry{drawing: drawing{shown: shownStage.In(c), diff: contexts.DifferenceStage.In(c), hot: p.Float(hot.Name), top: p.Float(top.Name), sought: strings.TrimSpace(p.Text(contexts.Find.Name))}}
		g.scales = newScales(p.Text(view.Palette.Name), p.Text(view.Background.Name) == "dark")
		g.hide()
		if len(g.functions) > 0 {
			g.strip = 1
		}
		g.found, g.wrong = g.Search(g.sought)
		g.found = slices.DeleteFunc(slices.Clone(g.found), func(v int32) bool { return g.at[v] < 0 })
		g.foundAt = g.places(g.found)
		return g, nil
	})

// share is the part of what is shown that a node and all below it spent, from 0 to 1.
func (g *Geometry) share(node int32) float64 {
	if whole := g.In[g.root]; whole != 0 {
		return float64(g.In[node]) / float64(whole)
	}
	return 0
}

// isHot says whether the path to a node is lit.
func (g *Geometry) isHot(k int32) bool { return g.hot > 0 && 100*g.share(g.nodes[k]) >= g.hot }

// A function is one that no node that is drawn shows.
type function struct {
	code      uint32
	exclusive int64
	links     []link
	middle    float64 // of its links
}

// A link leads to a node that is drawn, below which a function spent an amount.
type link struct {
	to     int32 // place
	amount int64
}

// dozen is how many functions there are at least at the bottom, if there are so many: a small program has few.
const dozen = 12

// hide finds the functions at the bottom.
func (g *Geometry) hide() {
	at := map[uint32]int{}
	type pair struct {
		code uint32
		to   int32
	}
	place := map[pair]int{} // of links
	var all []function
	for v := g.root; v < g.End[g.root]; v++ {
		code := g.Code[v]
		if v == 0 || g.In[v] == 0 && g.Ex[v] == 0 {
			continue
		}
		k, ok := at[code]
		if !ok {
			k = -1 // as long as it spent nothing itself
			at[code] = k
		}
		if g.Ex[v] == 0 {
			continue
		}
		if k < 0 {
			k = len(all)
			at[code] = k
			all = append(all, function{code: code})
		}
		f := &all[k]
		f.exclusive = callingcontext.Plus(f.exclusive, g.Ex[v])
		to := g.at[v]
		i, ok := place[pair{code, to}]
		if !ok {
			i = len(f.links)
			place[pair{code, to}] = i
			f.links = append(f.links, link{to: to})
		}
		f.links[i].amount = callingcontext.Plus(f.links[i].amount, g.Ex[v])
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].exclusive > all[j].exclusive })
	g.all = len(at)
	if len(all) == 0 || g.top <= 0 {
		return
	}
	n := max(int(g.top*float64(len(all))/100+0.9999), dozen)
	displayed := map[uint32]bool{}
	for _, v := range g.nodes {
		if v > 0 {
			displayed[g.Code[v]] = true
		}
	}
	for _, f := range all[:min(n, len(all))] {
		if f.exclusive <= 0 || displayed[f.code] {
			continue
		}
		sum := 0.0
		for _, l := range f.links {
			f.middle += float64(g.x[l.to] * float64(l.amount))
			sum += float64(l.amount)
			g.widest = max(g.widest, l.amount)
		}
		f.middle /= max(sum, 1)
		g.most = max(g.most, f.exclusive)
		sort.Slice(f.links, func(i, j int) bool { return f.links[i].to < f.links[j].to })
		g.functions = append(g.functions, f)
	}
	sort.SliceStable(g.functions, func(i, j int) bool { return g.functions[i].middle < g.functions[j].middle })
}
