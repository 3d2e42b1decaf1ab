package views

import (
	"context"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/tracer"
)

// TestOneWordForAPieceOfTheProgram: what threads run are functions in every title and legend, what goals call are procedures.
func TestOneWordForAPieceOfTheProgram(t *testing.T) {
	for program, word := range map[string]string{"dts/quicksort": "function", "fghc/qsort": "procedure"} {
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
				t.Errorf("%s of %s: no colours stand for a %s: %q", k.Name, program, word, titles)
			}
			if _, by, is := strings.Cut(l.Subtitle, " by "); is && !strings.HasPrefix(by, word) {
				t.Errorf("%s of %s: %q, want %q", k.Name, program, l.Subtitle, word)
			}
		}
		if coloured < 3 {
			t.Errorf("%d views colour by procedure", coloured)
		}
	}
}
