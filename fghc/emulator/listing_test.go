package emulator

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"whorl/fghc/testdata/programs"
)

var update = flag.Bool("update", false, "rewrite testdata/nrev.listing")

// TestListing checks the fused instructions of naive reverse: one tests and decomposes a list, another builds a cell,
// binds it and starts the goal behind it, and the first goal continues in place.
func TestListing(t *testing.T) {
	prog, q := prepare(t, programs.NRev, "nrev([1,2,3],R)")
	p, err := lower(prog, q, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	const file = "testdata/nrev.listing"
	got := p.listing()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("code differs from testdata/nrev.listing (-update rewrites it):\n%s", got)
	}
}

// listing prints the code, one instruction a line.
func (p *program) listing() string {
	var b strings.Builder
	for pc := 1; pc < len(p.code); {
		in := p.code[pc]
		o := op(uint8(in))
		n := p.length(pc)
		fmt.Fprintf(&b, "%5d %-10s n=%d a=%d b=%d c=%d", pc, o, uint8(in>>8), uint16(in>>16), uint16(in>>32), uint16(in>>48))
		for _, w := range p.code[pc+1 : pc+n] {
			fmt.Fprintf(&b, " %d|%d", uint32(w), w>>32)
		}
		b.WriteByte('\n')
		pc += n
	}
	return b.String()
}

// length returns the number of words of the instruction at pc.
func (p *program) length(pc int) int {
	in := p.code[pc]
	a, c := int(uint16(in>>16)), int(uint16(in>>48))
	switch op(uint8(in)) {
	case opAddEnd, opSwitch, opKind, opEqual, opDiffer, opOtherwise, opJump, opConst, opUnify, opUnifyCons, opConsExec, opProceed:
		return 2
	case opModSame, opList, opLess, opNotLess, opSame, opNotSame, opFloats, opAdd, opSub, opMod, opArith, opUnifyEnd:
		return 3
	case opStruct:
		return 2 + (c+3)/4
	case opTest, opCall:
		return 3 + (a+3)/4
	case opPushAt:
		return 2 + max(1, (a+min(1, int(uint8(in>>8)))+3)/4)
	case opPush, opDelay:
		return 2 + max(1, (a+3)/4)
	case opExec:
		n := int(uint8(in >> 8))
		if n > 4 {
			n = int(p.code[pc+2])
			return 3 + (2*n+3)/4
		}
		return 2 + (2*n+3)/4
	}
	return 1
}
