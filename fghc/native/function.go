package native

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// A function is one that is being written.
type function struct {
	p         *compile.Program
	proc      int
	resumable []bool
	traced    bool
	name      string

	text  bytes.Buffer
	tail  bytes.Buffer   // code out of the way
	shown map[int32]bool // labels that have been written
	todo  []int32
	exits int
	again bool // something goes to the start
	gives bool // something gives the goal back to the bytecode

	constants map[uint16]term.Word // registers that hold one, in the straight code that is being written
}

// write writes the function. It returns false where the bytecode would have to do all.
func (f *function) write(w io.Writer) bool {
	pr := &f.p.Procs[f.proc]
	f.constants = map[uint16]term.Word{}
	if pr.Builtin {
		return f.computes() && f.finish(w)
	}
	f.shown = map[int32]bool{}
	f.todo = []int32{pr.Entry}
	useful := false
	for len(f.todo) > 0 {
		at := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		if !f.shown[at] {
			f.constants = map[uint16]term.Word{}
			useful = f.chain(at) || useful
		}
	}
	return useful && f.finish(w)
}

// finish writes the function around its code.
func (f *function) finish(w io.Writer) bool {
	pr := &f.p.Procs[f.proc]
	fmt.Fprintf(w, "// %s is %s/%d.\n", f.name, pr.Name, pr.Arity)
	fmt.Fprintf(w, "func %s(p *emulator.PE, h uint64, left int, a0, a1, a2, a3 uint64) (uint64, int, uint64, uint64, uint64, uint64, uint64) {\n", f.name)
	fmt.Fprintf(w, "m := p.Arena()\n")
	code := f.text.String() + f.tail.String()
	f.declare(w, code, pr.Arity)
	if f.again {
		fmt.Fprintln(w, "start:")
	}
	wanted := map[string]bool{}
	for _, jump := range jumps.FindAllStringSubmatch(code, -1) {
		wanted[jump[1]] = true
	}
	for line := range strings.Lines(code) {
		if label, ok := strings.CutSuffix(line, ":\n"); ok && strings.HasPrefix(label, "L") && !wanted[label] {
			continue // Go wants every label to be used
		}
		fmt.Fprint(w, line)
	}
	if f.gives {
		fmt.Fprintln(w, "bytecode:")
		f.store(w, f.highArguments())
		fmt.Fprintf(w, "return h, left, emulator.Bytecode|%d%s\n", pr.Entry, f.low(func(r uint16) bool { return int(r) < pr.Arity }))
	}
	fmt.Fprintln(w, "}")
	return true
}

// computes writes the code of a builtin that computes with integers and has waited to.
func (f *function) computes() bool {
	if f.p.Priorities {
		return false
	}
	values := map[uint16]bool{}
	for at := f.p.Procs[f.proc].Entry; ; at++ {
		switch in := &f.p.Code[at]; in.Op {
		case compile.Const:
			f.constant(in)
		case compile.Arith:
			if !f.arith(in, f.giveBack, "") {
				return false
			}
			values[in.A] = true
		case compile.Unify: // it can be done again
			f.unify(values, in, true, f.giveBack())
		case compile.Done:
			if f.traced {
				f.line("p.Ended()")
			}
			f.line("p.Done()\nreturn h, left - 1, emulator.Take, 0, 0, 0, 0")
			return true
		default:
			return false
		}
	}
}

// declare declares the registers that the code names, the arguments with their values.
func (f *function) declare(w io.Writer, code string, arity int) {
	var locals []string
	seen := map[string]bool{}
	for k := range arity {
		x := fmt.Sprintf("x%d", k)
		seen[x] = true
		if k < 4 {
			fmt.Fprintf(w, "%s := a%d\n", x, k)
		} else {
			fmt.Fprintf(w, "%s := p.Regs()[%d]\n", x, k)
		}
	}
	for _, x := range registers.FindAllString(code, -1) {
		if !seen[x] {
			seen[x] = true
			locals = append(locals, x)
		}
	}
	if len(locals) > 0 {
		fmt.Fprintf(w, "var %s uint64\n", strings.Join(locals, ", "))
	}
	all := []string{"m"}
	for x := range seen {
		all = append(all, x)
	}
	slices.Sort(all)
	fmt.Fprintf(w, "%s = %s\n", strings.TrimSuffix(strings.Repeat("_, ", len(all)), ", "), strings.Join(all, ", "))
}

// line writes a line of code.
func (f *function) line(format string, args ...any) { fmt.Fprintf(&f.text, format+"\n", args...) }

// x is a register as an operand.
func (f *function) x(r uint16) string {
	if w, ok := f.constants[r]; ok {
		return fmt.Sprintf("%#x", uint64(w))
	}
	return fmt.Sprintf("x%d", r)
}

// signed is a register as an operand that has a sign.
func (f *function) signed(r uint16) string {
	if w, ok := f.constants[r]; ok {
		return fmt.Sprintf("int64(%d)", int64(w))
	}
	return fmt.Sprintf("int64(x%d)", r)
}

// constant sets a register to a constant.
func (f *function) constant(in *compile.Ins) {
	f.line("x%d = %#x", in.A, uint64(in.K))
	f.constants[in.A] = term.Word(in.K)
}

func (f *function) move(in *compile.Ins) {
	f.line("x%d = %s", in.A, f.x(in.B))
	delete(f.constants, in.A)
	if w, ok := f.constants[in.B]; ok {
		f.constants[in.A] = w
	}
}

// goTo is a jump to a label, which is written somewhere.
func (f *function) goTo(label int32) string {
	f.todo = append(f.todo, label)
	return fmt.Sprintf("goto L%d", label)
}

// giveBack is a jump to where the goal is given back to the bytecode.
func (f *function) giveBack() string {
	f.gives = true
	return "goto bytecode"
}

// highArguments are the registers of the arguments that are in Regs.
func (f *function) highArguments() (regs []uint16) {
	for k := 4; k < f.p.Procs[f.proc].Arity; k++ {
		regs = append(regs, uint16(k))
	}
	return regs
}

// store puts registers where the bytecode finds them.
func (f *function) store(w io.Writer, regs []uint16) {
	if len(regs) > 0 {
		fmt.Fprintln(w, "{\nx := p.Regs()")
		for _, r := range regs {
			fmt.Fprintf(w, "x[%d] = x%d\n", r, r)
		}
		fmt.Fprintln(w, "}")
	}
}

// low lists the first four registers as results, less those that nobody needs.
func (f *function) low(needed func(r uint16) bool) string {
	var b strings.Builder
	for r := range uint16(4) {
		if needed(r) {
			fmt.Fprintf(&b, ", x%d", r)
		} else {
			b.WriteString(", 0")
		}
	}
	return b.String()
}
