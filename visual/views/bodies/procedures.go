package bodies

import (
	"errors"
	"iter"
	"math"
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/derive/traffic"
	"whorl/tracer/taskindex"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Bodies may be procedures instead of PEs, as the paper suggests for the animation of algorithms. Each call pulls caller and callee together, and so
// does each wake-up of a thread by another.
// Strong friction averages the motion, so that bodies that move much stand out.

// bodyKind selects what a body represents.
var bodyKind = view.Param{
	Name: "bodies", Label: "Bodies are", Doc: "meaning of a body: a PE, pulled by messages; or a procedure or function, pulled by calls and wake-ups, with strong friction that averages the motion",
	Default: "pe", Choices: []string{"pe", "procedure"},
}

// A source is the traffic between bodies, and the meaning of the bodies.
type source struct {
	*traffic.Traffic
	procedures []uint32 // by body, in the order of the code table; nil if bodies are PEs
}

// calls returns the traffic between the procedures of a run. For goals and threads, a call is the creation of one by
// another in the spawn tree, and a thread that wakes another calls it too. If there are none, calls come from samples with calling contexts.
func calls(run *view.Run, tree *spawntree.Tree, src tracer.Source, o traffic.Options, tick flow.Tick) (*source, error) {
	if tree.Len() == 0 {
		return sampled(run, src, o, tick)
	}
	s := &source{procedures: owners(run, tree.Code.All())}
	number := s.numbers(run)
	var err error
	s.Traffic, err = traffic.Calls(src, len(s.procedures), o, func(call func(traffic.Call)) error {
		for i, code := range tree.Code.All() {
			from := int32(-1)
			if p := tree.Parent[i]; p >= 0 {
				from = number(tree.Code.At(int(p)))
			}
			call(traffic.Call{Time: tree.Time.At(i), From: from, To: number(code), Cost: tree.Cost.At(i)})
			if i%(1<<16) == 0 && tick != nil {
				if err := tick(int64(i), int64(tree.Len())); err != nil {
					return err
				}
			}
		}
		return s.wakeUps(src, tree, number, call)
	})
	return s, err
}

// wakeUps calls call for each wake-up of a thread by another one.
func (s *source) wakeUps(src tracer.Source, tree *spawntree.Tree, number func(code uint32) int32, call func(traffic.Call)) error {
	if src.Counts()[tracer.Wake] == 0 {
		return nil
	}
	var bodies taskindex.Table[int32] // by thread: its body, + 1
	for i, code := range tree.Code.All() {
		bodies.Put(tree.Task.At(i), number(code)+1)
	}
	return src.Scan(tracer.Kinds(tracer.Wake), func(es []tracer.Event) error {
		for i := range es {
			if e := &es[i]; e.Ref != 0 {
				if from, to := bodies.Get(e.Ref), bodies.Get(e.Task); from > 0 && to > 0 {
					call(traffic.Call{Time: e.Time, From: from - 1, To: to - 1, Woken: true})
				}
			}
		}
		return nil
	})
}

// sampled returns the traffic between procedures from samples: a sample in a procedure counts as a call by its caller
// in the context.
func sampled(run *view.Run, src tracer.Source, o traffic.Options, tick flow.Tick) (*source, error) {
	contexts := src.Dict().Contexts()
	var codes []uint32
	for _, c := range contexts {
		codes = append(codes, c.Code)
	}
	s := &source{procedures: owners(run, slices.All(codes))}
	number := s.numbers(run)
	// By context: its procedure, and the procedure of the caller.
	in, by := make([]int32, len(contexts)), make([]int32, len(contexts))
	for i, c := range contexts {
		in[i], by[i] = number(c.Code), -1
		if p := int(c.Parent); p > 0 && p < i {
			if by[i] = in[p]; in[p] == in[i] { // a line of the same procedure
				by[i] = by[p]
			}
		}
	}
	var done int64
	var err error
	s.Traffic, err = traffic.Calls(src, len(s.procedures), o, func(call func(traffic.Call)) error {
		return src.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
			for i := range es {
				if e := &es[i]; e.Ref > 0 && e.Ref < uint64(len(contexts)) {
					call(traffic.Call{Time: e.Time, From: by[e.Ref], To: in[e.Ref], Ticks: e.Value, Sampled: true})
				}
			}
			if done += int64(len(es)); tick != nil {
				return tick(done, run.Counts[tracer.Sample])
			}
			return nil
		})
	})
	return s, err
}

// owners returns the procedures of codes in the order of the code table, which stays the same while a run grows.
func owners(run *view.Run, codes iter.Seq2[int, uint32]) []uint32 {
	seen := make([]bool, len(run.Codes)+1)
	for _, c := range codes {
		seen[min(int(c), len(run.Codes))] = true
	}
	all := []uint32{}
	for c, met := range seen[:len(run.Codes)] {
		if o := run.Owner(uint32(c)); met && o != 0 {
			all = append(all, o)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// numbers returns a function that maps a code to the body of its procedure, -1 for none.
func (s *source) numbers(run *view.Run) func(code uint32) int32 {
	body := make([]int32, len(run.Codes))
	for c := range body {
		k, ok := slices.BinarySearch(s.procedures, run.Owner(uint32(c)))
		if body[c] = int32(k); !ok {
			body[c] = -1
		}
	}
	return func(code uint32) int32 {
		if int(code) >= len(body) {
			return -1
		}
		return body[code]
	}
}

// check reports why the procedures of a run cannot move as bodies.
func (s *source) check() error {
	switch {
	case len(s.procedures) == 0:
		return errors.New("the trace has no procedures: it has no goals, no threads and no samples with code")
	case len(s.procedures) == 1:
		return errors.New("there is only one procedure: bodies move if several procedures call or wake each other")
	case s.Group > 1:
		return errors.New("there are too many procedures to show each as a body")
	case !slices.ContainsFunc(s.Flows, func(f traffic.Flow) bool { return f.From != f.To }):
		return errors.New("the trace has no calls between procedures: nothing moves the bodies")
	case s.From == s.To:
		return errors.New("all events happened at one instant: there is no time for motion")
	}
	return nil
}

// called returns a number of calls in words.
func (s *stage) called(count int64) string {
	if s.g.run.Counts[tracer.Reduce]+s.g.run.Counts[tracer.Start] == 0 {
		return "in " + figures.Count(count) + " ticks"
	}
	if count == 1 {
		return "once"
	}
	return figures.Count(count) + " times"
}

// describeProcedure returns the lines of the tip of a procedure.
func (s *stage) describeProcedure(body int) []string {
	lines := s.g.run.Described(s.g.procedures[body])
	recently := " of the last " + figures.Duration(s.recently())
	if s.load[body] > 0 {
		lines = append(lines, strconv.Itoa(int(math.Round(100*s.load[body])))+" % of the work"+recently)
	}
	var out, in, done int64
	for _, f := range s.g.Traffic.FlowsOf(s.first, s.last) {
		switch {
		case f.From == f.To:
		case int(f.From) == body:
			out += f.Messages
		case int(f.To) == body:
			in += f.Messages
		}
	}
	for _, l := range s.g.Traffic.LoadsOf(s.first, s.last) {
		if int(l.Node) == body {
			done += l.Reductions
		}
	}
	if done > 0 {
		lines = append(lines, figures.Count(done)+" "+s.g.run.Noun(done))
	}
	if s.g.run.Counts[tracer.Wake] > 0 {
		return append(lines, "called or woke others "+s.called(out)+", was called or woken "+s.called(in))
	}
	return append(lines, "called others "+s.called(out)+", was called "+s.called(in))
}

// selectedProcedures returns the bodies whose procedures a selection contains.
func (s *stage) selectedProcedures(sel view.Selection) (bodies []int32) {
	if sel.Trace != s.Trace || len(sel.Codes)+len(sel.Lines) == 0 {
		return nil
	}
	number := (&source{procedures: s.g.procedures}).numbers(s.g.run)
	seen := make([]bool, len(s.g.procedures))
	for _, code := range s.g.run.Coded(sel).Codes {
		if b := number(code); b >= 0 && !seen[b] {
			seen[b] = true
			bodies = append(bodies, b)
		}
	}
	return bodies
}

// hue returns the colour of a procedure, which is the same in all views, or other if it has none of its own.
func (g *Geometry) hue(body int, other scene.Color) scene.Color {
	if r := g.ranks.Rank(g.procedures[body]); r >= 0 && r < len(g.hues) {
		return g.hues[r]
	}
	return other
}

// hueSwatches returns the legend of the colours of procedures.
func (g *Geometry) hueSwatches(other scene.Color) view.Block {
	b := view.Block{Title: "Procedure"}
	for i, c := range g.hues {
		b.Swatches = append(b.Swatches, view.Swatch{Colors: []scene.Color{c}, Label: g.run.Name(g.ranks.Owners[i])})
	}
	if len(g.ranks.Owners) > len(g.hues) {
		b.Swatches = append(b.Swatches, view.Swatch{Colors: []scene.Color{other}, Label: "others"})
	}
	return b
}

// sourceOf returns the traffic of a run between the bodies that the parameters select.
func sourceOf(run *view.Run, tree *spawntree.Tree, src tracer.Source, prev *source, o traffic.Options, p flow.Values, tick flow.Tick) (*source, error) {
	if p.Text(bodyKind.Name) == "procedure" {
		return calls(run, tree, src, o, tick)
	}
	var before *traffic.Traffic
	if prev != nil && prev.procedures == nil {
		before = prev.Traffic
	}
	t, err := traffic.Grow(src, o, before, tick)
	return &source{Traffic: t}, err
}
