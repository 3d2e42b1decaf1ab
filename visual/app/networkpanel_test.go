package app

import (
	"strings"
	"testing"

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
