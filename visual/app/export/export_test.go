package export

import (
	"bytes"
	"image"
	"image/gif"
	"io"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/app/chooser"
	"whorl/visual/app/outbox"
	"whorl/visual/app/saving"
	"whorl/visual/app/testdata/desktest"
	"whorl/visual/film"
	"whorl/visual/sheet"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// TestCommandAndPicture: the command of a pane names its run, its parameters and its selection, and the picture of the whole window has all panes.
func TestCommandAndPicture(t *testing.T) {
	k := desktest.Open(t, "on-demand")
	files := saving.New(k.Model, k.Links, k.Cameras, k.Actions, k.Window, k.Out, &chooser.Chooser{}, nil)
	d := New(k.Model, k.Links, k.Cameras, k.Window, k.Out, files, func(view.Selection) string { return "pe = 1" })
	p := k.Pane("kaleidoscope", "on-demand")
	k.Actions.SetFocus(p.ID)
	k.Actions.Apply(view.Action{Do: view.SetParam, Pane: k.Model.Index(p.ID), Name: "color", Value: "time"})
	k.Actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: p.Trace, PEs: []view.Span{{First: 1, Last: 1}}}})
	k.Settle()
	d.Begin()
	got := d.PaneCommand()
	for _, want := range []string{"--policy on-demand", "whorl render on-demand.whorl --view kaleidoscope --color time", "--select 'pe = 1'", "-o on-demand-kaleidoscope."} {
		if !strings.Contains(got, want) {
			t.Errorf("the command is %q, without %q", got, want)
		}
	}
	paper, err := sheet.Parse("800x600", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, ground := range []string{"", "dark"} {
		if list, err := d.WholeWindow(paper, ground, page.LegendBeside); err != nil || list.Len() < 100 {
			t.Errorf("on the ground %q the picture of the window is %v, %v", ground, list, err)
		}
	}
	k.Actions.Apply(view.Action{Do: view.CloseTrace, Name: p.Trace})
	k.Model.UpdatePanes()
	if got := d.PaneCommand(); strings.Contains(got, "--view") {
		t.Errorf("without a pane the command is %q", got)
	}
}

// TestFilm: the dialog draws a film of the pane picture by picture as a GIF or as numbered files, names the command that draws the same, and stops when
// the user cancels or closes the pane.
func TestFilm(t *testing.T) {
	k := desktest.Open(t, "on-demand")
	files := saving.New(k.Model, k.Links, k.Cameras, k.Actions, k.Window, k.Out, &chooser.Chooser{}, nil)
	d := New(k.Model, k.Links, k.Cameras, k.Window, k.Out, files, func(view.Selection) string { return "pe = 1" })
	p := k.Pane("kaleidoscope", "on-demand")
	k.Actions.SetFocus(p.ID)
	k.Settle()
	if d.films() {
		t.Error("a shell without films offers one")
	}
	d.Film = func(w io.Writer, width, height, rate int, samples []*image.RGBA) Film {
		return film.NewGIF(w, width, height, rate, samples)
	}
	d.Begin()
	if !d.films() {
		t.Fatal("no film is offered for the kaleidoscope")
	}
	d.whole, d.preset, d.size, d.lasts, d.rate = ofPlay, ownSize, "200x160", "500 ms", "10"
	if got, want := d.command(), "--size 200x160 --lasts 500ms --rate 10 -o on-demand-kaleidoscope.gif"; !strings.Contains(got, "whorl film ") || !strings.HasSuffix(got, want) {
		t.Errorf("the command is %q; expected whorl film with %q", got, want)
	}
	shot := func() (asked []outbox.Ask) {
		t.Helper()
		paper := must.Get(d.sheet())(t)
		k.Out.Drain()
		d.save(paper)
		for n := 0; d.Work(); n++ {
			if n > 20 {
				t.Fatal("the film does not end")
			}
		}
		for _, a := range k.Out.Drain() {
			if a.Do == outbox.SaveFile {
				asked = append(asked, a)
			}
		}
		return asked
	}
	asked := shot()
	if len(asked) != 1 || asked[0].Name != "on-demand-kaleidoscope.gif" {
		t.Fatalf("%d files are saved", len(asked))
	}
	g := must.Get(gif.DecodeAll(bytes.NewReader(asked[0].Data)))(t)
	if len(g.Image) != 5 || g.Config.Width != 200 || g.Config.Height != 160 || g.Delay[0] != 10 {
		t.Errorf("the film has %d pictures of %d x %d, the first for %d hundredths", len(g.Image), g.Config.Width, g.Config.Height, g.Delay[0])
	}
	d.numbered = 1
	if asked = shot(); len(asked) != 5 || asked[4].Name != "on-demand-kaleidoscope-0005.png" {
		t.Fatalf("%d numbered files are saved", len(asked))
	}
	if first, last := len(asked[0].Data), len(asked[4].Data); first >= last {
		t.Errorf("the first picture has %d bytes, the last, with the whole tree, %d", first, last)
	}
	if got := d.command(); !strings.HasSuffix(got, "-o on-demand-kaleidoscope") {
		t.Errorf("the command for numbered files is %q", got)
	}
	for _, c := range []struct{ lasts, rate, size, want string }{
		{"soon", "10", "200x160", `"soon" is no time`},
		{"1s", "many", "200x160", `"many" is no number`},
		{"1s", "100", "200x160", "expected 1 to 60 pictures in a second"},
		{"10h", "10", "200x160", "expected 1 to 10000 pictures"},
		{"1s", "10", "85x60mm", "a film has a size in pixels"},
	} {
		d.lasts, d.rate, d.size = c.lasts, c.rate, c.size
		if _, _, err := d.filmed(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	d.lasts, d.rate, d.size = "1s", "10", "200x160"
	d.save(must.Get(d.sheet())(t))
	d.Work()
	d.recording.open = false // Cancel
	if d.Work() {
		t.Error("a cancelled film goes on")
	}
	d.save(must.Get(d.sheet())(t))
	k.Actions.Apply(view.Action{Do: view.CloseTrace, Name: p.Trace})
	k.Model.UpdatePanes()
	if d.Work() {
		t.Error("the film of a closed pane goes on")
	}
}
