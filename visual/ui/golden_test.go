package ui

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"whorl/visual/edit"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares the display lists of the gallery with golden files.
func TestGolden(t *testing.T) {
	for name, act := range map[string]func(u *user, g *gallery){
		"rest":  func(*user, *gallery) {},
		"menu":  func(u *user, _ *gallery) { u.click("bar/view"); u.keys("ArrowDown") },
		"focus": func(u *user, _ *gallery) { u.st.Focus(Name("again")) },
		"typing": func(u *user, g *gallery) {
			u.click("source")
			u.typed("X")
			g.doc.Select(edit.Pos{Line: 1, Col: 2}, edit.Pos{Line: 3})
		},
		"dialog": func(u *user, g *gallery) { g.dialog = true },
		"tip": func(u *user, _ *gallery) {
			u.move(u.mid("bar/step"))
			u.wait(time.Second)
		},
		"messages": func(u *user, _ *gallery) {
			u.st.Notify(Success, "Saved.")
			u.st.Notify(Failure, "The disk is full: nothing was written. Choose another folder, or remove what you do not need any more.")
		},
	} {
		t.Run(name, func(t *testing.T) {
			u, g := newGalleryUser(t, name == "menu" || name == "focus", 1.5)
			act(u, g)
			u.run()
			var got bytes.Buffer
			list := &u.base
			if u.over.Len() > 0 { // another file has the base
				list = &u.over
			}
			if err := list.Dump(&got); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+".scene")
			if *update {
				if err := os.WriteFile(file, got.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
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
