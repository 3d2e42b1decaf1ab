package views

import (
	"context"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/tracer"
)

// TestUnitNames checks that titles and legends name the units of a program of threads functions, and those of a program of goals procedures.
func TestUnitNames(t *testing.T) {
	for _, c := range [][2]string{{"dts/quicksort", "function"}, {"fghc/qsort", "procedure"}} {
		program, word := c[0], c[1]
		r := experiment.Defaults(program)
		r.Args = []string{"100"}
		p, err := r.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		trace := tracer.NewMemory()
		if _, err := p.Run(context.Background(), trace, nil); err != nil {
			t.Fatal(err)
		}
		coloured := 0
		for _, k := range All {
			color, err := k.Param("color")
			if err != nil || !slices.Contains(color.Choices, "procedure") {
				continue
			}
			coloured++
			l := legendOf(t, k, trace, map[string]string{"color": "procedure"})
			var titles []string
			for _, b := range l.Blocks {
				titles = append(titles, strings.ToLower(b.Title))
			}
			if !slices.Contains(titles, word) {
				t.Errorf("%s of %s: no legend block %s in %q", k.Name, program, word, titles)
			}
			if _, by, is := strings.Cut(l.Subtitle, " by "); is && !strings.HasPrefix(by, word) {
				t.Errorf("%s of %s: %q, want %q", k.Name, program, l.Subtitle, word)
			}
		}
		if coloured < 3 {
			t.Errorf("%d views colour by procedure, want at least 3", coloured)
		}
	}
}
