// Package native writes the decision trees of a program as Go functions, one for each procedure, which the emulator calls in place of its
// bytecode (emulator.Native).
//
// A function does what is done most often and no more: it looks at bound arguments, computes with integers of a word, builds terms, binds
// variables that nobody waits for, pushes goals, and goes on with the first goal of a body, in place where that is of its own procedure.
// Whatever else turns up it gives back to the bytecode: from the start of the goal as long as nothing has been written, and from the
// instruction in hand when the goal has committed (both tiers use the same registers, so that a function only has to store those that are
// still needed). So suspension, builtins, floats, long integers, priorities, placing and all that can fail are written once, in the emulator.
// There are few calls, out of the way: a value that is live across one would be kept in memory in the loop, too.
//
// The registers of the bytecode are variables of the function, which Go's compiler keeps in registers of the processor as it can.
package native

import (
	"bytes"
	"fmt"
	"go/format"
	"io"

	"whorl/fghc/compile"
	"whorl/fghc/emulator"
)

// Write writes the declarations of a program's functions and of the variable name, the emulator.Native that holds them. They belong into a
// file that imports whorl/fghc/emulator; all other names begin with name. The program must not have compiled a query yet.
func Write(w io.Writer, p *compile.Program, name string) error {
	resumable, err := emulator.Resumable(p)
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
