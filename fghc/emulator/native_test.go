package emulator

import (
	"fmt"
	"testing"

	"whorl/fghc/compile"
)

// A Func replaces the bytecode of a procedure, and bytecode continues at the label that it returns.
func TestFunctions(t *testing.T) {
	const text = `
p(X,Y) :- X = one, q(Y).
q(Y) :- Y = one.
`
	var two, entry uint64
	for _, c := range []struct {
		name string
		q    Func
		want string
	}{
		{"none", nil, "[{X one} {Y one}]"},
		{"binds", func(p *PE, h uint64, left int, a0, _, _, _ uint64) (uint64, int, uint64, uint64, uint64, uint64, uint64) {
			p.Arena()[a0>>tagBits] = two
			return h, left - 1, Take, 0, 0, 0, 0
		}, "[{X one} {Y two}]"},
		{"gives back", func(_ *PE, h uint64, left int, a0, _, _, _ uint64) (uint64, int, uint64, uint64, uint64, uint64, uint64) {
			return h, left, Bytecode | entry, a0, 0, 0, 0
		}, "[{X one} {Y one}]"},
	} {
		prog, q := prepare(t, text, "p(X,Y)")
		i, _ := prog.Proc("", "q", 1)
		two, entry = uint64(prog.Symbols.Atom("two"))<<tagBits|tagAtom, uint64(prog.Procs[i].Entry)
		n := &Native{Fingerprint: Fingerprint(prog.Code[:q.Entry]), Plain: make([]Func, len(prog.Procs))}
		n.Plain[i] = c.q
		m, err := New(prog, q, Options{Native: n})
		if err == nil {
			err = m.Run(t.Context())
		}
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := fmt.Sprint(m.Answer()); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if n := m.Stats().Reductions; n != 2 {
			t.Errorf("%s: %d reductions, want 2", c.name, n)
		}
	}
}

// New rejects the functions of another program.
func TestFingerprint(t *testing.T) {
	prog, q := prepare(t, "p(X) :- X = 1.", "p(X)")
	other, _ := prepare(t, "p(X) :- X = 2.", "p(X)")
	for _, c := range []struct {
		prog *compile.Program
		fail bool
	}{{prog, false}, {other, true}} {
		_, err := New(prog, q, Options{Native: &Native{Fingerprint: Fingerprint(c.prog.Code[:q.Entry])}})
		if (err != nil) != c.fail {
			t.Errorf("functions of the program: %t, error %v", !c.fail, err)
		}
	}
}
