// Package contexts holds what the views of calling contexts share: the merged tree of a trace, derived once for all views, the part of it
// that is shown, the numbers that name its nodes in selections, and the nodes and processes that a selection of any view refers to.
//
// A view of calling contexts sets Kind.Contexts and Kind.Windowed, lists Params among its parameters, and derives its picture from Chosen
// (*Contexts) or ValuesStage (*Values). Both are limited to the time window and to the processes of the parameter Processes; Values adds the
// sums of the metric of the parameter Metric. The parameter view.Root names the node whose subtree is shown; see Contexts.Root.
//
// The number of a node is a hash of the names on its call path. It does not depend on the node's position in the tree, so it stays the same
// while a trace grows, in every view, and in every run of a program; runs are compared by it. Contexts.Select makes a view.Selection of
// nodes, with their codes for views without contexts. Contexts.Highlight finds the nodes and processes of a selection of contexts, procedures,
// clauses, lines or PEs. Processes are the PEs of the trace.
package contexts

import (
	"hash/fnv"
	"path"
	"slices"
	"strings"
	"sync"

	"whorl/internal/integer"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/view"
)

// Contexts is the tree of a trace or of some of its processes. It is immutable.
type Contexts struct {
	*callingcontext.Tree
	Run  *view.Run
	PE   []int32    // the PE of each process of the tree, ascending
	Time *view.Span // the time window; nil for the whole run

	numbers func() *numbers
	coded   func() *coded
	metric  int       // the first metric with values
	log     *timeline // costs over time
	odd     error     // requested processes that do not exist, or an expression that is none; or nil

	// For a tree made of another one (callingcontext.Derived):
	of     *Contexts
	to     []int32 // by node of the other tree
	kept   []bool
	turned bool // callers lie below the functions that they call
	cut    int  // nodes whose callers were left out
}

// New returns the contexts of a tree. Their numbers, and the nodes of each code, are found when they are asked for.
func New(run *view.Run, tree *callingcontext.Tree) *Contexts {
	c := &Contexts{
		Tree: tree, Run: run, log: &timeline{}, metric: tree.FirstMetric(),
		numbers: sync.OnceValue(func() *numbers { return number(run, tree) }),
		coded:   sync.OnceValue(func() *coded { return newCoded(tree.Code) }),
	}
	for p := range tree.Processes {
		c.PE = append(c.PE, int32(p))
	}
	return c
}

// PathID returns the number of the node of a calling context of a trace, without its tree, and the procedures on its path, the outermost first. The
// number is that of another node if a context calls several procedures of one name.
func PathID(run *view.Run, dict *tracer.Dict, context uint32) (id uint64, path []uint32) {
	all := dict.Contexts()
	for at := context; at != 0 && int(at) < len(all); at = all[at].Parent {
		path = append(path, callingcontext.ByFunction(dict, all[at].Code))
		if all[at].Parent >= at { // of a damaged trace
			break
		}
	}
	slices.Reverse(path)
	id = programID
	for _, code := range path {
		id = scatter(id ^ hash(run, code))
	}
	return id, path
}

// hash returns a hash of a procedure's type, name and file. It ignores folders, which differ between runs.
func hash(run *view.Run, code uint32) uint64 {
	var k tracer.Code
	if int(code) < len(run.Codes) {
		k = run.Codes[code]
	}
	h := fnv.New64a()
	h.Write([]byte(k.Type.String() + "\x00" + k.Name + "\x00" + path.Base(strings.ReplaceAll(k.File, `\`, "/"))))
	if k.Name == "" {
		h.Write([]byte{byte(k.Line), byte(k.Line >> 8), byte(k.Line >> 16)})
	}
	return h.Sum64()
}

// scatter mixes the bits of a number. It clears the highest bit, because workspace files store signed numbers.
func scatter(x uint64) uint64 { return integer.Mix(x+0x9e3779b97f4a7c15) &^ (1 << 63) }

// Name returns the name of a node's procedure, or of the program for the root.
func (c *Contexts) Name(node int32) string {
	if node == 0 {
		return c.Run.Program()
	}
	return c.FunctionName(c.Code[node])
}

// Short returns the name of a node's function, which others may have too.
func (c *Contexts) Short(node int32) string {
	name := c.Name(node)
	if code := c.Code[node]; node != 0 && name == c.Run.Name(code) {
		return c.Run.Short(code)
	}
	return name
}

// FunctionName returns the name of a procedure or function, or its place in the source if it has no name.
func (c *Contexts) FunctionName(code uint32) string {
	if int(code) < len(c.Run.Codes) {
		if k := &c.Run.Codes[code]; k.Type == tracer.Label && k.Parent == 0 { // samples without a label of this key
			return "no " + k.Name
		} else if k.Name != "" && k.Type == tracer.Function {
			return c.Run.Name(code)
		} else if k.Name != "" {
			return k.Name
		}
		if place := c.Run.Place(code); place != "" {
			return place
		}
	}
	return "unknown"
}

// Way returns the nodes of the call path of a node, from the program's child to the node itself.
func (c *Contexts) Way(node int32) (way []int32) {
	for v := node; v > 0; v = c.Parent[v] {
		way = append(way, v)
	}
	slices.Reverse(way)
	return way
}

// Process returns the PE of the i-th process of the tree with its place, or if all PEs have the same place, with the name and host of the process.
func (c *Contexts) Process(i int) string {
	if c.Run.PEPlace(int(c.PE[i])) != "" {
		return c.Run.PEName(int(c.PE[i]), int(c.PE[i]))
	}
	s := view.PEName(int(c.PE[i]), int(c.PE[i]))
	p := &c.Processes[i]
	if p.Name != "" {
		s += " " + p.Name
	}
	if p.Host != "" {
		s += " on " + p.Host
	}
	return s
}

// Members names some processes of the tree, which are ascending, by their PEs and the places of these.
func (c *Contexts) Members(processes []int32) string {
	pes := make([]int32, len(processes))
	for i, p := range processes {
		pes[i] = c.PE[p]
	}
	name := "PEs "
	if len(pes) == 1 {
		name = "PE "
	}
	name += FormatSpans(c.SelectProcesses("", processes).PEs)
	if list := c.Run.PEList(pes); list != "" {
		name += " (" + list + ")"
	}
	return name
}

// Select returns a selection of nodes, and of their procedures for views without contexts.
func (c *Contexts) Select(trace string, nodes ...int32) view.Selection {
	if c.of != nil {
		var all []int32
		for _, v := range nodes {
			all = append(all, c.sources(v)...)
		}
		s := c.of.Select(trace, all...)
		s.Codes = nil
		for _, v := range nodes {
			if code := c.Code[v]; code != 0 && !slices.Contains(s.Codes, code) {
				s.Codes = append(s.Codes, code)
			}
		}
		return s
	}
	s := view.Selection{Trace: trace}
	for _, v := range nodes {
		s.Contexts = append(s.Contexts, c.ID(v))
		if code := c.Code[v]; code != 0 && !slices.Contains(s.Codes, code) {
			s.Codes = append(s.Codes, code)
		}
	}
	return s
}

// SelectProcesses returns a selection of the PEs of processes of the tree, which are ascending.
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

// within returns the processes whose PEs are in spans. Every frame calls it, with thousands of spans if every other process is selected.
func (c *Contexts) within(spans []view.Span) []int32 {
	among := view.Joined(spans)
	processes := []int32{}
	for i, pe := range c.PE {
		if among.Contains(int64(pe)) {
			processes = append(processes, int32(i))
		}
	}
	return processes
}

// A Highlight is the part of the tree that a selection refers to.
type Highlight struct {
	Nodes     []int32 // ascending
	Processes []int32 // of the tree, ascending; nil if the selection has no PEs
	Named     bool    // the selection has contexts, codes or lines; if Nodes is empty, none of them is in the tree
}

// Contains reports whether the selection contains a node.
func (l *Highlight) Contains(node int32) bool {
	if l == nil {
		return false
	}
	_, ok := slices.BinarySearch(l.Nodes, node)
	return ok
}

// Highlight returns the part of the tree that a selection refers to. It is nil if the selection is empty, belongs to another trace, or has only
// tasks and times. A procedure refers to all its nodes; a clause, a line or an instruction to those of its procedure.
func (c *Contexts) Highlight(trace string, s view.Selection) *Highlight {
	if s.Empty() || s.Trace != trace {
		return nil
	}
	l := &Highlight{Named: len(s.Contexts)+len(s.Codes)+len(s.Lines) > 0}
	switch {
	case len(s.Contexts) > 0:
		for _, id := range s.Contexts {
			if v, ok := c.Node(id); ok {
				l.Nodes = append(l.Nodes, v)
			}
		}
	case l.Named:
		for _, code := range c.Run.Coded(s).Codes {
			l.Nodes = append(l.Nodes, c.coded().of(c.procedure(code))...)
		}
		if len(s.Codes) == 0 {
			for _, lines := range s.Lines {
				for _, code := range c.around(lines) {
					l.Nodes = append(l.Nodes, c.coded().of(code)...)
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

// around returns the procedures of the tree that contain lines: those that begin within the lines, and the last ones that
// begin before and have not ended.
func (c *Contexts) around(lines view.Lines) (codes []uint32) {
	var before []uint32 // several for one template with several instances
	for _, code := range c.coded().codes {
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

// procedure returns the innermost code around a code that has nodes in the tree, or the code itself if there is none.
func (c *Contexts) procedure(code uint32) uint32 {
	for outer := code; outer != 0 && int(outer) < len(c.Run.Codes); outer = c.Run.Codes[outer].Parent {
		if c.coded().of(outer) != nil {
			return outer
		}
	}
	return code
}
