package shares

import (
	"testing"

	"whorl/visual/view"
)

// TestNextColouring checks that the key y goes through all colourings.
func TestNextColouring(t *testing.T) {
	seen := map[string]bool{}
	by := ColorBy.Default.(string)
	for range ColorBy.Choices {
		c := &Chart{Drawn: &Drawn{Colours: &Colours{by: by}}}
		acts := c.Press(&view.Frame{}, view.Input{Kind: view.Press, Key: "y"})
		if len(acts) != 1 || acts[0].Do != view.SetParam || acts[0].Name != ColorBy.Name || seen[acts[0].Value] {
			t.Fatalf("after %s: %+v", by, acts)
		}
		by = acts[0].Value
		seen[by] = true
	}
	if by != ColorBy.Default {
		t.Errorf("the last colouring is followed by %s", by)
	}
}
