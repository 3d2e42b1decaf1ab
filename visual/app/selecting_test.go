package app

import (
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/visual/app/outbox"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// write writes an expression into the field and presses Enter.
func (d *driver) write(text string) {
	d.Helper()
	d.key("V", 0)
	d.key("a", 2) // all of it
	d.key("Backspace", 0)
	d.typed(text)
	d.key("Enter", 0)
}

// TestExpressionField: what is selected is shown as an expression, and what is written there is selected.
func TestExpressionField(t *testing.T) {
	d := opened(t, "qsort", 1400, 900)
	d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: "qsort", PEs: []view.Span{{First: 1, Last: 2}}}})
	d.settle()
	if !d.shows("pe in 1..2") {
		t.Fatalf("the expression of the selection is not shown:\n%s", d.texts())
	}
	d.shot("selection")
	d.write("pe in 2..3 and procedure ~ /^part/ and time > 1us")
	sel := d.app.model.State.Shared.Selection
	if len(sel.Tasks) == 0 || len(sel.Codes) != 1 || !slices.Equal(sel.PEs, []view.Span{{First: 2, Last: 3}}) || sel.Expr != "pe in 2..3 and procedure ~ /^part/ and time > 1us" {
		t.Fatalf("selected: %+v", sel)
	}
	if d.app.pointer.Typing {
		t.Error("Enter leaves the focus in the field")
	}
	d.write("procedure = prt")
	if got := d.app.model.State.Shared.Selection; !got.Equal(sel) || !d.shows(`Character 13: there is no procedure "prt"; did you mean part?`) || !d.shows("procedure = prt") {
		t.Errorf("the mistake selects %+v:\n%s", got, d.texts())
	}
	if n := strings.Count(d.texts(), "Character 13"); n != 1 || !d.app.pointer.Typing {
		t.Errorf("the mistake is told %d times; the field has the focus: %v", n, d.app.pointer.Typing)
	}
	d.shot("mistake")
	d.in.Now += time.Minute
	d.step()
	if !d.shows("Character 13") {
		t.Error("the message goes while the mistake is in the field")
	}
	if d.key("Escape", 0); !d.shows("pe in 2..3 and procedure") || d.shows("Character 13") || d.app.pointer.Typing {
		t.Errorf("Escape does not restore the expression:\n%s", d.texts())
	}
	d.write("time > 100s")
	if !d.shows("nothing in the trace fulfils the expression") {
		t.Errorf("an expression that nothing fulfils shows:\n%s", d.texts())
	}
	d.write("")
	if got := d.app.model.State.Shared.Selection; !got.Empty() {
		t.Errorf("without an expression %+v is selected", got)
	}
	for _, c := range []struct{ key, want string }{{"(", "pe in 2..3 and"}, {"(", "pe in 1..2"}, {")", "pe in 2..3 and"}} {
		if d.key(c.key, 0); !d.shows(c.want) {
			t.Errorf("%s shows no %s:\n%s", c.key, c.want, d.texts())
		}
	}
}

// TestKeptNames: a selection is kept under a name, chosen again, saved with the workspace, and forgotten.
func TestKeptNames(t *testing.T) {
	d := opened(t, "qsort", 1400, 900)
	d.write("pe in 1..2")
	d.key("B", 0)
	d.typed("slow workers")
	d.shot("naming")
	d.key("Enter", 0)
	want := []view.Kept{{Trace: "qsort", Name: "slow workers", Expr: "pe in 1..2"}}
	if got := d.app.model.State.Shared.Kept; !slices.Equal(got, want) {
		t.Fatalf("kept: %+v", got)
	}
	f := &workspace.File{}
	if text := string(f.Write(d.app.model.Workspace, []workspace.TraceEntry{{Name: "qsort"}}, 1)); !strings.Contains(text, `select = "pe in 1..2"`) {
		t.Errorf("the workspace has no selection:\n%s", text)
	}
	d.write("pe = 0")
	menu := func() {
		t.Helper()
		for _, x := range d.app.controls {
			if x.Name == "Selections with names" {
				d.click(float64(x.Rect.X0+x.Rect.X1)/2, float64(x.Rect.Y0+x.Rect.Y1)/2)
				return
			}
		}
		t.Fatalf("there is no menu of names: %+v", d.app.controls)
	}
	menu()
	d.shot("names")
	d.on("slow workers")
	if got := d.app.model.State.Shared.Selection.PEs; !slices.Equal(got, []view.Span{{First: 1, Last: 2}}) {
		t.Errorf("the name selects %v", got)
	}
	menu()
	d.on("Forget the name slow workers")
	if got := d.app.model.State.Shared.Kept; len(got) > 0 {
		t.Errorf("kept: %+v", got)
	}
}

// TestCopiedCommand: the command of a pane is copied by one key.
func TestCopiedCommand(t *testing.T) {
	d := opened(t, "qsort", 1400, 900)
	p := d.paneOf("timeline")
	d.app.actions.SetFocus(p.ID)
	d.app.actions.Apply(view.Action{Do: view.SetWindow, Window: &view.Span{First: 20_000, Last: 150_500}})
	d.write("procedure ~ /^part/")
	d.asks = nil
	d.key("Y", 0)
	want := "whorl render qsort.whorl --view timeline --window 20us..150.5us --select 'procedure ~ /^part/' "
	if len(d.asks) != 1 || d.asks[0].Do != outbox.CopyText || !strings.HasPrefix(d.asks[0].Text, want) || !strings.HasSuffix(d.asks[0].Text, " -o qsort-timeline.svg") || !d.shows("Copied the command") {
		t.Errorf("copied: %+v, want %s", d.asks, want)
	}
}

// TestExpressionInNarrowWindow: where the bar of the window has no room for the field, V shows it in place of the buttons until the user is done.
func TestExpressionInNarrowWindow(t *testing.T) {
	d := opened(t, "qsort", 390, 800)
	for _, c := range []struct {
		write, key, want string
	}{
		{"pe = 1", "Enter", "pe = 1"},
		{"pe = 2", "Escape", "pe = 1"},
		{"pe in 0..1", "Enter", "pe in 0..1"},
	} {
		if !d.shows("Run") {
			t.Fatalf("the bar shows %s", d.texts())
		}
		d.key("V", 0)
		if d.shows("Run") || d.app.widgets.Focused() != d.app.field.ID {
			t.Fatalf("the field of the expression has no place in %s", d.texts())
		}
		d.key("a", 2) // all of it
		d.key("Backspace", 0)
		d.typed(c.write)
		d.shot("narrow-expression")
		d.key(c.key, 0)
		d.settle()
		if got := d.app.selections.Expression(); got != c.want {
			t.Errorf("%s and %s select %q, want %q", c.write, c.key, got, c.want)
		}
	}
}

// TestPanelsInNarrowWindow: a window without room for the panel of runs beside that of other settings shows the one opened last.
func TestPanelsInNarrowWindow(t *testing.T) {
	for _, c := range []struct {
		width float64
		both  bool
	}{{390, false}, {1280, true}} {
		d, _ := ran(t, c.width, 800)
		d.key("W", 0)
		d.key("R", 0)
		if !d.app.runs.Open || d.app.whatIf.Open != c.both {
			t.Errorf("at %g points: runs %v, other settings %v", c.width, d.app.runs.Open, d.app.whatIf.Open)
		}
		d.key("W", 0)
		if d.app.whatIf.Open == c.both || d.app.runs.Open != c.both {
			t.Errorf("at %g points, in return: runs %v, other settings %v", c.width, d.app.runs.Open, d.app.whatIf.Open)
		}
	}
}
