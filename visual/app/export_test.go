package app

import (
	"bytes"
	"image/png"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/app/outbox"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestExport saves pictures of a pane and of the whole window in each format. The command that is copied names the same size, font, colours, legend and
// file, and the dialog keeps its choices.
func TestExport(t *testing.T) {
	d := sideBySide(t, run(t, "fghc/pascal", 4, ""), 1200, 700, "kaleidoscope", "timeline")
	d.settle()
	d.key("P", ui.Shift)
	d.shot("export")
	save := func() outbox.Ask {
		d.Helper()
		d.on("Save")
		d.settle()
		i := slices.IndexFunc(d.asks, func(a outbox.Ask) bool { return a.Do == outbox.SaveFile })
		if i < 0 {
			d.Fatalf("nothing is saved:\n%s", d.texts())
		}
		got := d.asks[i]
		d.asks = slices.Delete(d.asks, i, i+1)
		return got
	}
	svg := save()
	if svg.Name != "trace-kaleidoscope.svg" && !strings.HasSuffix(svg.Name, "-kaleidoscope.svg") || !strings.Contains(string(svg.Data), "fghc/pascal") || strings.ContainsAny(svg.Name, ", ") {
		t.Errorf("%s has %.300s", svg.Name, svg.Data)
	}
	d.key("P", ui.Shift)
	for _, choice := range []string{"The whole window", "PNG", "Dark", "None"} {
		d.on(choice)
	}
	size := func(text string) {
		d.app.widgets.Focus(usertest.Name("export/size"))
		d.step()
		d.key("a", ui.Control)
		d.typed(text)
		d.settle()
	}
	size("127x76.2mm")
	d.shot("export-window")
	if !d.shows("whorl.png, 1,500 × 900 pixels") {
		t.Errorf("the dialog does not show the size:\n%s", d.texts())
	}
	whole := save()
	m := must.Get(png.Decode(bytes.NewReader(whole.Data)))(t)
	if r, _, _, _ := m.At(700, 880).RGBA(); m.Bounds().Dx() != 1500 || m.Bounds().Dy() != 900 || r > 0x4000 {
		t.Errorf("the picture of the window has %v, red %d", m.Bounds(), r)
	}
	d.key("P", ui.Shift)
	if !d.shows("127x76.2mm") {
		t.Errorf("the dialog forgets its choices:\n%s", d.texts())
	}
	d.on("Copy the command")
	if a := d.asks[len(d.asks)-1]; a.Do != outbox.CopyText || !strings.HasPrefix(a.Text, "whorl render ") ||
		!strings.HasSuffix(a.Text, " --background dark --size 127x76.2mm --font 8pt --legend none -o whorl.png") {
		t.Errorf("the command is %q", a.Text)
	}
	size("5x5mm")
	if !d.shows("expected WIDTH") {
		t.Errorf("a wrong size is not reported:\n%s", d.texts())
	}
	d.on("Cancel")
	if c := d.picture().RGBAAt(5, 300); c.R < 200 {
		t.Error("a dark picture has changed the window")
	}
}
