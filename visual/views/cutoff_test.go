package views

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
)

// TestWarnsOfCutOffRuns checks in each view that pictures of incomplete runs and files have a warning, and those of complete runs have none.
func TestWarnsOfCutOffRuns(t *testing.T) {
	run := func(program string, limit int64) *tracer.Memory {
		r := experiment.Defaults(program)
		r.Args, r.Limits.Reductions = []string{"200"}, limit
		p, err := r.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		trace := tracer.NewMemory()
		if _, err := p.Run(context.Background(), trace, nil); err != nil {
			t.Fatal(err)
		}
		return trace
	}
	whole := run("dts/quicksort", 0)
	path := filepath.Join(t.TempDir(), "a.whorl")
	if err := open.Export(new(files.Writer), whole, path, "whorl"); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, b[:len(b)-9], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cut, err := open.File(path)
	if err != nil {
		t.Fatal(err)
	}
	defer cut.Close()
	for _, c := range []struct {
		name string
		src  tracer.Source
		want string
	}{
		{"whole threads", whole, ""},
		{"whole goals", run("fghc/qsort", 0), ""},
		{"threads", run("dts/quicksort", 5), "Stopped by a limit:"},
		{"goals", run("fghc/qsort", 50), "Stopped by a limit:"},
		{"file", cut, "Incomplete: the trace was not closed"},
	} {
		for _, k := range All {
			if k.CanOpen(c.src) != nil {
				continue
			}
			list, err := drawtest.Render(context.Background(), k, c.src, nil, 800, 500, glyph.New())
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for i := range list.Len() {
				if o := list.Op(i); o.Kind == scene.OpText {
					_, _, s, _ := o.Text()
					all = append(all, string(s))
				}
			}
			text := strings.Join(all, " ")
			if !strings.Contains(text, c.want) {
				t.Errorf("%s in %s: no warning %q in %s", c.name, k.Name, c.want, text)
			}
			if c.want == "" && (strings.Contains(text, "Stopped") || strings.Contains(text, "Incomplete")) {
				t.Errorf("%s in %s: unexpected warning in %s", c.name, k.Name, text)
			}
		}
	}
}
