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

// A function is the Go function of a procedure, being written.
type function struct {
	p         *compile.Program
	proc      int
	resumable []bool
	traced    bool
	name      string

	text  bytes.Buffer
	tail  bytes.Buffer   // code out of line
	done  map[int32]bool // labels that have been written
	todo  []int32        // labels to write
	exits int            // number of generated labels
	again bool           // some code jumps to the start
	gives bool           // some code returns the goal to the bytecode

	constants map[uint16]term.Word // registers with known values in the current straight-line code
}

// write writes the function. It returns false if the bytecode would do everything.
func (f *function) write(w io.Writer) bool {
	pr := &f.p.Procs[f.proc]
	f.constants = map[uint16]term.Word{}
	if pr.Builtin {
		return f.computes() && f.finish(w)
	}
	f.done = map[int32]bool{}
	f.todo = []int32{pr.Entry}
	useful := false
	for len(f.todo) > 0 {
		at := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		if !f.done[at] {
			f.constants = map[uint16]term.Word{}
			useful = f.chain(at) || useful
		}
	}
	return useful && f.finish(w)
}

// finish writes the declaration of the function around its code.
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
			continue // Go forbids unused labels
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

// computes writes the code of a waiter that computes with integers. It returns false for other waiters.
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
		case compile.Unify: // the bytecode can repeat it
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

// declare declares the registers that the code uses, and loads those of arguments.
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

// x returns a register as an operand.
func (f *function) x(r uint16) string {
	if w, ok := f.constants[r]; ok {
		return fmt.Sprintf("%#x", uint64(w))
	}
	return fmt.Sprintf("x%d", r)
}

// signed returns a register as a signed operand.
func (f *function) signed(r uint16) string {
	if w, ok := f.constants[r]; ok {
		return fmt.Sprintf("int64(%d)", int64(w))
	}
	return fmt.Sprintf("int64(x%d)", r)
}

// constant writes the load of a constant.
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

// goTo returns a jump to a label, which will be written.
func (f *function) goTo(label int32) string {
	f.todo = append(f.todo, label)
	return fmt.Sprintf("goto L%d", label)
}

// giveBack returns a jump to the code that returns the goal to the bytecode.
func (f *function) giveBack() string {
	f.gives = true
	return "goto bytecode"
}

// highArguments returns the registers of the arguments that are in Regs.
func (f *function) highArguments() (regs []uint16) {
	for k := 4; k < f.p.Procs[f.proc].Arity; k++ {
		regs = append(regs, uint16(k))
	}
	return regs
}

// store writes code that stores registers in Regs.
func (f *function) store(w io.Writer, regs []uint16) {
	if len(regs) > 0 {
		fmt.Fprintln(w, "{\nx := p.Regs()")
		for _, r := range regs {
			fmt.Fprintf(w, "x[%d] = x%d\n", r, r)
		}
		fmt.Fprintln(w, "}")
	}
}

// low returns the first four registers as results, with 0 for those that are not needed.
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
