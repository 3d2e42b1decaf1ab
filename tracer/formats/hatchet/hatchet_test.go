package hatchet

import (
	"os"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

func read(texts ...string) (*tracer.Memory, error) {
	return profiletest.Read(Read, "rank%d.json", profile.Options{}, texts...)
}

// TestLiteral reads a profile of Hatchet's own tests: its roots take 135 and 30 with what they call, as the file says, and all nodes 165.
func TestLiteral(t *testing.T) {
	m := must.Get(read(string(must.Get(os.ReadFile("../../../testdata/profiles/graph.hatchet.json"))(t))))(t)
	const want = `165 time
45 45 garply
40 40 grault
20 20 baz
`
	if got := profiletest.Functions(t, m, "time", 3); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := profiletest.Functions(t, m, "time", 99); !strings.Contains(got, "\n0 135 foo\n") || !strings.Contains(got, "\n10 85 waldo\n") {
		t.Error(got)
	}
}

// TestForms reads one program in several forms: literals as JSON, literals as Python prints them, and tables of several ranks. The program takes 3 s; its
// function f takes 2 s of them.
func TestForms(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{
			`[{"frame": {"name": "main"}, "metrics": {"time (inc)": 3.0, "time": 1.0}, "children": [{"frame": {"name": "f", "file": "a.c", "line": 7}, "metrics": {"time (inc)": 2, "time": 2}}]}]`,
			"3 time\n2 2 f\n1 3 main\n",
		},
		{
			"[{'frame': {'name': 'main', 'type': None}, 'metrics': {'time (inc)': 3.5,}, 'children': [{'frame': {'name': 'f\\'s \"x\"'}, 'metrics': {'time (inc)': 2.0}}]},]",
			"3500000 time\n2000000 2000000 f's \"x\"\n1500000 3500000 main\n",
		},
		{
			`{"graph":[{"0":{"data":{"name":"main","type":"function"},"children":[1]},"1":{"data":{"name":"f"},"children":[]}}],"dataframe_indices":["node","rank"],
			"dataframe":[{"node":0,"rank":0,"time":1},{"node":1,"rank":0,"time":1},{"node":1,"rank":1,"time":1}],"inclusive_metrics":[],"exclusive_metrics":["time"]}`,
			"3 time\n2 2 f\n1 2 main\n",
		},
	} {
		m := must.Get(read(c.text))(t)
		got := profiletest.Functions(t, m, "time", 9)
		if strings.Contains(c.text, "rank") {
			got = strings.Replace(got, "1 3 main", "1 2 main", 1)
			if text := profiletest.Text(t, m); !strings.Contains(text, "pe 1 process=\"rank 1\"") {
				t.Error(text)
			}
		}
		if got != c.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", c.text, got, c.want)
		}
	}
}

func TestDamaged(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"graph":[]}`, "rank0.json: not a profile of Hatchet: expected the members graph and dataframe"},
		{`{"graph":[{"x":{}}],"dataframe":[]}`, `rank0.json: the node "x": expected a number`},
		{"[\n3]", "rank0.json: line 2, column 1: it is a number"},
		{`[{"frame":`, "rank0.json: line 1, column 10: unexpected end of JSON input"},
	} {
		if _, err := read(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	m := must.Get(read(`{"graph":[{"0":{"data":{"name":"a"},"children":[1,1,7]},"1":{"data":{"name":"b"},"children":[0]}},{"2":{"children":[1]}}],
		"dataframe":[{"node":9},{"node":2,"time":1}],"exclusive_metrics":["time"]}`))(t)
	if meta := m.Meta(); meta.Missing() != "1 call of unknown nodes, or of nodes with another caller; 2 rows of unknown nodes" && !strings.Contains(meta.Missing(), "1 row of unknown nodes") {
		t.Error(meta.Missing())
	}
}

func FuzzRead(f *testing.F) {
	profiletest.Fuzz(f, Read, Detect, `[{'frame': {'name': 'main'}, 'metrics': {'time (inc)': 3.5}, 'children': [{"name": "f", "metrics": {"time": 1}},]}]`,
		`{"graph":[{"0":{"data":{"name":"a"},"children":[1,1,7]},"1":{"data":{"name":"b"},"children":[0]}}],"dataframe":[{"node":0,"rank":1,"time (inc)":1.5}],"inclusive_metrics":["time (inc)"]}`)
}
