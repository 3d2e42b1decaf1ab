package lower

import (
	"fmt"
	"io"
	"strings"

	"whorl/hpfsim/mapping"
	"whorl/hpfsim/syntax"
)

// Listing writes a program. Below each line are its messages and its instructions.
func Listing(w io.Writer, p *Program) error {
	out := &strings.Builder{}
	lines := map[string][]string{p.File.Name: strings.Split(p.File.Text, "\n")} // by file
	for _, f := range p.File.Included {
		lines[f.Name] = strings.Split(f.Text, "\n")
	}
	for i, u := range p.Units {
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(out, "%v %s on %d processors\n", u.Kind, strings.ToLower(u.Name), p.Processors)
		mappings(out, u)
		code(out, u, lines)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// mappings writes the mapping of the arrays of a unit.
func mappings(out *strings.Builder, u *Unit) {
	for _, s := range u.Symbols {
		if s.Place == nil || s.Class != Variable {
			continue
		}
		m, err := s.Static()
		if m == nil || err != nil {
			fmt.Fprintf(out, "  %s is mapped at run time, when its bounds are known\n", strings.ToLower(s.Name))
			continue
		}
		var dims []string
		for _, f := range m.Follow {
			if f.Dim < 0 || m.Template.Axis[f.Dim] < 0 {
				dims = append(dims, "*")
				continue
			}
			spread := m.Template.Spread[f.Dim]
			how := "cyclic"
			if spread.Kind == mapping.Block {
				how = "block"
			}
			text := fmt.Sprintf("%s(%d) over %d", how, spread.M, spread.P)
			switch spread.Kind {
			case mapping.GenBlock:
				text = fmt.Sprintf("blocks of %s over %d", shares(counted(spread), "element"), spread.P)
			case mapping.Indirect:
				text = fmt.Sprintf("%s in a table over %d", shares(counted(spread), "element"), spread.P)
			}
			if f.Stride != 1 || f.Offset != 0 {
				text += fmt.Sprintf(" at %d*i%+d", f.Stride, f.Offset)
			}
			dims = append(dims, text)
		}
		first := ""
		if s.Moves() {
			first = ", at first"
		}
		fmt.Fprintf(out, "  %s(%s)%s\n", strings.ToLower(s.Name), strings.Join(dims, ", "), first)
	}
}

// counted returns the number of indices of each processor.
func counted(s mapping.Spread) []int64 {
	out := make([]int64, s.P)
	for p := range out {
		out[p] = int64(s.Count(p))
	}
	return out
}

// code writes the instructions of a unit below their source lines.
func code(out *strings.Builder, u *Unit, lines map[string][]string) {
	why := map[int]string{} // why a loop runs in parallel, by instruction
	Statements(u.Body, func(s Stmt) {
		if do, ok := s.(*Do); ok && do.Parallel != nil && do.Parallel.Home != nil {
			reason := "found to be independent"
			if do.Parallel.Promised {
				reason = "declared independent"
			}
			why[do.First] = fmt.Sprintf("the iterations are %s; the owner of %s executes each", reason, text(do.Parallel.Home))
		}
	})
	var last syntax.Pos
	for i, ins := range u.Code {
		if ins.Pos.Line != last.Line || ins.Pos.File != last.File {
			last = ins.Pos
			text := ""
			if own := lines[ins.Pos.File]; int(ins.Pos.Line) <= len(own) {
				text = strings.TrimSpace(strings.TrimRight(own[ins.Pos.Line-1], "\r"))
			}
			fmt.Fprintf(out, "%5d  %s\n", ins.Pos.Line, text)
		}
		if s := why[i]; s != "" {
			fmt.Fprintf(out, "              ; %s\n", s)
		}
		if ins.Comm {
			fmt.Fprintf(out, "%12d  %s\n", i, ins)
		} else {
			fmt.Fprintf(out, "%12d  %-48s %3d\n", i, ins, ins.Cost)
		}
	}
}
