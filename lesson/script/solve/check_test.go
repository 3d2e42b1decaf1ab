package solve_test

import (
	"context"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"whorl/lesson/script/solve"
	"whorl/lessons"
	"whorl/testdata/must"
	"whorl/visual/view"
	"whorl/visual/views"
)

// small is a lesson that is right.
const small = `+++
title = "Small"
minutes = 5
summary = "A lesson for tests."

[[parameter]]
name = "pes"
default = 4
min = 1
max = 8

[[set]]
name = "Two PEs"
pes = 2

[[run]]
name = "a"
program = "fghc/fibonacci"
args = ["8"]
pes = "{pes}"

[[run]]
name = "b"
program = "fghc/fibonacci"
args = ["8"]
pes = "{pes}"
policy = "round-robin"

[[series]]
name = "speed"
run = "a"
over = "pes"
at = [1, 2, 4]
y = "first.elapsed / each.elapsed"

[[value]]
name = "longest"
run = "a"
of = "tasks"
max = "time"
where = "procedure = fib"
+++

# Text

It takes {{ a.elapsed }} on {{ pes }} PEs.

~~~picture
run = "a"
view = "timeline"
alt = "lines"
~~~

~~~predict
id = "curve"
kind = "curve"
ask = "Draw."
series = "speed"
~~~

~~~reveal
after = "curve"
text = "So it is."
[[picture]]
series = "speed"
alt = "a curve"
~~~

~~~question
id = "work"
kind = "number"
ask = "How much work?"
answer = "a.work"
[[near]]
answer = "a.elapsed"
why = "That is the time."
~~~

~~~question
id = "choice"
kind = "choice"
ask = "Which?"
[[choice]]
text = "a"
when = "a.elapsed <= b.elapsed"
why = "It takes {{ a.elapsed }}."
[[choice]]
text = "b"
when = "a.elapsed > b.elapsed"
why = "It takes {{ b.elapsed }}."
~~~

~~~task
id = "do"
do = "Select it."
run = "a"
select = "time = {longest}"
is = "the longest goal"
view = "timeline"
~~~
`

// panes is the workspace of a lesson.
const panes = `[[workspace.pane]]
view = "timeline"
trace = "a"
[[workspace.pane]]
view = "utilisation"
trace = "b"
[workspace.layout]
split = "columns"
share = 0.5
a = { panes = [1], shown = 1 }
b = { panes = [2], shown = 2 }
`

// TestCheck breaks a lesson in one place after the other and expects an error there.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ name, old, new, place, want string }{
		{"right", "", "", "", ""},
		{"no front", "+++\ntitle", "title", "1:1", "begins with its settings"},
		{"no title", `title = "Small"`, "", "1:1", "no title"},
		{"key", "minutes = 5", "minutes = 5\nminuts = 5", "4:1", "did you mean minutes?"},
		{"toml", "minutes = 5", "minutes = ", "3:", "expected value"},
		{"setting of a run", `policy = "round-robin"`, `polcy = "round-robin"`, "", "did you mean policy?"},
		{"policy", `policy = "round-robin"`, `policy = "round-robbin"`, "", "did you mean round-robin?"},
		{"program", "fghc/fibonacci", "fghc/fibonaci", "", "did you mean fghc/fibonacci?"},
		{"path", "fghc/fibonacci", "../../secret.fghc", "", "outside its folder"},
		{"absolute path", "fghc/fibonacci", "/etc/secret.fghc", "", "outside its folder"},
		{"machine file", `policy = "round-robin"`, `machine = "/etc/hosts.toml"`, "", "outside its folder"},
		{"live", `policy = "round-robin"`, `mode = "live"`, "", "simulated"},
		{"program of a folder", "fghc/fibonacci", "other.fghc", "", "no such file in the folder"},
		{"run of a value", `run = "a"
of`, `run = "c"
of`, "", "unknown run"},
		{"where", "procedure = fib", "procedure = fob", "41:", "did you mean fib"},
		{"expression", "{{ a.elapsed }} on", "{{ a.elapst }} on", "46:13", "did you mean a.elapsed"},
		{"dimension", "{{ a.elapsed }} on", "{{ a.elapsed + pes }} on", "46:23", "cannot be combined"},
		{"expression in code", "{{ pes }} PEs", "`{{ pes }}` PEs", "46:1", "not computed"},
		{"open braces", "{{ pes }}", "{{ pes", "46:1", "has no }}"},
		{"view", `view = "timeline"
alt`, `view = "timelin"
alt`, "50:8", "did you mean timeline?"},
		{"view of another trace", `view = "timeline"
alt`, `view = "sweep"
alt`, "50:8", "cannot be drawn"},
		{"no alt", `alt = "lines"`, "", "49:1", "has no alt"},
		{"series", `series = "speed"
~~~`, `series = "sped"
~~~`, "58:10", "did you mean speed?"},
		{"after", `after = "curve"`, `after = "curse"`, "62:10", "no prediction"},
		{"no answer", `answer = "a.work"`, "", "70:1", "has no answer"},
		{"near equals", `answer = "a.elapsed"`, `answer = "a.work + 0"`, "75:11", "equals the answer"},
		{"near of another measure", `answer = "a.elapsed"`, `answer = "pes"`, "", "another measure"},
		{"two right", `when = "a.elapsed > b.elapsed"`, `when = "a.elapsed > 0"`, "", "2 of the choices"},
		{"id", `id = "do"`, `id = "work"`, "", "is taken"},
		{"select", "time = {longest}", "tim = {longest}", "97:11", "did you mean time?"},
		{"nothing selected", "time = {longest}", "time > 5s", "97:", "nothing in the trace"},
		{"link", "# Text", "[text](https://example.com)", "44:1", "names no address"},
		{"picture of a file", "# Text", "![text](a.png)", "44:", "names no address"},
		{"html", "# Text", "<script>alert(1)</script>", "44:1", "no HTML"},
		{"key of a block", `id = "do"`, `id = "do"` + "\nanswer = \"1\"", "95:1", "unknown key of task"},
		{"workspace", "[[set]]", panes + "\n[[set]]", "", ""},
		{"view of a pane", "[[set]]", strings.Replace(panes, "timeline", "timelin", 1) + "\n[[set]]", "13:8", "did you mean timeline?"},
		{"run of a pane", "[[set]]", strings.Replace(panes, `trace = "a"`, `trace = "c"`, 1) + "\n[[set]]", "", "does not list: c"},
		{"key of a pane", "[[set]]", strings.Replace(panes, "view", "vieww", 1) + "\n[[set]]", "", "workspace: "},
		{"default workspace", "[[parameter]]", "workspace = \"balanc\"\n[[parameter]]", "6:13", "did you mean balance?"},
		{"many values", "at = [1, 2, 4]", "at = [" + strings.Repeat("1, ", 70) + "]", "", "70 values"},
		{"set", "pes = 2", "pes = 20", "", "from 1 to 8"},
		{"unknown parameter of a set", "pes = 2", "pe = 2", "", "did you mean pes?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(small, c.old, c.new, 1)
			if c.old == "fghc/fibonacci" {
				text = strings.ReplaceAll(small, c.old, c.new)
				if strings.HasSuffix(c.new, ".fghc") {
					text = strings.ReplaceAll(text, "args = [\"8\"]\n", "")
				}
			}
			list, err := solve.Check(context.Background(), fstest.MapFS{"lesson.md": {Data: []byte(text)}}, "x", "lesson.md")
			must.Do(t, err)
			got := ""
			if len(list) > 0 {
				got = list[0].Error()
			}
			if c.want == "" && got != "" || !strings.Contains(got, c.want) || c.want != "" && !strings.HasPrefix(got, "x/lesson.md:"+c.place) {
				t.Errorf("got %s\nwant %s at %s", got, c.want, c.place)
			}
		})
	}
}

// TestTranslation compares translations with the lesson.
func TestTranslation(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"right", "Draw.", "Zeichne.", ""},
		{"missing", "~~~question\nid = \"work\"", "~~~question\nid = \"werk\"", "the question work is missing"},
		{"answer", `answer = "a.work"`, `answer = "b.work"`, "what work checks differs"},
		{"runs", "pes = \"{pes}\"", "pes = 4", "the runs, parameters, series or values differ"},
		{"picture", `view = "timeline"
alt`, `view = "kaleidoscope"
alt`, "picture 1 is not the one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{"lesson.md": {Data: []byte(small)}, "lesson.de.md": {Data: []byte(strings.Replace(small, c.old, c.new, 1))}}
			list, err := solve.Check(context.Background(), files, "x", "lesson.de.md")
			must.Do(t, err)
			if got := list.Error(); c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestTitlesOfViews checks that lessons call views and tabs what the window calls them.
func TestTitlesOfViews(t *testing.T) {
	for _, name := range lessons.Names {
		text := string(must.Get(fs.ReadFile(must.Get(lessons.Folder(name))(t), "lesson.md"))(t))
		for _, m := range regexp.MustCompile(`(?:view|tab) \*([^*]+)\*`).FindAllStringSubmatch(text, -1) {
			if !slices.ContainsFunc(views.All, func(k *view.Kind) bool { return strings.EqualFold(k.Title, m[1]) }) {
				t.Errorf("%s: no view has the title %q", name, m[1])
			}
		}
	}
}
