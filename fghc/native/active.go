package native

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// A body is the straight-line code of a clause's body, from its label to its Proceed.
type body struct {
	clause   int
	from, to int32
	live     []map[uint16]bool // live registers at each instruction
	goals    []*compile.Ins    // pushed at the end
	deferred map[int32]compile.Deferral
	waiters  []compile.Deferral // the values of deferred in textual order, pushed between the goals
	pragmas  bool               // a goal has a node or priority pragma
	values   map[uint16]bool    // registers that cannot hold a reference
	joins    map[int32]bool     // labels where the code of a fallback jumps back
}

// body writes the body of a commit, and reports whether the function does part of it.
func (f *function) body(commit *compile.Ins) bool {
	label := commit.Target
	if f.done[label] {
		f.line("%s", f.goTo(label))
		return true
	}
	f.done[label] = true
	f.line("L%d:", label)
	b := f.survey(commit)
	if b == nil {
		f.line("%s", f.giveBack())
		return false
	}
	for pc := b.from; pc < b.to; {
		b.join(f, pc)
		n := f.active(b, pc)
		if n == 0 { // the bytecode does the rest
			for k := pc + 1; k <= b.to; k++ {
				if b.joins[k] {
					f.line("L%d:\n%s", k, f.exit(b, k))
				}
			}
			return pc > b.from
		}
		pc += n
	}
	b.join(f, b.to)
	f.end(b)
	return true
}

// join writes the label of an instruction where a fallback jumps back.
func (b *body) join(f *function, pc int32) {
	if b.joins[pc] {
		f.line("L%d:", pc)
		clear(f.constants)
		clear(b.values)
	}
}

// delay returns the out-of-line code of an Arith's fallback, which calls a waiter; "" if it is left to the bytecode.
func (f *function) delay(b *body, in *compile.Ins, pc int32) string {
	if f.p.Priorities {
		return ""
	}
	var code strings.Builder
	label := in.Blocked
	for ; label != 0 && f.p.Code[label].Op == compile.NewVar; label++ {
		fmt.Fprintf(&code, "m[h] = %d\nx%d = h<<3\nh++\n", term.Var, f.p.Code[label].A)
	}
	d, back := &f.p.Code[label], &f.p.Code[label+1]
	if label == 0 || d.Op != compile.Delay || d.N > 4 || back.Op != compile.Jump || back.Target <= pc || back.Target > b.to || !f.resumable[back.Target] {
		return ""
	}
	fmt.Fprintf(&code, "h, left = p.Delay(h, left, v, %#x", record(d))
	args := f.p.Arguments(d)
	for k := range 4 {
		if k < len(args) {
			fmt.Fprintf(&code, ", x%d", args[k])
		} else {
			code.WriteString(", 0")
		}
	}
	b.joins[back.Target] = true
	fmt.Fprintf(&code, ")\n}\ngoto L%d", back.Target)
	return code.String()
}

// survey analyses the body of a commit. It returns nil if the body overwrites a register that a goal still needs.
func (f *function) survey(commit *compile.Ins) *body {
	b := &body{
		clause: int(commit.K), from: commit.Target, to: commit.Target, values: map[uint16]bool{}, joins: map[int32]bool{},
		deferred: f.p.Deferrals(commit.Target),
	}
	last := map[uint16]bool{}
	for ; f.p.Code[b.to].Op != compile.Proceed; b.to++ {
		in := &f.p.Code[b.to]
		if d, ok := b.deferred[b.to]; ok {
			b.waiters = append(b.waiters, d)
			for _, r := range f.p.Arguments(d.Delay) {
				last[r] = true
			}
			b.to = d.To - 1
			continue
		}
		for _, r := range f.p.Sets(in) {
			if last[r] {
				return nil
			}
		}
		if in.Op == compile.Goal {
			b.goals = append(b.goals, in)
			for _, r := range f.p.Arguments(in) {
				last[r] = true
			}
			for _, r := range []uint16{in.B, in.C} {
				if r != compile.NoReg {
					b.pragmas, last[r] = true, true
				}
			}
		}
	}
	b.live = make([]map[uint16]bool, b.to-b.from+1)
	b.live[b.to-b.from] = last
	for pc := b.to - 1; pc >= b.from; pc-- {
		in := &f.p.Code[pc]
		live := maps.Clone(b.live[pc-b.from+1])
		if d, ok := b.deferred[pc]; ok {
			live = maps.Clone(b.live[d.To-b.from])
			for k := range d.Results {
				delete(live, f.p.Code[d.Fresh+k].A)
			}
		} else if in.Op != compile.Goal {
			for _, r := range f.p.Sets(in) {
				delete(live, r)
			}
			for _, r := range f.p.Reads(in) {
				live[r] = true
			}
			f.fallback(in.Blocked, live)
		}
		b.live[pc-b.from] = live
	}
	return b
}

// fallback adds the registers that the fallback at a label needs.
func (f *function) fallback(label int32, live map[uint16]bool) {
	fresh := map[uint16]bool{}
	for ; label != 0 && f.p.Code[label].Op != compile.Jump; label++ {
		in := &f.p.Code[label]
		for _, r := range f.p.Reads(in) {
			if !fresh[r] {
				live[r] = true
			}
		}
		for _, r := range f.p.Sets(in) {
			fresh[r] = true
		}
	}
}

// exit returns a jump to code that returns to the bytecode at pc.
func (f *function) exit(b *body, pc int32) string {
	if !f.resumable[pc] {
		panic(fmt.Sprintf("native: the bytecode cannot continue at instruction %d of %s", pc, f.name))
	}
	f.exits++
	live := b.live[pc-b.from]
	fmt.Fprintf(&f.tail, "E%d:\n", f.exits)
	f.store(&f.tail, slices.DeleteFunc(slices.Sorted(maps.Keys(live)), func(r uint16) bool { return r < 4 }))
	fmt.Fprintf(&f.tail, "return h, left, emulator.Bytecode|%d%s\n", pc, f.low(func(r uint16) bool { return live[r] }))
	return fmt.Sprintf("goto E%d", f.exits)
}

// active writes the instruction at pc, perhaps fused with the following ones. It returns their number, 0 if the
// bytecode does the rest of the body. The bytecode can repeat an instruction that has had no effect yet.
func (f *function) active(b *body, pc int32) int32 {
	if d, ok := b.deferred[pc]; ok {
		for k := range d.Results {
			f.variable(b, f.p.Code[d.Fresh+k].A)
		}
		return d.To - pc
	}
	in := &f.p.Code[pc]
	exit := func() string { return f.exit(b, pc) }
	n := int32(1)
	switch in.Op {
	case compile.PutStr:
		n += int32(in.N)
	case compile.PutList:
		if u := &f.p.Code[pc+1]; u.Op == compile.Unify && u.B == in.A && u.A != in.A && !b.live[pc+2-b.from][in.A] {
			n = 2
		}
	}
	for k := pc + n; k <= b.to && !f.resumable[k]; k++ { // fused in the bytecode: it cannot continue in between
		if !f.simple(b, k) {
			n = 0
			break
		}
	}
	if n == 0 {
		f.line("%s", exit())
		return 0
	}
	if in.Op != compile.Move && in.Op != compile.Arith {
		for _, r := range f.p.Sets(in) {
			delete(f.constants, r)
			delete(b.values, r)
		}
	}
	switch in.Op {
	case compile.Const:
		f.constant(in)
		b.values[in.A] = true
	case compile.NewVar:
		f.variable(b, in.A)
	case compile.Move:
		f.move(in)
		if b.values[in.B] {
			b.values[in.A] = true
		}
	case compile.PutList:
		if n == 2 {
			f.unifyList(in, &f.p.Code[pc+1], exit())
			break
		}
		f.line("%s", f.cells(in))
		f.line("x%d = h<<3 | %d\nh += 2", in.A, term.List)
		b.values[in.A] = true
	case compile.PutStr:
		f.line("m[h] = %#x", uint64(term.MakeInt(in.K)))
		for k := range n - 1 {
			f.line("m[h+%d] = %s", k+1, f.x(f.p.Code[pc+1+k].B))
		}
		f.line("x%d = h<<3 | %d\nh += %d", in.A, term.Str, n)
		b.values[in.A] = true
	case compile.Arith:
		if !f.arith(in, exit, f.delay(b, in, pc)) {
			f.line("%s", exit())
			return 0
		}
		b.values[in.A] = true
	case compile.Unify:
		f.unify(b.values, in, len(b.goals) == 0, exit())
	case compile.Goal:
	default: // builtins, and constants of several words
		f.line("%s", exit())
		return 0
	}
	return n
}

// variable writes the creation of a variable.
func (f *function) variable(b *body, r uint16) {
	delete(f.constants, r)
	delete(b.values, r)
	f.line("m[h] = %d\nx%d = h<<3\nh++", term.Var, r)
}

// simple reports whether an instruction never returns to the bytecode.
func (f *function) simple(b *body, pc int32) bool {
	switch f.p.Code[pc].Op {
	case compile.Const, compile.NewVar, compile.Move, compile.PutStr, compile.SetArg, compile.Goal:
		return true
	case compile.PutList:
		return f.p.Code[pc+1].Op != compile.Unify
	case compile.Proceed:
		return !f.p.Priorities && !b.pragmas
	}
	return false
}

// cells returns code that writes the two cells of a list.
func (f *function) cells(in *compile.Ins) string {
	var code strings.Builder
	head, tail := f.x(in.B), f.x(in.C)
	if in.K&compile.FreshB != 0 {
		fmt.Fprintf(&code, "x%d = h<<3\n", in.B)
		head = fmt.Sprint(term.Var)
	}
	if in.K&compile.FreshC != 0 {
		fmt.Fprintf(&code, "x%d = (h+1)<<3\n", in.C)
		tail = fmt.Sprint(term.Var)
	}
	fmt.Fprintf(&code, "m[h+1] = %s\nm[h] = %s", tail, head)
	return code.String()
}

// unbound writes code that dereferences w, and jumps to otherwise unless w is a private unbound variable without
// waiting goals. Mostly it is.
func (f *function) unbound(otherwise string) {
	f.line("if w&7 != %d {\n%s\n}", term.Ref, otherwise)
	f.line("if emulator.Load(m, w>>3) != %d {\nw = emulator.Deref(m, w)", term.Var)
	f.line("if w&7 != %d || emulator.Load(m, w>>3) != %d {\n%s\n}\n}", term.Ref, term.Var, otherwise)
	f.line("if !p.IsPrivate(w>>3) {\n%s\n}", otherwise)
}

// aside writes out-of-line code that then continues behind the current code. It returns the jump to it and the label behind.
func (f *function) aside(format string, args ...any) (jump, behind string) {
	f.exits++
	fmt.Fprintf(&f.tail, "U%d:\n"+format+"\ngoto W%d\n", append(append([]any{f.exits}, args...), f.exits)...)
	return fmt.Sprintf("goto U%d", f.exits), fmt.Sprintf("W%d:", f.exits)
}

// unifyList writes the construction of a list and its binding to a variable.
func (f *function) unifyList(in, unify *compile.Ins, exit string) {
	f.line("{\nw := %s", f.x(unify.A))
	f.unbound(exit)
	f.line("%s\nm[w>>3] = h<<3 | %d\nh += 2\n}", f.cells(in), term.List)
}

// unify writes the binding of a variable: of two variables the one with the higher cell, so that no cycle of references
// arises. Other cases are left to a call if last is set, when no register is live across it, and otherwise to exit.
func (f *function) unify(values map[uint16]bool, in *compile.Ins, last bool, exit string) {
	x, y := in.A, in.B
	if values[x] {
		x, y = y, x
	}
	slow, behind := exit, ""
	if last {
		slow, behind = f.aside("if !p.Unify(h, %s, %s) {\n%s\n}", f.x(in.A), f.x(in.B), exit)
	}
	if values[y] {
		f.line("{\nw := %s", f.x(x))
		f.unbound(slow)
		f.line("m[w>>3] = %s\n}\n%s", f.x(y), behind)
		return
	}
	f.line("{\nw, v := emulator.Deref(m, %s), emulator.Deref(m, %s)", f.x(x), f.x(y))
	f.line("if v&7 == %d && (w&7 != %d || v > w) {\nw, v = v, w\n}", term.Ref, term.Ref)
	f.line("if w&7 != %d || w == v || emulator.Load(m, w>>3) != %d || !p.IsPrivate(w>>3) {\n%s\n}", term.Ref, term.Var, slow)
	f.line("m[w>>3] = v\n}\n%s", behind)
}
