package app

import (
	"testing"

	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/viewtest"
)

// TestWindowCounts: while there is a window of time, the views of lines count what happened in it, and afterwards everything again.
func TestWindowCounts(t *testing.T) {
	for _, name := range []string{"detail", "minmax", "source"} {
		d := sideBySide(t, viewtest.Sampled(), 1800, 900, name, "procedures")
		d.settle()
		has := func(s string) bool {
			l := d.paneOf(name).base.list
			for k := range l.Len() {
				if o := l.Op(k); o.Kind == scene.OpText {
					if _, _, text, style := o.Text(); string(text) == s && style.Face == scene.Regular { // no number of a line
						return true
					}
				}
			}
			return false
		}
		all, part := "40", "25" // of line 12 on PE 0
		if name == "source" {
			all, part = "70", "55" // on all
		}
		if !has(all) || has(part) {
			t.Fatalf("%s does not show %s at first", name, all)
		}
		d.app.act(view.Action{Do: view.SetWindow, Window: &view.Span{First: 110, Last: 170}})
		d.settle()
		if has(all) || !has(part) {
			t.Errorf("%s does not show %s in the window", name, part)
		}
		d.app.act(view.Action{Do: view.SetWindow})
		d.settle()
		if !has(all) || has(part) {
			t.Errorf("%s does not show %s afterwards", name, all)
		}
	}
}
