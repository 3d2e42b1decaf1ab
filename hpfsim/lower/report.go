package lower

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
)

// Report writes a row for each loop, FORALL, WHERE and assignment to an array or to a section: the processors that execute it, the number of
// iterations or elements of each, and the reason why a loop is not shared out. Below a statement are the messages before it. Statements that are none
// of these are listed if they send messages.
func Report(w io.Writer, p *Program) error {
	out := &strings.Builder{}
	for _, u := range p.Units {
		r := &reporter{unit: u, processors: p.Processors}
		r.block(u.Body, 0)
		if len(r.rows) == 0 {
			continue
		}
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		processors := "processors"
		if p.Processors == 1 {
			processors = "processor"
		}
		fmt.Fprintf(out, "%v %s on %d %s, %s\n", u.Kind, strings.ToLower(u.Name), p.Processors, processors, u.Pos.File)
		r.write(out)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// A reporter collects the rows of a unit.
type reporter struct {
	unit       *Unit
	processors int
	rows       []row
	shared     bool // a loop around the statement is shared out
}

// A row is a line of the report. One without a position continues the row above.
type row struct {
	pos                    syntax.Pos
	statement, who, shares string
}

func (r *reporter) write(out *strings.Builder) {
	table := [][4]string{{"line", "statement", "executed by", "each processor"}}
	for _, x := range r.rows {
		line := ""
		if x.pos.Line > 0 {
			if line = fmt.Sprint(x.pos.Line); x.pos.File != r.unit.Pos.File {
				line = x.pos.File + ":" + line
			}
		}
		table = append(table, [4]string{line, x.statement, x.who, x.shares})
	}
	const widest = 60 // a longer cell moves those after it
	var widths [4]int
	for _, cells := range table {
		for k, c := range cells {
			if n := len([]rune(c)); n <= widest && cells[min(k+1, 3)] != "" {
				widths[k] = max(widths[k], n)
			}
		}
	}
	for _, c := range table {
		line := fmt.Sprintf("%*s  %-*s  %-*s  %s", widths[0], c[0], widths[1], c[1], widths[2], c[2], c[3])
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func (r *reporter) add(pos syntax.Pos, depth int, what, who, shares string) {
	r.rows = append(r.rows, row{pos, strings.Repeat("  ", depth) + what, who, shares})
}

func (r *reporter) block(body []Stmt, depth int) {
	for _, s := range body {
		r.stmt(s, depth)
	}
}

func (r *reporter) stmt(s Stmt, depth int) {
	info := s.Info()
	switch s := s.(type) {
	case *Do:
		r.loop(s, depth)
		around := r.shared
		r.shared = r.shared || s.Parallel != nil && s.Why == nil
		r.block(s.Body, depth+1)
		r.shared = around
		r.messages(s.End.Comms, s.Pos, depth)
		return
	case *Assign:
		if s.Left.Rank() > 0 || len(s.Comms) > 0 {
			r.assign(s, nil, depth)
		}
		return
	case *Where:
		r.add(s.Pos, depth, "where ("+text(s.Masks[0])+")", "", "")
		r.messages(s.Comms, s.Pos, depth)
		for _, b := range s.Bodies {
			r.block(b, depth+1)
		}
		return
	case *Forall:
		var ranges []string
		for k, v := range s.Vars {
			ranges = append(ranges, lowerName(v)+"="+text(s.Los[k])+":"+text(s.His[k]))
		}
		if s.Mask != nil {
			ranges = append(ranges, text(s.Mask))
		}
		r.add(s.Pos, depth, "forall ("+strings.Join(ranges, ", ")+")", "", "")
		r.messages(s.Comms, s.Pos, depth)
		for _, b := range s.Body {
			if a, ok := b.(*Assign); ok {
				r.assign(a, s, depth+1)
			} else {
				r.stmt(b, depth+1)
			}
		}
		return
	case *On:
		who := "the owner of " + s.homeText()
		if s.Grid != nil {
			who = "the processors " + s.homeText()
		}
		r.add(s.Pos, depth, "on", who, "")
		r.messages(s.Comms, s.Pos, depth)
		r.block(s.Body, depth+1)
		return
	case *Remap:
		for _, a := range s.Arrays {
			r.add(s.Pos, depth, "remapping of "+lowerName(a), "its owners before and after", "")
		}
	case *If:
		for i := range s.Conds {
			if t := &s.Tests[i]; len(t.Comms) > 0 {
				r.add(t.Pos, depth, "condition "+text(s.Conds[i]), "", "")
				r.messages(t.Comms, t.Pos, depth)
			}
			r.block(s.Bodies[i], depth)
		}
		return
	default:
		if len(info.Comms) > 0 {
			r.add(info.Pos, depth, statementName(s), "", "")
		}
	}
	r.messages(info.Comms, info.Pos, depth)
	for _, b := range Bodies(s) {
		r.block(b, depth)
	}
}

// loop adds the row of a loop.
func (r *reporter) loop(d *Do, depth int) {
	what := "do"
	switch {
	case d.Var != nil:
		what += " " + lowerName(d.Var) + " = " + text(d.Lo) + ", " + text(d.Hi)
		if d.Step != nil {
			what += ", " + text(d.Step)
		}
	case d.Cond != nil:
		what += " while (" + text(d.Cond) + ")"
	}
	declared := ""
	if d.Parallel != nil && d.Parallel.Promised {
		declared = ", declared INDEPENDENT"
	}
	switch {
	case d.Var == nil || r.shared && d.Why != nil:
		who := "not shared out"
		if r.shared {
			who = "the processor of the loop around it"
		}
		r.add(d.Pos, depth, what, who+declared, "")
		r.messages(d.Comms, d.Pos, depth)
		return
	case d.Why != nil:
		r.add(d.Pos, depth, what, "not shared out"+declared, "")
	case !d.Parallel.Home.Sym.spread(d.Parallel.Index):
		r.add(d.Pos, depth, what, "not shared out"+declared, "")
		r.add(syntax.Pos{}, depth, fmt.Sprintf("  because dimension %d of %s is not distributed", d.Parallel.Index+1, lowerName(d.Parallel.Home.Sym)), "", "")
	default:
		r.add(d.Pos, depth, what, "the owner of "+text(d.Parallel.Home)+declared, shares(r.iterations(d), "iteration"))
	}
	if d.Var != nil && d.Why != nil {
		why := "  because " + d.Why.Text + d.Why.Then
		if d.Why.Line != d.Pos.Line || d.Why.File != d.Pos.File {
			why += fmt.Sprintf(" (line %d)", d.Why.Line)
		}
		r.add(syntax.Pos{}, depth, why, "", "")
	}
	r.messages(d.Comms, d.Pos, depth)
}

// assign adds the row of an assignment, in a FORALL or in none.
func (r *reporter) assign(a *Assign, in *Forall, depth int) {
	what := text(a.Left) + " = " + text(a.Right)
	if long := []rune(what); len(long) > 48 {
		what = string(long[:47]) + "…"
	}
	e := whole(a.Left)
	switch {
	case e == nil || e.Sym.Place == nil:
		r.add(a.Pos, depth, what, "every processor that reaches it", "")
	default:
		all := ""
		if in != nil && in.Mask != nil {
			all = "at most "
		}
		each := ""
		if in != nil || e.N > 0 {
			if each = shares(r.elements(e, in), "element"); each != "" {
				each = all + each
			}
		}
		r.add(a.Pos, depth, what, "the owner of "+text(e), each)
	}
	r.messages(a.Comms, a.Pos, depth)
}

// messages adds the messages before a statement.
func (r *reporter) messages(all []Comm, at syntax.Pos, depth int) {
	for _, c := range all {
		plain := c
		plain.Hoist = 0
		what := "  " + plain.String()
		if c.Hoist > 0 {
			var loops []string
			for _, l := range c.Loops[:min(c.Hoist, len(c.Loops))] {
				loops = append(loops, lowerName(l.Var))
			}
			what += ", before the loop over " + strings.Join(loops, " and ")
		}
		if c.Source != nil && (c.Source.Line != at.Line || c.Source.File != at.File) {
			what += fmt.Sprintf(", for line %d", c.Source.Line)
		}
		r.add(syntax.Pos{}, depth, what, "", "")
	}
}

// shares writes counts by processor. It is empty if there are none.
func shares(counts []int64, noun string) string {
	if len(counts) == 0 {
		return ""
	}
	least, most := slices.Min(counts), slices.Max(counts)
	if most != 1 {
		noun += "s"
	}
	if least == most {
		return fmt.Sprintf("%d %s", most, noun)
	}
	if len(counts) > 8 {
		return fmt.Sprintf("%d to %d %s", least, most, noun)
	}
	return strings.Trim(fmt.Sprint(counts), "[]") + " " + noun
}

// statementName names a kind of statement.
func statementName(s Stmt) string {
	switch s := s.(type) {
	case *Output:
		return "output"
	case *Input:
		return "input"
	case *FileStmt:
		return s.Op
	case *Allocate:
		return "ALLOCATE"
	case *Deallocate:
		return "DEALLOCATE"
	case *Remap:
		return "a remapping"
	case *Goto, *Arithmetic:
		return "GOTO"
	case *Subcall:
		return "a call"
	case *Select:
		return "SELECT CASE"
	case *Leave:
		return [...]string{Return: "RETURN", Stop: "STOP", Cycle: "CYCLE", Exit: "EXIT"}[s.Kind]
	}
	return "a statement"
}
