package views

import (
	"regexp"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// TestStillsHaveNoHints draws pictures for files of all views, with each colouring, and with and without a selection. They have no hints for the mouse
// and the keyboard, and no controls of what plays.
func TestStillsHaveNoHints(t *testing.T) {
	hint := regexp.MustCompile(`(?i)\b(clicks?|press|drag|wheel|mouse|pointer)\b|^\d+×$`)
	run := func(program string, args ...string) tracer.Source {
		r := experiment.Defaults(program)
		r.Args, r.PEs = args, 4
		return experimenttest.Trace(t, r)
	}
	traces := []tracer.Source{run("fghc/pascal", "8"), run("dts/fibonacci", "12"), run("hpf/jacobi", "16", "2"), viewtest.Sampled(), viewtest.Called()}
	shots := []page.Shot{{}, {Trace: "t", Shared: view.Shared{Selection: view.Selection{Trace: "t", Contexts: []uint64{3}}}}}
	text := glyph.New()
	for _, k := range All {
		values := []string{""}
		if color, err := k.Param("color"); err == nil {
			values = color.Choices
		}
		for n, src := range traces {
			if k.CanOpen(src) != nil {
				continue
			}
			o, err := view.Open(k, src, text)
			if err != nil {
				t.Fatal(err)
			}
			for _, color := range values {
				if color != "" && o.Set("color", color) != nil {
					t.Fatal(color)
				}
				for _, shot := range shots {
					l, err := page.Shoot(t.Context(), o, 900, 700, shot)
					if err != nil {
						t.Fatal(err)
					}
					for i := range l.Len() {
						if op := l.Op(i); op.Kind == scene.OpText {
							if _, _, s, _ := op.Text(); hint.Match(s) {
								t.Errorf("%s of trace %d coloured by %q says %q", k.Name, n, color, s)
							}
						}
					}
				}
			}
			o.Close()
		}
	}
}
