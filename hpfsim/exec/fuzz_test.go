package exec

import (
	"io"
	"strings"
	"testing"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/sim"
	"whorl/testdata/must"
)

// FuzzRun checks that no program makes the machine panic.
func FuzzRun(f *testing.F) {
	for _, name := range programs(f) {
		text, _ := texts(f, name)
		f.Add(text)
	}
	f.Add("integer a(3)\ncharacter*5 c\na = (/1, 2, 3/)\na(a) = a(3:1:-1)\nc(2:3) = 'xy'\nprint '(3i4, a)', a, c\nend\n")
	net := must.Get(sim.NetworkNamed("mesh2d", 4))(f)
	f.Fuzz(func(t *testing.T, text string) {
		file, errs := syntax.Parse("f.hpf", text, syntax.Options{})
		if errs.Failed() {
			return
		}
		p, errs := lower.Lower(file, 4, Constant)
		if errs.Failed() {
			return
		}
		m := New(p, Options{Network: net, Model: model, Input: strings.NewReader("1 2 3\n4 'a' 5.5\n"), Output: io.Discard, Limits: Limits{Bytes: 1 << 24}})
		m.Advance(2000)
		m.Close(2)
	})
}
