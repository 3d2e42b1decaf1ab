package widget

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/visual/edit"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares the display lists of the gallery with golden files.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name string
		act  func(u *usertest.User, g *gallery)
	}{
		{"rest", func(*usertest.User, *gallery) {}},
		{"menu", func(u *usertest.User, _ *gallery) { u.ClickOn("bar/view"); u.Keys("ArrowDown") }},
		{"focus", func(u *usertest.User, _ *gallery) { u.Widgets.Focus(usertest.Name("again")) }},
		{"typing", func(u *usertest.User, g *gallery) {
			u.ClickOn("source")
			u.Type("X")
			g.doc.Select(edit.Pos{Line: 1, Col: 2}, edit.Pos{Line: 3})
		}},
		{"dialog", func(u *usertest.User, g *gallery) { g.dialog = true }},
		{"tip", func(u *usertest.User, _ *gallery) {
			u.Move(u.Mid("bar/step"))
			u.Wait(time.Second)
		}},
		{"messages", func(u *usertest.User, _ *gallery) {
			u.Widgets.Notify(ui.Success, "", "Saved.")
			u.Widgets.Notify(ui.Failure, "", "The disk is full: nothing was written. Choose another folder, or remove what you do not need any more.")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, g := newGalleryUser(t, c.name == "menu" || c.name == "focus", 1.5)
			c.act(u, g)
			u.Run()
			var got bytes.Buffer
			list := &u.Base
			if u.Over.Len() > 0 { // another file has the base
				list = &u.Over
			}
			must.Do(t, list.Dump(&got))
			file := filepath.Join("testdata", c.name+".scene")
			if *update {
				must.Do(t, os.WriteFile(file, got.Bytes(), 0o666))
			}
			want := must.Get(os.ReadFile(file))(t)
			a, b := bytes.Split(got.Bytes(), []byte("\n")), bytes.Split(want, []byte("\n"))
			for i := range min(len(a), len(b)) {
				if !bytes.Equal(a[i], b[i]) {
					t.Fatalf("%s, line %d (go test -update rewrites the file):\n%s\nwant\n%s", file, i+1, a[i], b[i])
				}
			}
			if len(a) != len(b) {
				t.Fatalf("%s: %d lines, want %d", file, len(a), len(b))
			}
		})
	}
}
