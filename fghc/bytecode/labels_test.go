package bytecode

import (
	"fmt"
	"strings"
	"testing"

	"whorl/fghc/compile"
	"whorl/fghc/testdata/fghctest"
	"whorl/fghc/testdata/programs"
	"whorl/testdata/must"
)

// labels returns the labels in the instruction at pc.
func (p *Program) labels(pc int) []uint64 {
	in := p.Words[pc]
	half := func(k int) []uint64 { return []uint64{p.Words[pc+k].Low(), p.Words[pc+k].High()} }
	switch in.Op() {
	case List, Less, NotLess, Same, NotSame, Floats:
		return append(half(1), half(2)...)
	case Kind, Equal, Differ, Test, Add, Sub, Mod, Arith, Jump, Otherwise, ModSame, Copy:
		return half(1)
	case Call:
		return half(1)[1:]
	case Switch:
		t := &p.Tables[p.Words[pc+1]]
		all := []uint64{uint64(t.List), uint64(t.Default), uint64(t.Blocked)}
		for k, key := range t.Keys {
			all = append(all, uint64(t.Labels[k]), uint64(t.Find(key)))
		}
		return all
	case Exec:
		return []uint64{uint64(in) >> 32}
	}
	return nil
}

// check reports labels that are no instruction, and entries without code.
func check(t *testing.T, name string, p *Program) {
	t.Helper()
	starts := map[uint64]bool{0: true}
	for pc := 1; pc < len(p.Words); pc += p.length(pc) {
		if op := p.Words[pc].Op(); strings.HasPrefix(op.String(), "op(") {
			t.Fatalf("%s: the word at %d is no instruction: %v", name, pc, op)
		}
		starts[uint64(pc)] = true
	}
	for pc := 1; pc < len(p.Words); pc += p.length(pc) {
		for _, label := range p.labels(pc) {
			if !starts[label] {
				t.Errorf("%s: %v at %d continues at %d, which is no instruction", name, p.Words[pc].Op(), pc, label)
			}
		}
	}
	for i, e := range append(p.Entries[:len(p.Entries):len(p.Entries)], p.Begin) {
		if e == 0 || !starts[uint64(e)] {
			t.Errorf("%s: procedure %d begins at %d, which is no instruction", name, i, e)
		}
	}
	for i, label := range p.Labels {
		if !starts[uint64(label)] {
			t.Errorf("%s: label %d of the program has the address %d, which is no instruction", name, i, label)
		}
	}
}

// Every label of the language tests and of the benchmarks is an instruction, wherever goals go and whichever
// procedures are Go functions.
func TestLabels(t *testing.T) {
	type text struct{ name, source, goal string }
	var all []text
	for _, f := range programs.Language() {
		all = append(all, text{f.Name, f.Text, f.Queries[0].Goals})
	}
	for _, b := range programs.Benchmarks() {
		all = append(all, text{b.Name, b.Code.Source, b.Code.Goal(b.Small)})
	}
	for _, c := range all {
		prog, q := fghctest.Query(t, c.name, c.source, c.goal)
		some := make([]bool, len(prog.Procs))
		for i := range some {
			some[i] = i%2 == 0
		}
		for _, stays := range []bool{true, false} {
			for _, native := range [][]bool{nil, some} {
				p := must.Get(Lower(prog, q, stays, native))(t)
				check(t, c.name, p)
				for i, e := range p.Entries {
					want := i < len(native) && native[i]
					if w := p.Words[e]; (w.Op() == Native) != want || want && uint64(w)>>16 != uint64(i) {
						t.Errorf("%s: procedure %d begins with %v, a Go function: %t", c.name, i, w.Op(), want)
					}
				}
			}
		}
	}
}

// The bytecode resumes at the start of each procedure. It cannot resume behind a computation that is fused with the
// instructions around it.
func TestResumable(t *testing.T) {
	prog := fghctest.Compile(t, "p.fghc", programs.Primes)
	resumable := must.Get(Resumable(prog))(t)
	for _, pr := range prog.Procs {
		if !resumable[pr.Entry] {
			t.Errorf("%s is not resumable at its start", pr.Name)
		}
	}
	fused := 0
	for label := 1; label < len(resumable); label++ {
		if !resumable[label] {
			fused++
		}
	}
	if fused == 0 || fused == len(resumable)-1 {
		t.Errorf("%d of %d labels are not resumable", fused, len(resumable)-1)
	}
}

// A program with more constants than registers for constants loads the others where it needs them.
func TestManyConstants(t *testing.T) {
	const n, group = maxConsts + 10, 1000
	var text strings.Builder
	for i := 0; i < n; i += group {
		fmt.Fprintf(&text, "p(%d,R) :- R = {c", i)
		for k := i; k < min(n, i+group); k++ {
			fmt.Fprintf(&text, ",c%d", k)
		}
		text.WriteString("}.\n")
	}
	prog, q := fghctest.Query(t, "p.fghc", text.String(), "p(0,R)")
	p := must.Get(Lower(prog, q, true, nil))(t)
	loads := 0
	for pc := 1; pc < len(p.Words); pc += p.length(pc) {
		if p.Words[pc].Op() == Const {
			loads++
		}
	}
	if len(p.Constants) != maxConsts || loads < n-maxConsts {
		t.Errorf("%d constants in registers and %d loads, of %d constants", len(p.Constants), loads, n)
	}
}

// A program that needs more registers than there are is an error.
func TestTooManyRegisters(t *testing.T) {
	prog := &compile.Program{Code: make([]compile.Ins, 1), Registers: NumRegs + 1}
	if _, err := Lower(prog, new(compile.Query), true, nil); err == nil || !strings.Contains(err.Error(), "the limit is 65536") {
		t.Errorf("%v", err)
	}
	if _, err := Resumable(prog); err == nil {
		t.Error("no error")
	}
}

// Words keep the fields that are packed into them.
func TestFields(t *testing.T) {
	w := instr(Exec, 255, 1, 1<<16-1, 3)
	if w.Op() != Exec || w.N() != 255 || w.A() != 1 || w.B() != 1<<16-1 || w.C() != 3 {
		t.Errorf("%#x: %v, n=%d, a=%d, b=%d, c=%d", uint64(w), w.Op(), w.N(), w.A(), w.B(), w.C())
	}
	for k, want := range []uint16{10, 20, 30, 40} {
		if got := Word(10 | 20<<16 | 30<<32 | 40<<48).Reg(uint64(k) + 4); got != want {
			t.Errorf("register %d is %d, want %d", k+4, got, want)
		}
	}
	if r := RecordWord(1<<24-1, 1<<16-1, 7); ProcOf(r) != 1<<24-1 || ArityOf(r) != 1<<16-1 || SiteOf(r) != 7 {
		t.Errorf("%#x: procedure %d, arity %d, site %d", r, ProcOf(r), ArityOf(r), SiteOf(r))
	}
	if got := Op(200).String(); got != "op(200)" || SumEnd.String() != "sum.end" {
		t.Errorf("%s, %v", got, SumEnd)
	}
}
