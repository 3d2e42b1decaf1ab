package app

import (
	"strings"
	"testing"

	"whorl/visual/view"
	"whorl/visual/view/page"
)

// groupedNetwork shows PE 1 in the second half of a run, by a group.
const groupedNetwork = `[modules.run]
module = "trace"

[modules.some]
module = "late"
input = "run"

[modules.picture]
module = "timeline"
trace = "some"

[groups.late]
output = "one"

[groups.late.inputs]
input = "trace"

[groups.late.modules.half]
module = "time"
from = "50%"
trace = "in.input"

[groups.late.modules.one]
module = "pe"
pes = "1"
trace = "half"
`

// pictureSum returns a number for the picture of the focused pane, drawn in a fixed size.
func (d *driver) pictureSum() uint64 {
	d.Helper()
	p := d.wired()
	if !p.Open() {
		d.Fatalf("the pane has no picture: %v", p.Err)
	}
	list, err := p.Shoot(600, 400, "light", page.Shot{})
	if err != nil {
		d.Fatal(err)
	}
	return list.Sum()
}

// setNetwork gives the focused pane a network.
func (d *driver) setNetwork(text string) {
	d.app.actions.Apply(view.Action{Do: view.SetNetwork, Pane: d.app.model.Index(d.wired().ID), Value: text})
	d.settle()
}

// TestNetworkSaved saves a workspace with a network that has a group and reads it into a new window, which shows the same picture of the same network
// and saves the same file.
func TestNetworkSaved(t *testing.T) {
	d := wiredUp(t)
	whole := d.pictureSum()
	d.setNetwork(groupedNetwork)
	want := d.pictureSum()
	if want == whole {
		t.Fatal("the network changes nothing, so the test shows nothing")
	}
	text := d.asFile()
	again := drive(t, Options{}, 2600, 1300, 1)
	again.drop(file("w.toml", text))
	again.drop(traceFile(t, "qsort.whorl", run(t, "qsort", 4, "")))
	p := again.paneOf("timeline") // the dropped file has focused another one
	again.app.actions.SetFocus(p.ID)
	again.settle()
	if again.network() != groupedNetwork {
		t.Errorf("read again, the network is\n%s", again.network())
	}
	if again.pictureSum() != want {
		t.Error("read again, the picture is another one")
	}
	if got := again.asFile(); got != text {
		t.Errorf("the workspace is saved again as\n%s\nwant\n%s", got, text)
	}
	again.control("Module some: late")
	again.control("Module picture: Timeline")
}

// TestWrongNetworks: a workspace with a pane whose network is wrong opens, says in the pane what is wrong, shows no other picture there, and keeps the
// text. Once the network is right its picture is there, and stays when the network becomes wrong again.
func TestWrongNetworks(t *testing.T) {
	src := run(t, "qsort", 4, "")
	const right = "[modules.run]\nmodule = \"trace\"\n[modules.picture]\nmodule = \"timeline\"\ntrace = \"run\"\n"
	for _, c := range []struct{ name, text, message string }{
		{"unknown module", "[modules.run]\nmodule = \"trase\"\n[modules.picture]\nmodule = \"timeline\"\ntrace = \"run\"\n", "did you mean trace"},
		{"cycle", "[modules.a]\nmodule = \"time\"\ntrace = \"b\"\n[modules.b]\nmodule = \"pe\"\ntrace = \"a\"\n[modules.picture]\nmodule = \"timeline\"\ntrace = \"b\"\n", "cycle"},
		{"wrong type", "[modules.run]\nmodule = \"trace\"\n[modules.work]\nmodule = \"profile\"\ntrace = \"run\"\n[modules.picture]\nmodule = \"timeline\"\ntrace = \"work\"\n", `network:8:1: "work" gives a table`},
		{"no TOML", "[modules.run\n", "network:2:1"},
		{"no display", "[modules.run]\nmodule = \"trace\"\n", "no display"},
		{"trace not open", "[modules.run]\nmodule = \"trace\"\ninput = 2\n[modules.picture]\nmodule = \"timeline\"\ntrace = \"run\"\n", "no open trace with the number 2"},
	} {
		d := drive(t, Options{}, 1000, 700, 1)
		d.drop(file("w.toml", "version = 1\n[[trace]]\nname = \"x\"\n[[pane]]\nview = \"timeline\"\ntrace = \"x\"\nnetwork = '''\n"+c.text+"'''\n"))
		d.drop(traceFile(t, "x.whorl", src))
		d.shot("network " + c.name)
		p := d.wired()
		if p.Picture() != nil || !d.shows(c.message) {
			t.Errorf("%s: the message %q is not shown, or a picture is:\n%s", c.name, c.message, d.texts())
		}
		if p.Err == nil || strings.Contains(p.Err.Error(), "\n") { // the message is a paragraph
			t.Errorf("%s: the pane shows %v", c.name, p.Err)
		}
		again := drive(t, Options{}, 1000, 700, 1)
		again.drop(file("w.toml", d.asFile()))
		if again.network() != c.text {
			t.Errorf("%s: saved and opened again, the network is\n%s", c.name, again.network())
		}
		d.key("H", 0) // the modules of a wrong network can be shown
		d.setNetwork(right)
		if p.Picture() == nil || p.Err != nil {
			t.Errorf("%s: the pane of the mended network shows %v", c.name, p.Err)
		}
		d.setNetwork(c.text)
		if opens := c.name == "trace not open"; (p.Err != nil) != opens || d.wrong(p) == "" {
			t.Errorf("%s: after a change to a wrong network the pane shows %v, the modules %q", c.name, p.Err, d.wrong(p))
		}
	}
}

// TestSecondTrace: a pane whose network reads a trace that is opened later shows its picture then.
func TestSecondTrace(t *testing.T) {
	d := wiredUp(t)
	d.setNetwork("[modules.other]\nmodule = \"trace\"\ninput = 2\n[modules.picture]\nmodule = \"timeline\"\ntrace = \"other\"\n")
	p := d.wired()
	if p.Err == nil {
		t.Fatal("a trace that is not open is not reported")
	}
	d.app.Open("nrev", run(t, "nrev", 2, ""))
	d.app.model.Full = p.ID
	d.settle()
	if p.Err != nil || p.Picture() == nil {
		t.Errorf("with the second trace the pane shows %v", p.Err)
	}
}
