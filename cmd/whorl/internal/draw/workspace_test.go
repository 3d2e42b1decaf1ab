package draw_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/cmd/whorl/internal/cli"
	"whorl/testdata/must"
)

// TestRenderWorkspace draws a workspace with a trace from a file and a run that is made again: each pane has its title, and the table has the numbers of
// both. A missing file and flags for single traces are reported.
func TestRenderWorkspace(t *testing.T) {
	dir := t.TempDir()
	render := func(args ...string) (status int, wrong string) {
		var out, err strings.Builder
		status = cli.Main(args, strings.NewReader(""), &out, &err)
		return status, err.String()
	}
	trace, svg := filepath.Join(dir, "one.whorl"), filepath.Join(dir, "all.svg")
	if status, wrong := render("run", "pascal", "12", "--pes", "1", "-o", trace); status != 0 {
		t.Fatal(wrong)
	}
	text := `version = 1
[[trace]]
name = "one"
path = "one.whorl"
compared = 1
[[trace]]
name = "two"
compared = 1
run = {program = "fghc/pascal", args = ["12"], pes = 2, policy = "steal", machine = "symmetry", seed = 1}
[[pane]]
view = "kaleidoscope"
trace = "one"
[[pane]]
view = "timeline"
trace = "two"
[[pane]]
view = "comparison"
trace = "one"
[layout]
split = "columns"
share = 0.5
a = {split = "rows", share = 0.5, a = {panes = [1]}, b = {panes = [2]}}
b = {panes = [3]}
`
	path := filepath.Join(dir, "both.toml")
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	if status, wrong := render("render", path, "--size", "1400x900", "--background", "dark", "-o", svg); status != 0 {
		t.Fatal(wrong)
	}
	drawn := string(must.Get(os.ReadFile(svg))(t))
	for _, want := range []string{">Kaleidoscope · one<", ">Timeline · two<", ">Comparison<", ">speedup<", ">1.00<"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"--view timeline -o " + svg, "--view is for the picture of a trace"},
		{"--size 100x100 -o " + svg, "choose a larger picture or close panes"},
		{"", "render needs a file to write"},
	} {
		if status, wrong := render(append([]string{"render", path}, strings.Fields(c.args)...)...); status != 2 || !strings.Contains(wrong, c.want) {
			t.Errorf("%s: status %d, %s", c.args, status, wrong)
		}
	}
	strange := filepath.Join(dir, "strange.toml")
	must.Do(t, os.WriteFile(strange, []byte(strings.NewReplacer("version = 1", "version = 9", `trace = "two"`, "trace = 2", "share = 0.5\na", "depth = 3\na").Replace(text)), 0o600))
	if status, wrong := render("render", strange, "--size", "1400x900", "-o", svg); status != 0 || !strings.Contains(wrong, "strange.toml: Written by a later version (9). ") || !strings.Contains(wrong, "pane.trace") {
		t.Errorf("a later version with a wrong type: status %d, %s", status, wrong)
	}
	must.Do(t, os.Remove(trace))
	if status, wrong := render("render", path, "-o", svg); status != 2 || !strings.Contains(wrong, "both.toml: Kaleidoscope · one: the file of the trace one was not found") {
		t.Errorf("without the trace: status %d, %s", status, wrong)
	}
	must.Do(t, os.WriteFile(strange, []byte(strings.Replace(text, `"kaleidoscope"`, `"kaleidoscop"`, 1)), 0o600))
	if status, wrong := render("render", strange, "-o", svg); status != 2 || !strings.Contains(wrong, "was not found, and: ") || !strings.Contains(wrong, "did you mean kaleidoscope") {
		t.Errorf("without the trace and the view: status %d, %s", status, wrong)
	}
}
