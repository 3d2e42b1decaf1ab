package halo

import (
	"slices"
	"sort"
	"strings"

	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
	"whorl/visual/layout/tidy"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// shown is the part of the tree that is drawn, with its layout. A place is an index into nodes.
type shown struct {
	*contexts.Values
	root    int32   // the node of the tree whose subtree is shown
	nodes   []int32 // drawn nodes of the tree, in preorder; the first is root
	parent  []int32 // place of the parent by place; -1 for the first
	place   []int32 // by node of the tree: its place, or that of its lowest drawn ancestor; -1 outside the subtree
	spread  []callingcontext.Spread
	hidden  []int32 // by place: number of nodes that are not drawn and whose lowest drawn ancestor it is
	closed  []bool  // by place: the user has hidden its callees
	chain   []int32 // by place: number of contexts of the chain that it stands for; see fold
	last    []int32 // by place: the last context of this chain
	foldIDs []uint64
	least   float64 // percent

	x            []float64 // by place, in leaves
	level        []int32
	rows         [][]int32 // places by level, from left to right
	nth          []int32   // by place: index in its row
	width, depth float64

	rise float64 // levels by which a moving picture stands below its final position
}

var shownStage = flow.Derive("haloshown", "the calling contexts that are drawn, and their positions",
	flow.In(contexts.ValuesStage),
	flow.Params{contexts.Root.Name, least.Name, chains.Name, folded.Name},
	func(c *flow.Call[*shown]) (*shown, error) {
		p := c.Params
		v := contexts.ValuesStage.In(c)
		ids, err := folded.Numbers(p.Text(folded.Name))
		if err != nil {
			return nil, err
		}
		s := &shown{Values: v, root: v.Root(uint64(p.Int(contexts.Root.Name))), least: p.Float(least.Name), foldIDs: ids}
		s.choose()
		s.fold(int(p.Int(chains.Name)))
		s.layOut()
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

// choose chooses the nodes to draw: those that have, or have a descendant with, at least the least share, and are below no closed node.
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
	s.place = make([]int32, s.Nodes())
	for v := range s.place {
		s.place[v] = -1
	}
	for v := from; v < end; v++ {
		up := int32(-1)
		if v > from {
			up = s.place[s.Parent[v]]
			if parent := s.Parent[v]; !large[v-from] || s.nodes[up] != parent || s.closed[up] {
				s.place[v] = up
				s.hidden[up]++
				continue
			}
		}
		s.place[v] = int32(len(s.nodes))
		s.nodes, s.parent = append(s.nodes, v), append(s.parent, up)
		s.hidden, s.closed = append(s.hidden, 0), append(s.closed, shut[v] && s.End[v] > v+1)
	}
}

// layOut computes the positions of the nodes.
func (s *shown) layOut() {
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

// Geometry is the picture of the view.
type Geometry struct {
	drawing
	thirds view.Memo[[]int32, [][3]int32] // by processes
}

// A drawing is the immutable part of a Geometry.
type drawing struct {
	*shown
	diff      *contexts.Differences
	scales    scales
	hot       float64 // percent
	top       float64
	functions []function // at the bottom, from left to right
	all       int        // number of functions below the root with a value
	most      int64      // largest exclusive value of a function at the bottom
	widest    int64      // largest amount of their links
	found     []int32    // matches of sought, nodes of the tree, ascending; nil without a search
	foundAt   []int32    // their places
	sought    string
	wrong     error // sought is not a regular expression

	strip  float64            // visible part of the height of the bottom row, from 0 to 1
	placed map[uint32]float64 // positions of functions in the bottom row, from 0 to 1; nil if they are spread evenly
}

var geometryStage = flow.Derive("halo", "the tree of halos",
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
		g.found = slices.DeleteFunc(slices.Clone(g.found), func(v int32) bool { return g.place[v] < 0 })
		g.foundAt = g.places(g.found)
		return g, nil
	})

// share returns the inclusive value of a node divided by that of the root.
func (g *Geometry) share(node int32) float64 {
	if whole := g.In[g.root]; whole != 0 {
		return float64(g.In[node]) / float64(whole)
	}
	return 0
}

// isHot reports whether the path to a node is lit.
func (g *Geometry) isHot(k int32) bool { return g.hot > 0 && 100*g.share(g.nodes[k]) >= g.hot }

// A function is a function at the bottom, which no drawn node shows.
type function struct {
	code      uint32
	exclusive int64
	links     []link
	middle    float64 // mean position of its links, weighted by amount
}

// A link joins a function to a drawn node below which it spent an amount.
type link struct {
	to     int32 // place
	amount int64
}

// dozen is the least number of functions that may stand at the bottom, because a percentage of a small program is less than one.
const dozen = 12

// hide finds the functions at the bottom.
func (g *Geometry) hide() {
	index := map[uint32]int{} // in all, by code; -1 as long as the function has no exclusive value
	type pair struct {
		code uint32
		to   int32
	}
	links := map[pair]int{} // index in function.links
	var all []function
	for v := g.root; v < g.End[g.root]; v++ {
		code := g.Code[v]
		if v == 0 || g.In[v] == 0 && g.Ex[v] == 0 {
			continue
		}
		k, ok := index[code]
		if !ok {
			k = -1
			index[code] = k
		}
		if g.Ex[v] == 0 {
			continue
		}
		if k < 0 {
			k = len(all)
			index[code] = k
			all = append(all, function{code: code})
		}
		f := &all[k]
		f.exclusive = callingcontext.Plus(f.exclusive, g.Ex[v])
		to := g.place[v]
		i, ok := links[pair{code, to}]
		if !ok {
			i = len(f.links)
			links[pair{code, to}] = i
			f.links = append(f.links, link{to: to})
		}
		f.links[i].amount = callingcontext.Plus(f.links[i].amount, g.Ex[v])
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].exclusive > all[j].exclusive })
	g.all = len(index)
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
