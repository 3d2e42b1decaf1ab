// Package native translates the decision trees of a program to Go functions, one for each procedure, which the emulator
// calls in place of its bytecode (emulator.Native).
//
// A function handles the frequent cases only: it inspects bound arguments, computes with integers of a word, builds
// terms, binds variables without waiting goals, pushes goals, and continues with the first goal of a body, in place if
// that is of its own procedure. In all other cases it returns to the bytecode: at the start of the goal before the
// commit, at the current instruction after it. Both tiers use the same registers, so that a function only stores those
// that are still needed. Thus the emulator alone implements suspension, builtins, floats, long integers, priorities,
// placing and errors. A function makes few calls, in code out of line: a value that is live across a call would also be
// in memory in the loop.
//
// The registers of the bytecode are variables of the function, which Go's compiler keeps in processor registers if it can.
package native

import (
	"bytes"
	"fmt"
	"go/format"
	"io"

	"whorl/fghc/bytecode"
	"whorl/fghc/compile"
	"whorl/fghc/emulator"
)

// Write writes the declarations of a program's functions and of the variable name, the emulator.Native with the
// functions. All other names begin with name too. The file must import whorl/fghc/emulator. The program must not have
// compiled a query yet.
func Write(w io.Writer, p *compile.Program, name string) error {
	resumable, err := bytecode.Resumable(p)
	if err != nil {
		return err
	}
	var functions bytes.Buffer
	var tables [2]bytes.Buffer
	for i := range p.Procs {
		for k, traced := range []bool{false, true} {
			f := &function{p: p, proc: i, resumable: resumable, traced: traced, name: fmt.Sprintf("%s%c%d", name, "pt"[k], i)}
			if f.write(&functions) {
				fmt.Fprintf(&tables[k], "%d: %s,\n", i, f.name)
			}
		}
	}
	var all bytes.Buffer
	fmt.Fprintf(&all, "var %s = emulator.Native{\nFingerprint: %#x,\n", name, emulator.Fingerprint(p.Code))
	for k, field := range []string{"Plain", "Traced"} {
		fmt.Fprintf(&all, "%s: []emulator.Func{\n%s},\n", field, &tables[k])
	}
	fmt.Fprintf(&all, "}\n%s", &functions)
	text, err := format.Source(all.Bytes())
	if err != nil {
		return fmt.Errorf("native: %w", err)
	}
	_, err = w.Write(text)
	return err
}
