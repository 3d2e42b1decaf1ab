package compile

import (
	"fmt"
	"io"
	"slices"
	"testing"

	"whorl/fghc/term"
	"whorl/internal/testdata/opcodes"
)

// list writes the code of a program with its labels, tables and procedures.
func (p *Program) list(w io.Writer) {
	entries := map[int32]string{}
	for _, pr := range p.Procs {
		entries[pr.Entry] = fmt.Sprintf("%s/%d", pr.Name, pr.Arity)
	}
	for i, in := range p.Code[1:] {
		pc := int32(i + 1)
		if name, ok := entries[pc]; ok {
			fmt.Fprintf(w, "%s:\n", name)
		}
		fmt.Fprintf(w, "%5d  %v\n", pc, in)
		if in.Op != Switch {
			continue
		}
		t := &p.Tables[in.K]
		for i, k := range t.Keys {
			fmt.Fprintf(w, "         %s -> %d\n", p.key(k), t.Labels[i])
		}
		if t.List != t.Default {
			fmt.Fprintf(w, "         [_|_] -> %d\n", t.List)
		}
		fmt.Fprintf(w, "         other -> %d, unbound -> %d\n", t.Default, t.Blocked)
	}
}

// key prints a constructor of a table.
func (p *Program) key(k term.Word) string {
	switch k.Tag() {
	case term.Int:
		return fmt.Sprint(k.Value())
	case term.Atom:
		return p.Symbols.Name(k.Index())
	}
	f := p.Symbols.Lookup(k.Index())
	return fmt.Sprintf("%s/%d", p.Symbols.Name(f.Name), f.Arity)
}

// TestOpcodesAreDocumented checks that a comment of the pattern documents each opcode.
func TestOpcodesAreDocumented(t *testing.T) {
	if got := opcodes.Documented(t, "instr.go"); !slices.Equal(got, opNames[:]) {
		t.Errorf("documented opcodes\n%q, want\n%q", got, opNames)
	}
}
