package gallery

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/sheet"
)

// TestDraw runs the commands of all figures and compares the pictures with those in the folder, or replaces these.
func TestDraw(t *testing.T) {
	if !*update && !testenv.Soak() {
		t.Skip("draws with -update, or with the large sizes")
	}
	s := &studio{dir: t.TempDir(), done: map[string]bool{}}
	s.whorl = filepath.Join(s.dir, "whorl")
	build := exec.Command("go", "build", "-o", s.whorl, "./cmd/whorl")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	named := map[string]bool{}
	for _, p := range papers {
		for i := range p.figures {
			for _, n := range p.figures[i].panels {
				named[n.name] = true
				got := s.picture(t, n)
				file := filepath.Join(root, folder, n.name)
				if *update {
					must.Do(t, os.WriteFile(file, got, 0o644))
				} else if want := must.Get(os.ReadFile(file))(t); !bytes.Equal(got, want) {
					t.Errorf("%s/%s is out of date: make figures", folder, n.name)
				}
			}
		}
	}
	for _, e := range must.Get(os.ReadDir(filepath.Join(root, folder)))(t) {
		if *update && pictures.MatchString(e.Name()) && !named[e.Name()] {
			must.Do(t, os.Remove(filepath.Join(root, folder, e.Name())))
		}
	}
}

// A studio runs the commands of figures, each once.
type studio struct {
	dir   string // with the traces and the pictures
	whorl string // the command
	done  map[string]bool
}

// picture returns the picture of a panel.
func (s *studio) picture(t *testing.T, n panel) []byte {
	t.Helper()
	for _, c := range n.commands {
		if s.done[c] {
			continue
		}
		s.done[c] = true
		args := words(c)[1:]
		for i, w := range args {
			if name, ok := strings.CutPrefix(w, "out/"); ok {
				args[i] = s.file(name)
			} else if name, ok := strings.CutPrefix(w, folder+"/"); ok && args[i-1] == "-o" {
				args[i] = s.file(name)
			}
		}
		cmd := exec.Command(s.whorl, args...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", c, err, out)
		}
	}
	if n.draw != nil {
		return encode(t, n.name, n.draw(t, s))
	}
	return must.Get(os.ReadFile(s.file(n.name)))(t)
}

// file returns the path of a trace or a picture.
func (s *studio) file(name string) string { return filepath.Join(s.dir, name) }

// encode returns a display list in the format of a file.
func encode(t *testing.T, name string, list *scene.List) []byte {
	t.Helper()
	var b bytes.Buffer
	s := must.Get(sheet.Parse(fmt.Sprintf("%.0fx%.0f", list.W, list.H), ""))(t)
	must.Do(t, s.Encode(&b, filepath.Ext(name), "", list, glyph.New()))
	return b.Bytes()
}
