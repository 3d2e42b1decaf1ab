package benchmarks

import (
	"slices"
	"strings"
	"testing"

	"whorl/fghc/layout"
	"whorl/fghc/syntax"
	"whorl/sim/policy"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// TestLayout checks that every program is in canonical layout, and that a program with other line breaks has the same events before and after it
// is formatted.
func TestLayout(t *testing.T) {
	for _, b := range All {
		prog, ok := b.Program.(FGHC)
		if !ok {
			continue
		}
		if text, errs := layout.Format(prog.File, prog.Source); text != prog.Source || len(errs) > 0 {
			t.Errorf("%s is not in canonical layout: run whorl fmt -w benchmarks/fghc/%s %v", b.Name, prog.File, errs)
		}
		runText := func(text string) run {
			c := *b
			p := prog
			p.Source = text
			c.Program = p
			return start(t, &c, b.Defaults(), 4, policy.Default)
		}
		var lines strings.Builder
		for i, tok := range syntax.Tokens(prog.Source) {
			if tok.Kind == syntax.Comment {
				continue
			}
			if i > 0 && prog.Source[tok.From-1] <= ' ' {
				lines.WriteString(strings.Repeat("\n", 1+i%3))
			}
			lines.WriteString(prog.Source[tok.From:tok.To])
		}
		lines.WriteByte('\n')
		laid, errs := layout.Format(prog.File, lines.String())
		if len(errs) > 0 || laid == lines.String() {
			t.Fatalf("%s: %v", b.Name, errs)
		}
		a := tracertest.Events(t, runText(lines.String()).trace, tracer.AllKinds)
		c := tracertest.Events(t, runText(laid).trace, tracer.AllKinds)
		if !slices.Equal(a, c) || len(a) == 0 {
			t.Errorf("%s: %d events before formatting, %d after", b.Name, len(a), len(c))
		}
	}
}
