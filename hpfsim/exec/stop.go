package exec

import (
	"bufio"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
	"whorl/hpfsim/syntax"
)

// A Break is a source line. The run stops before its statements.
type Break struct {
	File string // the path of the file, or its last part
	Line int
}

func (b Break) matches(p syntax.Pos) bool {
	return int(p.Line) == b.Line && (p.File == b.File || filepath.Base(p.File) == b.File)
}

// Stops are the lines where a run stops, and the function that is called there.
type Stops struct {
	Breaks []Break
	// Tell is called before a statement. The run continues when Tell returns. If Tell returns true, the run stops before
	// the next statement.
	Tell func(s *Stop) (step bool)
}

// Check returns the first break at a line where no run stops, with the next line where one may stop, 0 for none. It returns nil if there is no such
// break. Runs do not stop before the end of a loop or a branch, and not within WHERE and FORALL.
func (s *Stops) Check(prog *lower.Program) (wrong *Break, next int) {
	for i, b := range s.Breaks {
		found := false
		next = 0
		for _, u := range prog.Units {
			lower.Executed(u.Body, func(s lower.Stmt) {
				pos := s.Info().Pos
				line := Break{b.File, int(pos.Line)}
				found = found || b.matches(pos)
				if line.matches(pos) && line.Line > b.Line && (next == 0 || line.Line < next) {
					next = line.Line
				}
			})
		}
		if !found {
			return &s.Breaks[i], next
		}
	}
	return nil, 0
}

// A Stop is a run that is stopped before a statement.
type Stop struct {
	Pos   syntax.Pos
	Now   int64         // ns, as Machine.Now
	Input *bufio.Reader // of the program
	frame *frame
	stmt  lower.Stmt
}

// mayStop stops the run before a statement at a break, or after single stepping.
func (f *frame) mayStop(s lower.Stmt) {
	pos := s.Info().Pos
	if !f.stepping && !slices.ContainsFunc(f.opts.Stops.Breaks, func(b Break) bool { return b.matches(pos) }) {
		return
	}
	f.Flush()
	if f.in != nil { // the run waits as long as the user does
		f.in.plain = true
		defer func() { f.in.plain = false }()
	}
	f.Machine.stepping = f.opts.Stops.Tell(&Stop{Pos: pos, Now: f.Now(), Input: f.io.In, frame: f, stmt: s})
}

// Stand makes Advance return after the statement.
func (s *Stop) Stand() { s.frame.Machine.left = 0 }

// Processors returns the processors that execute the statement.
func (s *Stop) Processors() []int32 { return slices.Clone(s.frame.who) }

// Unit returns the name of the program or procedure.
func (s *Stop) Unit() string { return lowered(s.frame.unit.Name) }

// Names returns the variables of the statement, in order.
func (s *Stop) Names() []string {
	var out []string
	see := func(sym *lower.Symbol) {
		if sym == nil || sym.Class != lower.Variable || sym.Pool != nil {
			return
		}
		if name := lowered(s.frame.unit.NameOf(sym)); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, x := range expressions(s.stmt) {
		lower.Walk(x, func(e lower.Expr) {
			switch e := e.(type) {
			case *lower.Ref:
				see(e.Sym)
			case *lower.Element:
				see(e.Sym)
			}
		})
	}
	if d, ok := s.stmt.(*lower.Do); ok {
		see(d.Var)
	}
	return out
}

// All returns the variables of the unit, of the modules that it uses, and of the units that contain it.
func (s *Stop) All() []string {
	var out []string
	for f := s.frame; f != nil; f = f.host {
		for _, sym := range f.unit.Symbols {
			if sym.Class == lower.Variable && sym.Pool == nil && f.vars[sym.Index] != nil && !slices.Contains(out, lowered(sym.Name)) {
				out = append(out, lowered(sym.Name))
			}
		}
		for _, name := range f.unit.Used() {
			if !slices.Contains(out, lowered(name)) && !strings.Contains(name, "%%") { // of pools
				out = append(out, lowered(name))
			}
		}
	}
	return out
}

// expressions returns the expressions of a statement, without those of statements within it.
func expressions(s lower.Stmt) []lower.Expr {
	switch s := s.(type) {
	case *lower.Assign:
		return []lower.Expr{s.Left, s.Right}
	case *lower.If:
		return s.Conds
	case *lower.Arithmetic:
		return []lower.Expr{s.Value}
	case *lower.Do:
		return []lower.Expr{s.Lo, s.Hi, s.Step, s.Cond}
	case *lower.Select:
		return []lower.Expr{s.Value}
	case *lower.Where:
		return s.Masks
	case *lower.Forall:
		return slices.Concat(s.Los, s.His, s.Step, []lower.Expr{s.Mask})
	case *lower.Subcall:
		return s.Args
	case *lower.Output:
		return s.Items
	case *lower.Input:
		return s.Items
	}
	return nil
}

// Limits of the shown values.
const (
	shownValues     = 8
	shownProcessors = 16
)

// Value describes the value of a variable, with a line for each processor if it is mapped. It returns false for an
// unknown name.
func (s *Stop) Value(name string) (lines []string, ok bool) {
	for f := s.frame; f != nil; f = f.host {
		for _, sym := range f.unit.Symbols {
			if sym.Class == lower.Variable && strings.EqualFold(sym.Name, name) && f.vars[sym.Index] != nil {
				return f.described(lowered(sym.Name), sym), true
			}
		}
		if sym := f.unit.UsedAs(strings.ToUpper(name)); sym != nil {
			return f.described(lowered(name), sym), true
		}
	}
	return nil, false
}

// described describes the value of a variable, and that of a pointer to a target in a pool by the target.
func (f *frame) described(name string, s *lower.Symbol) []string {
	a := f.variable(s)
	if s.Leads == nil || a.absent || len(a.n) > 0 {
		return f.describe(name, a)
	}
	k := int(a.int(a.off))
	if live := f.variable(s.Leads.Live); k < 1 || k > live.n[0] || live.int(k-1) == 0 {
		return []string{name + " is not associated"}
	}
	var out []string
	for _, x := range s.Leads.Parts {
		_, component, _ := strings.Cut(lowered(x.Array.Name), "%%")
		if to := f.variable(x.Array).column(k); x.Array.Leads != nil && to.int(to.off) == 0 {
			out = append(out, name+"%"+component+" is not associated")
		} else if x.Array.Leads != nil {
			out = append(out, fmt.Sprintf("%s%%%s is target %d", name, component, to.int(to.off)))
		} else {
			out = append(out, f.describe(name+"%"+component, to)...)
		}
	}
	return out
}

func (f *frame) describe(name string, a *array) []string {
	switch {
	case a.proc != nil:
		return []string{name + " is the procedure " + lowered(a.proc.Name)}
	case a.absent:
		return []string{name + " is absent"}
	case len(a.n) == 0:
		return []string{name + " = " + shown(a.get(a.off), a.t)}
	}
	whole := a.whole()
	if a.lay == nil {
		runs := make([][]mapping.Run, len(whole))
		for d, r := range whole {
			runs[d] = []mapping.Run{r}
		}
		return []string{"every processor  " + a.firstElements(name, runs)}
	}
	var out []string
	none := 0
	for p := range f.ranks {
		owned := [][]mapping.Run(nil)
		if p < a.lay.Template.Grid.Size() {
			owned = a.lay.Owned(p, whole)
		}
		switch {
		case owned == nil:
			none++
		case len(out) == shownProcessors:
			return append(out, fmt.Sprintf("and on %d more processors", len(f.ranks)-none-len(out)))
		default:
			out = append(out, fmt.Sprintf("processor %-6d %s", p, a.firstElements(name, owned)))
		}
	}
	if len(out) == 0 {
		return []string{name + " has no elements"}
	}
	return out
}

// firstElements formats the first elements of a product of runs.
func (a *array) firstElements(name string, runs [][]mapping.Run) string {
	parts := make([]string, len(runs))
	total := 1
	for d, all := range runs {
		var texts []string
		n := 0
		for _, r := range all {
			n += r.Len()
			text := strconv.Itoa(r.From)
			if r.Len() > 1 {
				text += ":" + strconv.Itoa(r.To)
				if r.Step != 1 {
					text += ":" + strconv.Itoa(r.Step)
				}
			}
			if len(texts) < 4 {
				texts = append(texts, text)
			}
		}
		if len(all) > len(texts) {
			texts = append(texts, "...")
		}
		parts[d] = strings.Join(texts, " ")
		total *= n
	}
	out := name + "(" + strings.Join(parts, ", ") + ") ="
	at := make([]struct{ run, k int }, len(runs))
	for range min(total, shownValues) {
		place := a.off
		for d, x := range at {
			r := runs[d][x.run]
			place += (r.From + x.k*r.Step - a.lo[d]) * a.step[d]
		}
		out += " " + shown(a.get(place), a.t)
		for d := range at {
			x := &at[d]
			if x.k++; x.k < runs[d][x.run].Len() {
				break
			}
			x.k = 0
			if x.run++; x.run < len(runs[d]) {
				break
			}
			x.run = 0
		}
	}
	if total > shownValues {
		out += fmt.Sprintf(" and %d more", total-shownValues)
	}
	return out
}

// shown formats a value for users.
func shown(v lower.Value, t lower.Type) string {
	bits := 64
	if t.Base == syntax.RealType {
		bits = 32
	}
	switch t.Base {
	case syntax.IntegerType:
		return strconv.FormatInt(v.I, 10)
	case syntax.LogicalType:
		if v.I != 0 {
			return "T"
		}
		return "F"
	case syntax.CharacterType:
		return strconv.Quote(v.S)
	case syntax.ComplexType:
		return fmt.Sprintf("(%g,%g)", real(v.Z), imag(v.Z))
	}
	return strconv.FormatFloat(v.F, 'g', -1, bits)
}
