package app

import (
	"strings"
	"testing"
)

// TestPrints prints the visible panes in the light and in the dark: for both the same pictures on white, while the window stays as it is.
func TestPrints(t *testing.T) {
	d := sideBySide(t, run(t, "fghc/pascal", 4, ""), 1200, 700, "kaleidoscope", "timeline")
	d.settle()
	prints := func() []string {
		t.Helper()
		before := d.texts()
		d.in.Print = true
		d.step()
		d.in.Print = false
		got := d.out.Prints
		if d.settle(); d.texts() != before {
			t.Error("printing has changed the window")
		}
		if len(got) != 2 {
			t.Fatalf("%d pictures of two panes", len(got))
		}
		return got
	}
	light := prints()
	d.step(Event{Kind: Scheme, Text: "dark"})
	d.settle()
	window := d.picture().RGBAAt(600, 400)
	dark := prints()
	for i, title := range []string{"Kaleidoscope", "Timeline"} {
		if !strings.HasPrefix(light[i], "<svg") || !strings.Contains(light[i], title+" of ") {
			t.Errorf("the picture of %s begins %.200s", title, light[i])
		}
		if dark[i] != light[i] {
			t.Errorf("in the dark the picture of %s differs", title)
		}
	}
	if c := d.picture().RGBAAt(600, 400); c != window {
		t.Errorf("after printing in the dark the window has %v, not %v", c, window)
	}
	if d.step(); d.out.Prints != nil {
		t.Error("pictures that were not wanted")
	}
}
