package lower

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// leaves tells whether a loop may be left before its last iteration, and where: by EXIT, RETURN or a label outside of it, or by CYCLE of a
// loop around it.
func leaves(d *Do) (syntax.Pos, bool) {
	w := leaving{labels: map[int]bool{}}
	w.collect(d.Body)
	w.block(d.Body, []string{d.Name})
	return w.at, w.left
}

// A leaving is what leaves a loop.
type leaving struct {
	labels map[int]bool // within
	at     syntax.Pos   // of the first that leaves it
	left   bool
}

func (w *leaving) collect(body []Stmt) {
	for _, s := range body {
		w.labels[s.Info().Label] = true
		for _, b := range bodies(s) {
			w.collect(b)
		}
	}
}

// bodies are the statements that are part of another one.
func bodies(s Stmt) [][]Stmt {
	switch s := s.(type) {
	case *If:
		return s.Bodies
	case *Do:
		return [][]Stmt{s.Body}
	case *Select:
		out := make([][]Stmt, len(s.Cases))
		for i, c := range s.Cases {
			out[i] = c.Body
		}
		return out
	}
	return nil
}

// block reads statements in loops, of which the first is the one that may be left.
func (w *leaving) block(body []Stmt, loops []string) {
	for _, s := range body {
		var labels []int
		leaves := false
		switch s := s.(type) {
		case *Goto:
			labels = s.Labels
		case *Arithmetic:
			labels = s.Labels[:]
		case *Output:
			labels = []int{s.End, s.Err}
		case *Input:
			labels = []int{s.End, s.Err}
		case *Leave:
			around := slices.Index(loops, s.Name) // -1 for a loop around all of them
			switch s.Kind {
			case Return:
				leaves = true
			case Exit:
				leaves = s.Name == "" && len(loops) == 1 || s.Name != "" && around <= 0
			case Cycle:
				leaves = s.Name != "" && around < 0
			}
		}
		for _, n := range labels {
			leaves = leaves || n != 0 && !w.labels[n]
		}
		if leaves && !w.left {
			w.at, w.left = s.Info().At, true
		}
		inner := loops
		if d, ok := s.(*Do); ok {
			inner = append(slices.Clone(loops), d.Name)
		}
		for _, b := range bodies(s) {
			w.block(b, inner)
		}
	}
}
