package native

import (
	"fmt"
	"slices"
	"strings"

	"whorl/fghc/bytecode"
	"whorl/fghc/compile"
)

// end writes the end of a body: it pushes the goals, last first, and continues with the first.
func (f *function) end(b *body) {
	n := len(b.goals)
	if f.p.Priorities || b.pragmas {
		f.line("%s", f.exit(b, b.to))
		return
	}
	if n == 0 {
		if f.traced {
			f.line("p.Reduced(%d, 0)", b.clause)
		}
		f.line("return h, left - 1, emulator.Take, 0, 0, 0, 0")
		return
	}
	for i := n - 1; i >= 0; i-- {
		for _, d := range slices.Backward(b.waiters) {
			if d.Goals == i+1 {
				f.push(d.Delay, "p.Unnumbered(r)")
			}
		}
		if i > 0 {
			f.push(b.goals[i], fmt.Sprintf("p.Identify(r, %d)", i))
		}
	}
	f.proceed(b.goals[0], n)
}

func record(in *compile.Ins) uint64 {
	return bytecode.RecordWord(int(in.Proc), int(in.N), int(in.Site))
}

// push writes the push of a goal or waiter, whose record gets its id by the given call.
func (f *function) push(in *compile.Ins, identify string) {
	args := f.p.Arguments(in)
	f.line("{\ng := p.Record()\nr := p.Fields(g)\nr[1] = %#x", record(in))
	if f.traced {
		f.line("%s", identify)
	}
	if len(args) > 4 {
		f.line("r[4] = h")
		for k, r := range args {
			f.line("m[h+%d] = %s", k, f.x(r))
		}
		f.line("h += %d", len(args))
	} else {
		for k, r := range args {
			f.line("r[%d] = %s", 4+k, f.x(r))
		}
	}
	f.line("p.Queue(g)\n}")
}

// proceed writes the continuation with the first of n goals, in place if it is of the same procedure.
func (f *function) proceed(in *compile.Ins, n int) {
	args := f.p.Arguments(in)
	f.line("p.Called(%#x)", record(in))
	if f.traced {
		f.line("p.Continues(%d)", n)
	}
	results := ""
	for k := range 4 {
		if k < len(args) {
			results += ", " + f.x(args[k])
		} else {
			results += ", 0"
		}
	}
	if int(in.Proc) != f.proc {
		if len(args) > 4 {
			f.line("{\nx := p.Regs()")
			for k, r := range args[4:] {
				f.line("x[%d] = %s", 4+k, f.x(r))
			}
			f.line("}")
		}
		f.line("return h, left - 1, %d%s", in.Proc+1, results)
		return
	}
	var to, from []string
	for k, r := range args {
		if int(r) != k {
			to, from = append(to, fmt.Sprintf("x%d", k)), append(from, f.x(r))
		}
	}
	if len(to) > 0 {
		f.line("%s = %s", strings.Join(to, ", "), strings.Join(from, ", "))
	}
	f.again = true
	f.line("left--\nif left > 0 {\ngoto start\n}")
	f.store(&f.text, f.highArguments())
	f.line("return h, left, %d%s", f.proc+1, f.low(func(r uint16) bool { return int(r) < len(args) }))
}
