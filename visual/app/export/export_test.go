package export

import (
	"strings"
	"testing"

	"whorl/visual/app/chooser"
	"whorl/visual/app/saving"
	"whorl/visual/app/testdata/desktest"
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
