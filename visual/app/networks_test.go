package app

import (
	"strings"
	"testing"

	"whorl/visual/ui"
	"whorl/visual/view"
)

// control returns the middle of the control whose name begins with a text.
func (d *driver) control(name string) (x, y float64) {
	d.Helper()
	for _, c := range d.app.controls {
		if strings.HasPrefix(c.Name, name) {
			return float64(c.Rect.X0+c.Rect.X1) / 2, float64(c.Rect.Y0+c.Rect.Y1) / 2
		}
	}
	var names []string
	for _, c := range d.app.controls {
		names = append(names, c.Name)
	}
	d.Fatalf("there is no control %q among\n%s", name, strings.Join(names, "\n"))
	return 0, 0
}

// wiredUp returns a driver of a window with one pane, the timeline, whose modules are shown.
func wiredUp(t *testing.T) *driver {
	d := drive(t, Options{}, 2600, 1300, 1)
	d.app.Open("qsort", run(t, "qsort", 4, ""))
	d.settle()
	for id, p := range d.app.model.Panes {
		if p.View == "timeline" {
			d.app.actions.SetFocus(id)
			d.app.model.Full = id
		}
	}
	d.settle()
	d.key("H", 0)
	return d
}

func (d *driver) network() string { return d.app.model.Pane(d.app.model.Focus).Network }

// TestModulesAdd puts a filter into the network behind a picture, which follows, sets its parameter, and takes it back.
func TestModulesAdd(t *testing.T) {
	d := wiredUp(t)
	for _, want := range []string{"Module trace", "Module picture: Timeline"} {
		d.control(want)
	}
	if d.network() != "" {
		t.Error("showing the modules has changed the network")
	}
	p := d.app.model.Panes[d.app.model.Focus]
	before := p.Revision()
	d.click(d.control("Add the module Time"))
	if !strings.Contains(d.network(), "module = \"time\"") {
		t.Fatalf("the network is\n%s", d.network())
	}
	if d.wrong(p) != "" || p.Revision() == before {
		t.Errorf("the picture does not follow: %s", d.wrong(p))
	}
	d.control("Module time")
	stages := p.Stages()
	found := false
	for _, s := range stages {
		found = found || s.Name == "module time"
	}
	if !found {
		t.Error("the picture is not computed from the filter")
	}
	whole := d.app.model.Document(p).Data.Runs("module time")
	if whole == 0 {
		t.Error("the filter has not run")
	}
	d.app.actions.Apply(view.Action{Do: view.UndoAction})
	d.settle()
	if d.network() != "" {
		t.Errorf("after undo the network is\n%s", d.network())
	}
	d.app.actions.Apply(view.Action{Do: view.RedoAction})
	d.settle()
	if !strings.Contains(d.network(), "time") {
		t.Error("redo does not bring the filter back")
	}
}

// TestModulesDrag drags a module onto a link, and outputs to inputs of the right and of a wrong type.
func TestModulesDrag(t *testing.T) {
	d := wiredUp(t)
	x0, y0 := d.control("Add the module PEs")
	x1, y1 := d.control("Module picture")
	d.drag(x0, y0, x1, y1)
	if !strings.Contains(d.network(), "trace = \"pe\"") {
		t.Fatalf("dropped on the display the module is not before it:\n%s", d.network())
	}
	d.click(d.control("Module trace")) // nothing reads a module that cannot be put before the trace
	x0, y0 = d.control("Add the module Lines by PEs")
	x1, y1 = d.control("Module trace")
	d.drag(x0, y0, x1, y1+120)
	if !strings.Contains(d.network(), "[modules.lines]") {
		t.Fatalf("dropped on the ground the module is not there:\n%s", d.network())
	}
	x0, y0 = d.control("Output of trace")
	x1, y1 = d.control("Input trace of lines")
	d.drag(x0, y0, x1, y1)
	if !strings.Contains(d.network(), "[modules.lines]\nmodule = \"lines\"\ntrace = \"trace\"") {
		t.Fatalf("the output is not connected:\n%s", d.network())
	}
	was := d.network()
	x0, y0 = d.control("Output of lines")
	x1, y1 = d.control("Input trace of picture")
	d.drag(x0, y0, x1, y1)
	if d.network() != was {
		t.Error("a wrong connection changed the network")
	}
	if !d.shows(`"lines" gives a matrix, the input trace of "picture" expects a trace`) {
		t.Errorf("a wrong connection does not say why:\n%s", d.texts())
	}
}

// TestModulesRemove removes a module by a key.
func TestModulesRemove(t *testing.T) {
	d := wiredUp(t)
	d.click(d.control("Add the module PEs"))
	d.click(d.control("Module pe"))
	d.key("Delete", 0)
	if strings.Contains(d.network(), "\"pe\"") {
		t.Errorf("the module is still there:\n%s", d.network())
	}
	if p := d.app.model.Panes[d.app.model.Focus]; d.wrong(p) != "" {
		t.Error(d.wrong(p))
	}
}

// TestModulesGroup makes a group of two filters, which the picture still follows.
func TestModulesGroup(t *testing.T) {
	d := wiredUp(t)
	d.click(d.control("Add the module PEs"))
	d.click(d.control("Module picture"))
	d.click(d.control("Add the module Time"))
	x, y := d.control("Module pe")
	d.click(x, y)
	x, y = d.control("Module time")
	d.move(x, y)
	d.press(x, y, ui.Main, ui.Shift)
	d.settle()
	d.click(d.control("Name of the group"))
	d.typed("late")
	d.key("Enter", 0)
	if !strings.Contains(d.network(), "[groups.late]") || !strings.Contains(d.network(), "module = \"late\"") {
		t.Fatalf("there is no group:\n%s", d.network())
	}
	if p := d.app.model.Panes[d.app.model.Focus]; d.wrong(p) != "" || d.app.model.Document(p).Data.Runs("module time") == 0 {
		t.Errorf("the picture does not follow: %s", d.wrong(p))
	}
	d.control("Add the module late")
}
