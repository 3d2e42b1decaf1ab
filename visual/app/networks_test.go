package app

import (
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/app/panes"
	"whorl/visual/scene"
	"whorl/visual/sheet"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/workspace"
)

// control returns the middle of the control whose name begins with a text, in points.
func (d *driver) control(name string) (x, y float64) {
	d.Helper()
	for _, c := range d.app.controls {
		if strings.HasPrefix(c.Name, name) {
			return float64(c.Rect.X0+c.Rect.X1) / 2 / d.in.Scale, float64(c.Rect.Y0+c.Rect.Y1) / 2 / d.in.Scale
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
	p := d.paneOf("timeline")
	for len(d.app.model.IDs) > 1 {
		for _, id := range d.app.model.IDs {
			if id != p.ID {
				d.app.actions.ClosePane(id)
				break
			}
		}
	}
	d.app.actions.SetFocus(p.ID)
	d.settle()
	d.key("H", 0)
	return d
}

// network returns the network of the focused pane, or of the one whose modules it shows.
func (d *driver) network() string { return d.app.model.Pane(d.wired().ID).Network }

// wired returns the focused pane, or the one whose modules it shows.
func (d *driver) wired() *panes.Pane {
	p := d.app.model.Panes[d.app.model.Focus]
	if of := d.app.model.Panes[d.app.model.ShownBy(p)]; of != nil {
		return of
	}
	return p
}

// TestModulesAdd puts a filter into the network behind a picture, which follows, sets its parameter, and takes it back.
func TestModulesAdd(t *testing.T) {
	d := wiredUp(t)
	for _, want := range []string{"Module trace", "Module picture: Timeline"} {
		d.control(want)
	}
	if d.network() != "" {
		t.Error("showing the modules has changed the network")
	}
	p := d.wired()
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

// TestModulesDragOntoLink drags a module onto the link from the trace to the display, in the middle of its line, which goes round the stages of the
// view, and then beside the line, where it is connected to nothing.
func TestModulesDragOntoLink(t *testing.T) {
	d := wiredUp(t)
	x0, y0 := d.control("Add the module PEs")
	fromX, fromY := d.control("Output of trace")
	toX, toY := d.control("Input trace of picture")
	var x, y float64
	for i := range d.app.chrome.Len() {
		o := d.app.chrome.Op(i)
		if o.Kind != scene.OpPolyline {
			continue
		}
		points, _ := o.Polyline()
		if n := len(points); n > 2*40 && math.Hypot(float64(points[0])-fromX, float64(points[1])-fromY)+math.Hypot(float64(points[n-2])-toX, float64(points[n-1])-toY) < 2 {
			x, y = float64(points[n/4*2]), float64(points[n/4*2+1])
		}
	}
	if x == 0 {
		t.Fatal("no link goes round a stage")
	}
	d.drag(x0, y0, x+60, y)
	if got := d.network(); !strings.Contains(got, "[modules.pe]") || strings.Contains(got, "trace = \"pe\"") {
		t.Errorf("dropped beside the link:\n%s", got)
	}
	d.app.actions.Apply(view.Action{Do: view.UndoAction})
	d.settle()
	d.drag(x0, y0, x, y)
	if got := d.network(); !strings.Contains(got, "trace = \"pe\"") {
		t.Errorf("dropped on the link:\n%s", got)
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
	if p := d.wired(); d.wrong(p) != "" {
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
	if p := d.wired(); d.wrong(p) != "" || d.app.model.Document(p).Data.Runs("module time") == 0 {
		t.Errorf("the picture does not follow: %s", d.wrong(p))
	}
	d.control("Add the module late")
	other := d.wired().ID
	d.app.actions.AddPane("utilisation", "qsort", other, workspace.AsTab) // another pane has the module too
	d.key("H", 0)
	d.click(d.control("Add the module late"))
	if of := d.wired(); of.View != "utilisation" || !strings.Contains(d.network(), "[groups.late]") || d.wrong(of) != "" {
		t.Errorf("the module of another pane is not added: %s in\n%s", d.wrong(of), d.network())
	}
}

// TestModulesGroupParameters makes a group with a parameter, which is set at the group.
func TestModulesGroupParameters(t *testing.T) {
	d := wiredUp(t)
	d.click(d.control("Add the module PEs"))
	d.chooseText("PEs of pe", "1-2")
	d.click(d.control("Module picture"))
	d.click(d.control("Add the module Time"))
	d.click(d.control("Module pe"))
	x, y := d.control("Module time")
	d.move(x, y)
	d.press(x, y, ui.Main, ui.Shift)
	d.settle()
	d.click(d.control("to of time")) // pes of pe is one already, since it is set
	d.shot("grouping")
	d.click(d.control("Name of the group"))
	d.typed("late")
	d.key("Enter", 0)
	if !strings.Contains(d.network(), "[groups.late.parameters]\npes = \"pe.pes\"\nto = \"time.to\"") {
		t.Fatalf("the group has no such parameters:\n%s", d.network())
	}
	d.click(d.control("Module late"))
	d.chooseText("PEs of late", "3")
	d.chooseText("To of late", "40%")
	if !strings.Contains(d.network(), "[modules.late]\nmodule = \"late\"\npes = \"3\"\nto = \"40%\"") || d.wrong(d.wired()) != "" {
		t.Errorf("the parameters are not set: %s in\n%s", d.wrong(d.wired()), d.network())
	}
	d.chooseText("To of late", "soon")
	if !d.shows("expected a time") {
		t.Errorf("a wrong value is not reported:\n%s", d.texts())
	}
}

// TestModulesPane: a pane with the modules of another one names that pane, keeps it when other panes close, is drawn with its workspace, stays when the
// picture is hidden, and says so when the picture is closed.
func TestModulesPane(t *testing.T) {
	d := wiredUp(t)
	picture := d.wired()
	d.shot("modules")
	d.app.actions.AddPane("kaleidoscope", "qsort", picture.ID, workspace.AsTab) // in front of the timeline
	d.settle()
	d.app.actions.SetFocus(picture.ID)
	pane := d.paneOf("modules")
	if got := d.app.model.ShownBy(pane); got != picture.ID {
		t.Fatalf("the pane shows the modules of %d, want %d", got, picture.ID)
	}
	d.click(d.control("Add the module PEs"))
	if d.app.model.Focus != pane.ID || !picture.Open() || d.app.model.Document(picture).Data.Runs("module pe") == 0 {
		t.Error("the hidden picture does not follow, or its modules do not have the keys")
	}
	if !d.shows("rows") && !d.shows("events") {
		t.Errorf("the links have no sizes:\n%s", d.texts())
	}
	still, err := d.app.Still(t.Context(), must.Get(sheet.Parse("1200x900", ""))(t), "", page.LegendBeside)
	if err != nil {
		t.Fatal(err)
	}
	if said := viewtest.Strings(still); !slices.Contains(said, "PEs") || !slices.Contains(said, "modules of timeline") {
		t.Errorf("the picture of the workspace says %q", said)
	}
	d.key("U", 0) // a second pane with the same modules
	if again := d.app.model.Panes[d.app.model.Focus]; again == pane || d.app.model.ShownBy(again) != picture.ID {
		t.Error("the duplicate shows other modules")
	}
	d.app.actions.ClosePane(d.app.model.Focus)
	d.app.actions.SetFocus(pane.ID)
	d.key("J", 0)
	d.settle()
	if d.app.model.Root.LeafOf(pane.ID) == nil || !d.shows("The modules of a pane stay in its window") {
		t.Errorf("the modules can be detached, or nothing says why not:\n%s", d.texts())
	}
	d.app.actions.ClosePane(picture.ID)
	d.settle()
	if got := d.app.model.Panes[d.app.model.ShownBy(pane)]; got == nil || got.View != "kaleidoscope" {
		t.Error("the other picture of the trace has no modules")
	}
	d.app.actions.ClosePane(d.app.model.ShownBy(pane))
	d.settle()
	if !d.shows("The picture whose modules were here is closed") {
		t.Errorf("the window shows\n%s", d.texts())
	}
}
