package app

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer/store"
	"whorl/visual/app/outbox"
	"whorl/visual/network/modules"
	"whorl/visual/ui"
	"whorl/visual/views"
)

// chooseText replaces the text of a field of the panel.
func (d *driver) chooseText(field, text string) {
	d.Helper()
	d.click(d.control(field))
	d.key("a", ui.Control)
	d.typed(text)
	d.key("Enter", 0)
}

// TestModulesSettings changes the parameters of a filter and of the display. A wrong value says what is wrong and changes nothing.
func TestModulesSettings(t *testing.T) {
	d := wiredUp(t)
	d.click(d.control("Add the module PEs"))
	d.chooseText("PEs of pe", "1-2")
	if !strings.Contains(d.network(), `pes = "1-2"`) {
		t.Fatalf("the parameter is not set:\n%s", d.network())
	}
	was := d.network()
	d.chooseText("PEs of pe", "1-b")
	if d.network() != was || !d.shows("1-b") || d.shows("Enter applies it") {
		t.Errorf("a wrong value is accepted, or not reported:\n%s\n%s", d.network(), d.texts())
	}
	d.click(d.control("Module picture"))
	d.click(d.control("Messages"))
	w := d.app.model.Pane(d.wired().ID)
	if w.Params["messages"] != "true" || d.network() != was {
		t.Errorf("the parameters of the pane are %v, the network is\n%s", w.Params, d.network())
	}
}

// TestModulesNotes: times and sizes of outputs are written in full, whether links go to the right or down.
func TestModulesNotes(t *testing.T) {
	d := wiredUp(t)
	d.click(d.control("Add the module PEs"))
	d.key("F", 0)
	for _, w := range []float64{1000, 2600} {
		d.in.W = w
		d.settle()
		notes := 0
		for _, text := range strings.Split(d.texts(), "\n") {
			if text == "" || text[0] < '0' || text[0] > '9' {
				continue
			}
			if strings.HasSuffix(text, " events") || strings.HasSuffix(text, "B") {
				notes++
			}
			if strings.HasSuffix(text, "…") {
				t.Errorf("in a window of %v points a note is cut: %s", w, text)
			}
		}
		if notes < 5 {
			t.Errorf("in a window of %v points there are %d notes:\n%s", w, notes, d.texts())
		}
	}
}

// TestModulesBar copies the network as a file, with the parameters of the pane, resets it and closes the modules.
func TestModulesBar(t *testing.T) {
	d := wiredUp(t)
	d.click(d.control("Add the module PEs"))
	d.click(d.control("Module picture"))
	d.click(d.control("Messages"))
	d.asks = nil
	d.on("Copy")
	if len(d.asks) != 1 || d.asks[0].Do != outbox.CopyText {
		t.Fatalf("the requests are %+v", d.asks)
	}
	n, err := modules.Catalog(views.All).Read("copied.toml", d.asks[0].Text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, d.asks[0].Text)
	}
	if values := n.Uses[n.Use("picture")].Values; values["messages"] != "true" || n.Use("pe") < 0 {
		t.Errorf("the copied network is\n%s", d.asks[0].Text)
	}
	d.on("Reset")
	if d.network() != "" {
		t.Errorf("after Reset the network is\n%s", d.network())
	}
	if d.shows("Reset") {
		t.Error("the network of a view can be reset")
	}
	d.key("H", 0)
	if d.shows("Search the modules") {
		t.Error("the modules are not closed")
	}
}

// TestModulesUnlink takes a link away by a click, after which the module says what it needs, and connects it again on the link of another one.
func TestModulesUnlink(t *testing.T) {
	d := wiredUp(t)
	d.click(d.control("Add the module PEs"))
	p := d.wired()
	value := p.Revision()
	d.click(d.control("Input trace of pe"))
	if strings.Contains(d.network(), "trace = \"trace\"") || !d.shows("needs a trace") || d.wrong(p) == "" {
		t.Fatalf("the link is still there, or the panel does not say what is missing: %q\n%s", d.wrong(p), d.network())
	}
	if p.Picture() == nil || p.Revision() != value {
		t.Error("an incomplete network changes the picture")
	}
	x0, y0 := d.control("Output of trace")
	x1, y1 := d.control("Input trace of pe")
	d.drag(x0, y0, x1, y1)
	if d.wrong(p) != "" {
		t.Errorf("connected again, the network is wrong: %s", d.wrong(p))
	}
	x0, y0 = d.control("Add the module Time")
	x1, y1 = d.control("Output of trace")
	x2, y2 := d.control("Input trace of pe")
	d.drag(x0, y0, (x1+x2)/2, (y1+y2)/2)
	if !strings.Contains(d.network(), "trace = \"time\"") {
		t.Errorf("dropped on a link, the module is not in it:\n%s", d.network())
	}
}

// TestModulesRefusals: what cannot be done says why and changes nothing.
func TestModulesRefusals(t *testing.T) {
	d := wiredUp(t)
	d.click(d.control("Add the module PEs"))
	was := d.network()
	d.click(d.control("Module picture"))
	d.key("Delete", 0)
	if !d.shows("the picture of the pane cannot be removed") {
		t.Errorf("the window shows\n%s", d.texts())
	}
	d.click(d.control("Module pe"))
	x, y := d.control("Module trace")
	d.move(x, y)
	d.press(x, y, ui.Main, ui.Shift)
	d.settle()
	d.chooseText("Name of the group", "time")
	if d.network() != was {
		t.Errorf("a group with the name of a module is made:\n%s", d.network())
	}
	d.move(x, y)
	d.press(x, y, ui.Main, ui.Shift) // takes it out of the chosen ones
	d.settle()
	if d.shows("Name of the group") {
		t.Error("one module can be grouped")
	}
	d.on("Remove")
	if strings.Contains(d.network(), `"pe"`) {
		t.Errorf("the chosen module is still there:\n%s", d.network())
	}
}

// TestModulesExport adds the three exports and saves their files: the picture of the pane, the trace that it reads, and the table of a profile.
func TestModulesExport(t *testing.T) {
	d := wiredUp(t)
	saved := func(label string) outbox.Ask {
		t.Helper()
		d.on(label)
		for _, ask := range slices.Backward(d.asks) {
			if ask.Do == outbox.SaveFile {
				return ask
			}
		}
		t.Fatalf("no file is saved; the window shows\n%s", d.texts())
		return outbox.Ask{}
	}
	add := func(title string) {
		t.Helper()
		d.chooseText("Search the modules", title)
		d.click(d.control("Add the module " + title))
	}
	d.click(d.control("Module picture"))
	add("Picture file")
	if !strings.Contains(d.network(), "[modules.picture2]\nmodule = \"picture\"\npicture = \"picture\"") {
		t.Fatalf("the export does not read the picture:\n%s", d.network())
	}
	if got := saved("Save the file"); got.Name != "out.svg" || !bytes.HasPrefix(got.Data, []byte("<svg")) {
		t.Errorf("saved is %s, %.100s", got.Name, got.Data)
	}
	d.click(d.control("Module picture: Timeline"))
	add("Trace file")
	got := saved("Save the file")
	file := must.Get(store.OpenAt(bytes.NewReader(got.Data), int64(len(got.Data))))(t)
	if want := d.app.model.Focused().Source.Counts(); got.Name != "out.whorl" || file.Counts() != want {
		t.Errorf("saved is %s with the events %v, want %v", got.Name, file.Counts(), want)
	}
	if d.wrong(d.wired()) != "" {
		t.Errorf("the exports stop the picture: %s", d.wrong(d.wired()))
	}
	add("CSV file") // the trace has no table
	d.on("Save the file")
	if !d.shows(`needs a table`) {
		t.Errorf("an export without its input says\n%s", d.texts())
	}
}

// TestModulesExportClosed closes the trace of an export that is being computed, whose file is not written.
func TestModulesExportClosed(t *testing.T) {
	d := wiredUp(t)
	p := d.wired()
	d.setNetwork("[modules.run]\nmodule = \"trace\"\n[modules.picture]\nmodule = \"timeline\"\ntrace = \"run\"\n[modules.copy]\nmodule = \"save\"\ntrace = \"run\"\n")
	d.app.exports.Begin(p, "copy")
	d.app.model.Docs.Keep(nil)
	d.asks = nil
	if d.app.exports.Work(0) {
		t.Error("it goes on")
	}
	d.step()
	if !d.shows("out.whorl: its trace was closed before it was computed") || len(d.asks) > 0 {
		t.Errorf("asked %v; the window shows\n%s", d.asks, d.texts())
	}
}
