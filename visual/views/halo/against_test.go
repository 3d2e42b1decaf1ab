package halo

import (
	"fmt"
	"strings"
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// TestAgainst compares processes with the rest: nodes are discs, red for more and blue for less.
func TestAgainst(t *testing.T) {
	params := []string{contexts.Processes.Name, "5-7", contexts.Against.Name, contexts.AgainstRest}
	g, f := shownOf(t, viewtest.Called(), 800, 500, params...)
	color := func(name string) scene.Color {
		for _, v := range g.nodes {
			if g.Name(v) == name && g.Name(max(g.Parent[v], 0)) == "sweep" {
				return g.diff.Color(v, false)
			}
		}
		t.Fatalf("%s is not drawn", name)
		return scene.Color{}
	}
	kernel, bcast := color("kernel"), color("bcast")
	if kernel.R <= kernel.B || bcast.B <= bcast.R {
		t.Errorf("kernel is %v, bcast %v", kernel, bcast)
	}
	l := scene.New(800, 500)
	view.Draw(g, f, l)
	var b strings.Builder
	if err := l.Dump(&b); err != nil {
		t.Fatal(err)
	}
	hex := fmt.Sprintf("%02x%02x%02x", kernel.R, kernel.G, kernel.B)
	if !strings.Contains(b.String(), hex) {
		t.Errorf("nothing is drawn in %s", hex)
	}
	kindtest.Texts(t, Kind(), map[string]string{params[0]: params[1], params[2]: params[3]}, viewtest.Called())
	kindtest.AnyFrame(t, Kind(), g)
}
