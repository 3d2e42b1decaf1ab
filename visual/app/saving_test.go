package app

import (
	"bytes"
	"testing"

	"whorl/visual/app/outbox"
	"whorl/visual/view"
)

// TestPictureOfAPane saves a picture of the kaleidoscope with its selection and the note at a node.
func TestPictureOfAPane(t *testing.T) {
	d := opened(t, "pascal", 1200, 800)
	p := d.paneOf("kaleidoscope")
	d.app.model.Focus = p.ID
	saved := func() []byte {
		t.Helper()
		d.asks = nil
		d.key("P", 0)
		d.key("Enter", 0)
		if len(d.asks) != 1 || d.asks[0].Do != outbox.SaveFile || d.asks[0].Name != "pascal-kaleidoscope.svg" {
			t.Fatalf("the requests are %+v, want one file", d.asks)
		}
		return d.asks[0].Data
	}
	before, seen := saved(), d.picture()
	if !bytes.HasPrefix(before, []byte("<svg")) || !bytes.Contains(before, []byte("Kaleidoscope by PE")) {
		t.Fatalf("the picture lacks a part; it begins with\n%.300s", before)
	}
	d.app.actions.Apply(view.Action{Do: view.Annotate, Name: "pascal", Task: 1, Value: "where it begins"})
	d.settle()
	after := saved()
	if bytes.Contains(before, []byte("where it begins")) || !bytes.Contains(after, []byte("where it begins")) {
		t.Error("the picture does not show the note")
	}
	d.app.actions.Apply(view.Action{Do: view.Unannotate, Name: "pascal", Task: 1})
	d.settle()
	if now := d.picture(); !bytes.Equal(now.Pix, seen.Pix) {
		t.Error("saving a picture has changed the window")
	}
}
