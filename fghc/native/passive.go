package native

import (
	"fmt"
	"regexp"
	"slices"

	"whorl/fghc/arith"
	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// jumps matches jumps to labels in the text of a function.
var jumps = regexp.MustCompile(`goto (L\d+)`)

// registers matches the names of registers in the text of a function.
var registers = regexp.MustCompile(`\bx\d+\b`)

// chain writes the code from a label on until it jumps elsewhere, and reports whether it commits.
func (f *function) chain(pc int32) (commits bool) {
	for {
		if f.done[pc] {
			f.line("%s", f.goTo(pc))
			return commits
		}
		f.done[pc] = true
		f.line("L%d:", pc)
		in := &f.p.Code[pc]
		switch in.Op {
		case compile.Switch:
			f.switchOn(in)
			return commits
		case compile.LoadList:
			f.loadList(in)
		case compile.LoadArgs:
			f.line("if x%d&7 == %d {\n%s\n}", in.A, term.Box, f.giveBack())
			for k := range in.N {
				f.line("x%d = emulator.Load(m, x%d>>3+%d)", in.B+k, in.A, k+1)
				f.component(in.B+k, fmt.Sprintf("x%d>>3 + %d", in.A, k+1))
			}
		case compile.IsBound, compile.IsInt, compile.IsAtom, compile.IsList, compile.IsAtomic:
			f.kind(in)
		case compile.Equal, compile.Differ:
			f.equality(in)
		case compile.Compare:
			f.integers(in.A, in.B, f.giveBack)
			f.line("if %s %s %s {\n%s\n}", f.signed(in.A), goRelation[in.Rel().Not()], f.signed(in.B), f.goTo(in.Fail))
		case compile.Arith:
			if !f.arith(in, f.giveBack, "") {
				f.line("%s", f.giveBack())
				return commits
			}
		case compile.Const:
			f.constant(in)
		case compile.NewVar, compile.PutList, compile.PutStr, compile.SetArg, compile.Boxed, compile.FloatCompare, compile.Test, compile.Suspend:
			f.line("%s", f.giveBack())
			return commits
		case compile.Move:
			f.move(in)
		case compile.Otherwise: // a function never blocks
		case compile.Jump:
			pc = in.Target
			continue
		case compile.Commit:
			return f.body(in) || commits
		default:
			panic("native: no such instruction in a guard: " + in.Op.String())
		}
		pc++
	}
}

// deref writes code that dereferences register r, and returns the goal to the bytecode if it is unbound.
func (f *function) deref(r uint16) {
	f.line("for x%d&7 == %d {\nw := emulator.Load(m, x%d>>3)\nif w&7 == %d {\n%s\n}\nx%d = w\n}", r, term.Ref, r, term.Var, f.giveBack(), r)
}

// switchOn writes a switch on the constructor of a register: lists first, then atoms and integers, then structures.
func (f *function) switchOn(in *compile.Ins) {
	t := &f.p.Tables[in.K]
	x := fmt.Sprintf("x%d", in.A)
	if t.List != t.Default { // a list often needs no dereferencing
		list := f.goTo(t.List)
		f.line("if %s&7 == %d {\n%s\n}", x, term.List, list)
		f.line("if %s&7 == %d {", x, term.Ref)
		f.deref(in.A)
		f.line("if %s&7 == %d {\n%s\n}\n}", x, term.List, list)
	} else {
		f.deref(in.A)
	}
	var atomic, functors []int
	vectors := false
	for i, k := range t.Keys {
		if k.Tag() == term.Str {
			functors = append(functors, i)
			vectors = vectors || f.p.Symbols.Lookup(k.Index()).Name == term.Vector
		} else {
			atomic = append(atomic, i)
		}
	}
	f.cases(t, x, atomic, func(k term.Word) uint64 { return uint64(k) })
	if vectors { // an updated vector is a box
		f.line("if %s&7 == %d {\n%s\n}", x, term.Box, f.giveBack())
	}
	if len(functors) > 0 {
		f.line("if %s&7 == %d {", x, term.Str)
		f.cases(t, fmt.Sprintf("m[%s>>3]", x), functors, func(k term.Word) uint64 { return uint64(term.MakeInt(int64(k.Index()))) })
		f.line("}")
	}
	f.line("%s", f.goTo(t.Default))
}

// cases writes a switch on the value of an expression.
func (f *function) cases(t *compile.Table, value string, keys []int, word func(term.Word) uint64) {
	if len(keys) == 1 {
		f.line("if %s == %#x {\n%s\n}", value, word(t.Keys[keys[0]]), f.goTo(t.Labels[keys[0]]))
		return
	}
	if len(keys) > 1 {
		f.line("switch %s {", value)
		for _, i := range keys {
			f.line("case %#x:\n%s", word(t.Keys[i]), f.goTo(t.Labels[i]))
		}
		f.line("}")
	}
}

// loadList writes the load of the head and tail of a list. The case that they are variables is out of line, so that the
// tail does not depend on it.
func (f *function) loadList(in *compile.Ins) {
	f.line("x%d, x%d = emulator.Load(m, x%d>>3), emulator.Load(m, x%d>>3+1)", in.B, in.B+1, in.A, in.A)
	for k := range uint16(2) {
		f.component(in.B+k, fmt.Sprintf("x%d>>3 + %d", in.A, k))
	}
}

// component writes code that makes register r, with the content of a cell, refer to the cell if the cell is an unbound
// variable.
func (f *function) component(r uint16, cell string) {
	f.exits++
	f.line("if x%d&7 == %d {\ngoto V%d\n}\nW%d:", r, term.Var, f.exits, f.exits)
	fmt.Fprintf(&f.tail, "V%d:\nx%d = (%s) << 3\ngoto W%d\n", f.exits, r, cell, f.exits)
}

// kind writes a test of the type of a value.
func (f *function) kind(in *compile.Ins) {
	f.deref(in.A)
	var is string
	switch in.Op {
	case compile.IsBound:
		return
	case compile.IsInt:
		is = fmt.Sprintf("x%d&7 != %d", in.A, term.Int)
	case compile.IsAtom:
		is = fmt.Sprintf("x%d&7 != %d", in.A, term.Atom)
	case compile.IsList:
		is = fmt.Sprintf("x%d&7 != %d", in.A, term.List)
	case compile.IsAtomic:
		is = fmt.Sprintf("x%d&7 != %d && x%d&7 != %d", in.A, term.Int, in.A, term.Atom)
	}
	if in.Op == compile.IsInt || in.Op == compile.IsAtomic { // a long integer is a box
		f.line("if x%d&7 == %d {\n%s\n}", in.A, term.Box, f.giveBack())
	}
	f.line("if %s {\n%s\n}", is, f.goTo(in.Fail))
}

// equality writes a comparison of two atoms or integers.
func (f *function) equality(in *compile.Ins) {
	f.deref(in.A)
	f.deref(in.B)
	f.line("if x%d&7-%d > 1 || x%d&7-%d > 1 {\n%s\n}", in.A, term.Int, in.B, term.Int, f.giveBack())
	relation := "!="
	if in.Op == compile.Differ {
		relation = "=="
	}
	f.line("if x%d %s x%d {\n%s\n}", in.A, relation, in.B, f.goTo(in.Fail))
}

var goRelation = map[compile.Rel]string{
	compile.Less: "<", compile.GreaterEqual: ">=", compile.LessEqual: "<=", compile.Greater: ">", compile.Same: "==", compile.NotSame: "!=",
}

// waiting returns a jump to the code of a waiter that waits for one of two operands, or exit if there is no such code.
func (f *function) waiting(a, b uint16, delay string, exit func() string) func() string {
	if delay == "" {
		return exit
	}
	return func() string {
		f.exits++
		n := f.exits
		fmt.Fprintf(&f.tail, "D%d:\n{\nvar v uint64 = %s\nif v&7 != %d {\nv = %s\n}\nif v&7 != %d {\n%s\n}\n", n, f.x(b), term.Ref, f.x(a), term.Ref, exit())
		fmt.Fprintf(&f.tail, "%s\n", delay)
		return fmt.Sprintf("goto D%d", n)
	}
}

// integers writes code that dereferences two registers, and jumps to exit if they are not both integers of a word.
func (f *function) integers(a, b uint16, exit func() string) {
	var unknown []uint16
	for _, r := range []uint16{a, b} {
		if w, ok := f.constants[r]; ok && w.Tag() != term.Int {
			f.line("%s", exit())
		} else if !ok && !slices.Contains(unknown, r) {
			unknown = append(unknown, r)
		}
	}
	test, again := "", ""
	switch len(unknown) {
	case 0:
		return
	case 1:
		test = fmt.Sprintf("x%d&7 != %d", unknown[0], term.Int)
		again = fmt.Sprintf("x%d = emulator.Deref(m, x%d)", unknown[0], unknown[0])
	case 2:
		test = fmt.Sprintf("((x%d^%d)|(x%d^%d))&7 != 0", a, term.Int, b, term.Int)
		again = fmt.Sprintf("x%d, x%d = emulator.Deref(m, x%d), emulator.Deref(m, x%d)", a, b, a, b)
	}
	f.line("if %s {\n%s\nif %s {\n%s\n}\n}", test, again, test, exit())
}

// arith writes an operation on integers of a word. It returns false for operations that are left to the bytecode. delay
// is the code of a waiter for the variable v, "" for none.
func (f *function) arith(in *compile.Ins, exit func() string, delay string) bool {
	o := in.ArithOp() &^ arith.Wrap // overflow is left to the bytecode
	c := in.C
	switch o {
	case arith.Add, arith.Sub, arith.Mul, arith.Div, arith.Mod, arith.And, arith.Or, arith.Xor:
	case arith.Copy:
		c = in.B
	default:
		return false
	}
	f.integers(in.B, c, f.waiting(in.B, c, delay, exit))
	a, w, v := fmt.Sprintf("x%d", in.A), f.x(in.B), f.x(c)
	overflow := func(test string) { f.line("if %s {\n%s\n}", test, exit()) }
	switch o {
	case arith.Add, arith.Sub:
		sum, over := fmt.Sprintf("w + v - %d", term.Int), "int64((u^w)&(u^v)) < 0"
		if o == arith.Sub {
			sum, over = fmt.Sprintf("w - v + %d", term.Int), "int64((w^v)&(u^w)) < 0"
		}
		f.line("{\nvar w, v uint64 = %s, %s\nu := %s", w, v, sum)
		overflow(over)
		f.line("%s = u\n}", a)
	case arith.Mul:
		f.line("{\nvar w, v int64 = %s>>3, %s>>3", f.signed(in.B), f.signed(c))
		overflow(fmt.Sprintf("w != int64(int32(w)) || v != int64(int32(v)) || w*v < %d || w*v > %d", term.MinInt, term.MaxInt))
		f.line("%s = uint64(w*v)<<3 | %d\n}", a, term.Int)
	case arith.Div, arith.Mod: // 32-bit division is faster
		sign := map[arith.Op]string{arith.Div: "/", arith.Mod: "%"}[o]
		f.line("{\nvar w, v uint64 = %s, %s", w, v)
		overflow(fmt.Sprintf("int64(w) < 0 || int64(v) <= %d", term.Int))
		f.line("if (w|v)>>35 == 0 {\n%s = uint64(uint32(w>>3)%suint32(v>>3))<<3 | %d", a, sign, term.Int)
		f.line("} else {\n%s = (w>>3)%s(v>>3)<<3 | %d\n}\n}", a, sign, term.Int)
	case arith.And:
		f.line("%s = %s & %s", a, w, v)
	case arith.Or:
		f.line("%s = %s | %s", a, w, v)
	case arith.Xor:
		f.line("%s = %s ^ %s | %d", a, w, v, term.Int)
	case arith.Copy:
		f.line("%s = %s", a, w)
	}
	delete(f.constants, in.A)
	return true
}
