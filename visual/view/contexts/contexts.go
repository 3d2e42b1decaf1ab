// Package contexts is what all views of calling contexts have in common: the merged tree of a trace, made once for all of them, the
// part of it that they show, how its nodes are named in selections, and what selections of other views are in it.
//
// A view of calling contexts sets Kind.Contexts and Kind.Windowed, lists Stages before its own and Params among its own, and has its layout read "contexts"
// (*Contexts) or "contextvalues" (*Values, which holds the Contexts): those of the time that is counted and of the processes that the parameter
// Processes chooses, with the sums of the metric that Metric names. What is shown below a node (EnterSubtree, Back) is in the parameter view.Root: Contexts.Root.
//
// A node is named by a number that is made of the names on the way to it from the program, and not of its place in the tree: it stays
// the same while a trace grows, in every view, and in every run of a program, so that runs can be compared by it. Contexts.Select names
// nodes in a view.Selection, together with their codes for views that know no contexts; Contexts.Lit says which nodes and processes a
// selection holds that any view made: contexts, procedures, clauses, lines, PEs. Processes are the PEs of the trace.
package contexts

import (
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/view"
)

// Contexts is the tree of a trace, or of some of its processes. It does not change.
type Contexts struct {
	*callingcontext.Tree
	Run  *view.Run
	PE   []int32    // of each process of the tree, ascending
	Time *view.Span // in which all was spent, nil where that is the whole run

	id     []uint64           // by node
	byID   map[uint64]int32   // the other way
	byCode map[uint32][]int32 // nodes in preorder
	metric int                // the first of which there is anything
	log    *timeline          // what was spent when
	odd    error              // what is wrong with the processes that were asked for, nil where nothing is
}

// programID is that of the node of the program.
const programID = 1

// New names the nodes of a tree.
func New(run *view.Run, tree *callingcontext.Tree) *Contexts {
	n := tree.Nodes()
	c := &Contexts{Tree: tree, Run: run, log: &timeline{}, id: make([]uint64, n), byID: make(map[uint64]int32, n), byCode: map[uint32][]int32{}}
	for p := range tree.Processes {
		c.PE = append(c.PE, int32(p))
	}
	c.id[0], c.byID[programID] = programID, 0
	names := map[uint32]uint64{}
	last := map[uint64]uint64{} // the last number that was given to one that is called as others are, by what that begins with
	for v := int32(1); int(v) < n; v++ {
		code := tree.Code[v]
		name, ok := names[code]
		if !ok {
			name = c.hash(code)
			names[code] = name
		}
		c.byCode[code] = append(c.byCode[code], v)
		first := scatter(c.id[tree.Parent[v]] ^ name)
		id := first
		for again := false; ; again = true { // procedures of one name may be called from one place
			if _, taken := c.byID[id]; !taken && id > programID {
				break
			}
			if before, ok := last[first]; ok && !again {
				id = before
			}
			id = scatter(id)
		}
		if id != first {
			last[first] = id
		}
		c.id[v], c.byID[id] = id, v
	}
	c.metric = tree.FirstMetric()
	return c
}

// hash is a number for what a procedure is called. Runs have its file with and without folders.
func (c *Contexts) hash(code uint32) uint64 {
	var k tracer.Code
	if int(code) < len(c.Run.Codes) {
		k = c.Run.Codes[code]
	}
	h := fnv.New64a()
	h.Write([]byte(k.Type.String() + "\x00" + k.Name + "\x00" + path.Base(strings.ReplaceAll(k.File, `\`, "/"))))
	if k.Name == "" {
		h.Write([]byte{byte(k.Line), byte(k.Line >> 8), byte(k.Line >> 16)})
	}
	return h.Sum64()
}

// scatter mixes the bits of a number (the finisher of S. Vigna's splitmix64), and leaves the highest one out, since files of workspaces
// have numbers with a sign.
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return (x ^ x>>31) &^ (1 << 63)
}

// ID is the number that names a node.
func (c *Contexts) ID(node int32) uint64 { return c.id[node] }

// Node is the node of a number, false where the tree has none.
func (c *Contexts) Node(id uint64) (int32, bool) {
	v, ok := c.byID[id]
	return v, ok
}

// Root is the node whose subtree is shown, given view.Root: the program where that is 0, or is not in the tree (yet).
func (c *Contexts) Root(id uint64) int32 { return c.byID[id] }

// Of are the nodes of a procedure or function, in preorder.
func (c *Contexts) Of(code uint32) []int32 { return c.byCode[code] }

// Name is what a node is called: its procedure, or the program.
func (c *Contexts) Name(node int32) string {
	if node == 0 {
		return c.Run.Program()
	}
	return c.Called(c.Code[node])
}

// Called is the name of a procedure or function of the tree.
func (c *Contexts) Called(code uint32) string {
	if int(code) < len(c.Run.Codes) {
		if k := &c.Run.Codes[code]; k.Name != "" {
			return k.Name
		}
		if place := c.Run.Place(code); place != "" {
			return place
		}
	}
	return "unknown"
}

// Way are the nodes from the program's child to a node, the node last.
func (c *Contexts) Way(node int32) (way []int32) {
	for v := node; v > 0; v = c.Parent[v] {
		way = append(way, v)
	}
	slices.Reverse(way)
	return way
}

// Process is what the i-th process of the tree is called.
func (c *Contexts) Process(i int) string {
	s := "PE " + figures.Count(int64(c.PE[i]))
	p := &c.Processes[i]
	if p.Name != "" {
		s += " " + p.Name
	}
	if p.Host != "" {
		s += " on " + p.Host
	}
	return s
}

// Select is the selection of nodes, and of their procedures for views that know no contexts.
func (c *Contexts) Select(trace string, nodes ...int32) view.Selection {
	s := view.Selection{Trace: trace}
	for _, v := range nodes {
		s.Contexts = append(s.Contexts, c.id[v])
		if code := c.Code[v]; code != 0 && !slices.Contains(s.Codes, code) {
			s.Codes = append(s.Codes, code)
		}
	}
	return s
}

// SelectProcesses is the selection of the PEs of some processes of the tree, ascending.
func (c *Contexts) SelectProcesses(trace string, processes []int32) view.Selection {
	s := view.Selection{Trace: trace}
	for _, i := range processes {
		pe := int64(c.PE[i])
		if n := len(s.PEs); n > 0 && s.PEs[n-1].Last == pe-1 {
			s.PEs[n-1].Last = pe
			continue
		}
		s.PEs = append(s.PEs, view.Span{First: pe, Last: pe})
	}
	return s
}

// within are the processes whose PEs are in spans. A kind may be every other one of ten thousand processes, and what is selected is asked for in
// each picture.
func (c *Contexts) within(spans []view.Span) []int32 {
	among := view.Joined(spans)
	processes := []int32{}
	for i, pe := range c.PE {
		if among.Has(int64(pe)) {
			processes = append(processes, int32(i))
		}
	}
	return processes
}

// A Lit says what of the tree a selection holds.
type Lit struct {
	Nodes     []int32 // ascending; nil where the selection names none
	Processes []int32 // of the tree, ascending; nil where it names no PEs
	Named     bool    // it names contexts, codes or lines: without Nodes there are none here
}

// Has says whether a node is among those that are named.
func (l *Lit) Has(node int32) bool {
	if l == nil {
		return false
	}
	_, ok := slices.BinarySearch(l.Nodes, node)
	return ok
}

// Lit is what of the tree a selection holds, nil where it is empty, of another trace, or of what the tree knows nothing of: tasks and
// times. A procedure stands for all its nodes; a clause, a line or an instruction for those of the procedure it belongs to.
func (c *Contexts) Lit(trace string, s view.Selection) *Lit {
	if s.Empty() || s.Trace != trace {
		return nil
	}
	l := &Lit{Named: len(s.Contexts)+len(s.Codes)+len(s.Lines) > 0}
	switch {
	case len(s.Contexts) > 0:
		for _, id := range s.Contexts {
			if v, ok := c.byID[id]; ok {
				l.Nodes = append(l.Nodes, v)
			}
		}
	case l.Named:
		for _, code := range c.Run.Coded(s).Codes {
			l.Nodes = append(l.Nodes, c.byCode[c.procedure(code)]...)
		}
		if len(s.Codes) == 0 {
			for _, lines := range s.Lines {
				for _, code := range c.around(lines) {
					l.Nodes = append(l.Nodes, c.byCode[code]...)
				}
			}
		}
	}
	slices.Sort(l.Nodes)
	l.Nodes = slices.Compact(l.Nodes)
	if len(s.PEs) > 0 {
		l.Processes = c.within(s.PEs)
	}
	if !l.Named && l.Processes == nil {
		return nil
	}
	return l
}

// around are the procedures of the tree that lines are of: those that begin there, and what begins last before them, unless it has
// ended. They come in no order.
func (c *Contexts) around(lines view.Lines) (codes []uint32) {
	var before []uint32 // several where one text makes several procedures, such as templates
	for code := range c.byCode {
		if int(code) >= len(c.Run.Codes) {
			continue
		}
		switch k := &c.Run.Codes[code]; {
		case k.Line < 1 || k.Line > lines.End() || !view.SameFile(k.File, lines.File):
		case k.Line >= lines.First:
			codes = append(codes, code)
		case len(before) == 0 || k.Line > c.Run.Codes[before[0]].Line:
			before = append(before[:0], code)
		case k.Line == c.Run.Codes[before[0]].Line:
			before = append(before, code)
		}
	}
	for _, code := range before {
		if k := &c.Run.Codes[code]; k.Children == 0 || lines.First < k.Line+k.Children {
			codes = append(codes, code)
		}
	}
	return codes
}

// procedure is the code that nodes of the tree have of what a code belongs to.
func (c *Contexts) procedure(code uint32) uint32 {
	for at := code; at != 0 && int(at) < len(c.Run.Codes); at = c.Run.Codes[at].Parent {
		if c.byCode[at] != nil {
			return at
		}
	}
	return code
}
