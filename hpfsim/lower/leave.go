package lower

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// leaves reports whether a loop may be left before its last iteration, and where: by EXIT, RETURN, a jump to a label
// outside, or CYCLE of an outer loop.
func leaves(d *Do) (syntax.Pos, bool) {
	w := leaving{labels: map[int]bool{}}
	w.collect(d.Body)
	w.block(d.Body, []string{d.Name})
	return w.pos, w.left
}

// A leaving searches a loop for the statements that leave it.
type leaving struct {
	labels map[int]bool // labels within the loop
	pos    syntax.Pos   // position of the first statement that leaves it
	left   bool
}

func (w *leaving) collect(body []Stmt) {
	Executed(body, func(s Stmt) { w.labels[s.Info().Label] = true })
}

// Bodies returns the blocks of a statement.
func Bodies(s Stmt) [][]Stmt {
	switch s := s.(type) {
	case *If:
		return s.Bodies
	case *Do:
		return [][]Stmt{s.Body}
	case *On:
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

// Jumps returns the labels that a statement may jump to, with 0 among them. Those of statements within it are not included.
func Jumps(s Stmt) []int {
	switch s := s.(type) {
	case *Goto:
		return s.Labels
	case *Arithmetic:
		return s.Labels[:]
	case *Subcall:
		return s.Labels
	case *Output:
		return []int{s.End, s.Err, s.Eor}
	case *Input:
		return []int{s.End, s.Err, s.Eor}
	case *FileStmt:
		return []int{s.Err}
	}
	return nil
}

// block searches statements within loops, given by name, outermost first. The first is the loop in question.
func (w *leaving) block(body []Stmt, loops []string) {
	for _, s := range body {
		leaves := false
		if s, ok := s.(*Leave); ok {
			around := slices.Index(loops, s.Name) // -1 for an outer loop
			switch s.Kind {
			case Return:
				leaves = true
			case Exit:
				leaves = s.Name == "" && len(loops) == 1 || s.Name != "" && around <= 0
			case Cycle:
				leaves = s.Name != "" && around < 0
			}
		}
		for _, n := range Jumps(s) {
			leaves = leaves || n != 0 && !w.labels[n]
		}
		if leaves && !w.left {
			w.pos, w.left = s.Info().Pos, true
		}
		inner := loops
		if d, ok := s.(*Do); ok {
			inner = append(slices.Clone(loops), d.Name)
		}
		for _, b := range Bodies(s) {
			w.block(b, inner)
		}
	}
}
