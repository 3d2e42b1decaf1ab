package benchmarks

import (
	"slices"
	"strings"
	"testing"

	"whorl/fghc/layout"
	"whorl/fghc/syntax"
	"whorl/sim/policy"
	"whorl/tracer"
)

// TestLayout holds that every program is in the canonical layout, and that a program on which nobody cared for that runs as it does once it
// has been laid out: event by event.
func TestLayout(t *testing.T) {
	for _, b := range All {
		prog, ok := b.Program.(FGHC)
		if !ok {
			continue
		}
		if text, errs := layout.Format(prog.File, prog.Source); text != prog.Source || len(errs) > 0 {
			t.Errorf("%s is not laid out: whorl fmt -w benchmarks/fghc/%s %v", b.Name, prog.File, errs)
		}
		rough := func(text string) run {
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
		if a, c := events(t, rough(lines.String())), events(t, rough(laid)); !slices.Equal(a, c) || len(a) == 0 {
			t.Errorf("%s: %d events, and %d once it is laid out", b.Name, len(a), len(c))
		}
	}
}

func events(t *testing.T, r run) []tracer.Event {
	var all []tracer.Event
	if err := r.trace.Scan(tracer.AllKinds, func(events []tracer.Event) error {
		all = append(all, events...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}
