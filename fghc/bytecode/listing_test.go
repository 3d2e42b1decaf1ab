package bytecode

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"whorl/fghc/testdata/fghctest"
	"whorl/fghc/testdata/programs"
	"whorl/internal/testdata/opcodes"
	"whorl/testdata/must"
)

var update = flag.Bool("update", false, "rewrite testdata/nrev.listing")

// TestListing checks the fused instructions of naive reverse: one tests and decomposes a list, another builds a cell,
// binds it and starts the goal behind it, and the first goal continues in place.
func TestListing(t *testing.T) {
	prog, q := fghctest.Query(t, "p.fghc", programs.NRev, "nrev([1,2,3],R)")
	p := must.Get(Lower(prog, q, true, nil))(t)
	const file = "testdata/nrev.listing"
	got := p.listing()
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(file))(t)
	if got != string(want) {
		t.Errorf("code differs from testdata/nrev.listing (-update rewrites it):\n%s", got)
	}
}

// listing prints the code, one instruction a line.
func (p *Program) listing() string {
	var b strings.Builder
	for pc := 1; pc < len(p.Words); {
		in := p.Words[pc]
		n := p.length(pc)
		fmt.Fprintf(&b, "%5d %-10s n=%d a=%d b=%d c=%d", pc, in.Op(), in.N(), in.A(), in.B(), in.C())
		for _, w := range p.Words[pc+1 : pc+n] {
			fmt.Fprintf(&b, " %d|%d", w.Low(), w.High())
		}
		b.WriteByte('\n')
		pc += n
	}
	return b.String()
}

// length returns the number of words of the instruction at pc.
func (p *Program) length(pc int) int {
	in := p.Words[pc]
	a, c, n := int(in.A()), int(in.C()), int(in.N())
	switch in.Op() {
	case SumEnd, Switch, Kind, Equal, Differ, Otherwise, Jump, Const, Unify, UnifyCons, ConsExec, Proceed:
		return 2
	case ModSame, Copy, List, Less, NotLess, Same, NotSame, Floats, Add, Sub, Mod, Arith, UnifyEnd:
		return 3
	case Struct:
		return 2 + (c+3)/4
	case Test, Call:
		return 3 + (a+3)/4
	case PushAt:
		return 2 + max(1, (a+min(1, n&^OfWaiter)+3)/4)
	case Push, Delay:
		return 2 + max(1, (a+3)/4)
	case Exec:
		if n > 4 {
			return 3 + (2*int(p.Words[pc+2])+3)/4
		}
		return 2 + (2*n+3)/4
	}
	return 1
}

// TestOpcodesAreDocumented checks that a comment of the pattern documents each opcode.
func TestOpcodesAreDocumented(t *testing.T) {
	if got := opcodes.Documented(t, "instr.go"); !slices.Equal(got, opNames[1:]) {
		t.Errorf("documented opcodes\n%q, want\n%q", got, opNames[1:])
	}
}
