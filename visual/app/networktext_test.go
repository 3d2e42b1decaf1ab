package app

import (
	"strings"
	"testing"

	"whorl/visual/ui"
	"whorl/visual/view"
)

// TestModulesText: the modules of a network whose text cannot be read show the text, nothing of which a control changes. The text is mended there, and a
// network without mistakes can be written as a text too.
func TestModulesText(t *testing.T) {
	d := wiredUp(t)
	for _, broken := range []string{
		"# kept\n[modules.run\nmodule = \"trace\"\n",
		"# kept\n[modules.run]\nmodule = \"trace\"\nfile = 1979-05-27\n[modules.picture]\nmodule = \"timeline\"\ntrace = \"run\"\n",
	} {
		d.setNetwork(broken)
		if !d.shows("# kept") || d.shows("Search the modules") || !d.shows("This text is no TOML") {
			t.Fatalf("the text is not shown:\n%s", d.texts())
		}
		d.shot("text")
		d.on("Copy")
		if got := d.asks[len(d.asks)-1].Text; got != broken {
			t.Errorf("copied is %q", got)
		}
		d.on("Apply") // nothing to apply yet
		if d.network() != broken {
			t.Errorf("the network is %q", d.network())
		}
	}
	d.click(d.control("Text of the network"))
	d.key("a", ui.Control)
	d.typed("[modules.run]\nmodule = \"trace\"\n[modules.picture]\nmodule = \"timelin\"\ntrace = \"run\"\n")
	d.key("Enter", ui.Control)
	if !strings.Contains(d.network(), "timelin\"") || d.shows("This text is no TOML") || !d.shows("did you mean timeline?") {
		t.Errorf("the mended text is not applied, or the module that is unknown not reported:\n%s", d.texts())
	}
	d.app.actions.Apply(view.Action{Do: view.UndoAction})
	d.settle()
	if !d.shows("# kept") {
		t.Error("undo does not bring the text back")
	}
	d.on("Reset")
	d.on("Text")
	if !d.shows(`module = "timeline"`) || d.shows("Search the modules") {
		t.Errorf("the text of the view's network is not shown:\n%s", d.texts())
	}
	d.on("Text")
	if !d.shows("Search the modules") {
		t.Error("the modules are not back")
	}
}
