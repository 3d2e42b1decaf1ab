package network_test

import (
	"strings"
	"testing"

	"whorl/visual/network"
	"whorl/visual/network/modules"
	"whorl/visual/views"
)

func catalog() network.Catalog { return modules.Catalog(views.All) }

const half = `title = "Half \"of\" a run"

[modules.run]
module = "trace"

[modules.half]
module = "time"
from = "50%"
trace = "run"

[modules.both]
module = "merge"
traces = ["run", "half"]

[modules.picture]
module = "timeline"
trace = "both"
`

const parameters = `[modules.run]
module = "trace"

[modules.first]
module = "outer"
input = "run"

[modules.second]
module = "outer"
begin = "25%"
input = "run"

[modules.both]
module = "merge"
traces = ["first", "second"]

[modules.picture]
module = "timeline"
trace = "both"

[groups.inner]
output = "half"

[groups.inner.inputs]
input = "trace"

[groups.inner.parameters]
from = "half.from"

[groups.inner.modules.half]
module = "time"
from = "50%"
trace = "in.input"

[groups.outer]
output = "late"

[groups.outer.inputs]
input = "trace"

[groups.outer.parameters]
begin = "late.from"

[groups.outer.modules.late]
module = "inner"
input = "in.input"
`

const grouped = `[modules.run]
module = "trace"

[modules.late]
module = "end"
input = "run"

[modules.picture]
module = "timeline"
trace = "late"

[groups.end]
doc = "the second half, of PE 0"
output = "one"

[groups.end.inputs]
input = "trace"

[groups.end.modules.half]
module = "time"
from = "50%"
trace = "in.input"

[groups.end.modules.one]
module = "pe"
trace = "half"
`

func TestWrite(t *testing.T) {
	for _, text := range []string{half, grouped, parameters} {
		n, err := catalog().Read("n.toml", text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := catalog().Read("n.toml", n.Write())
		if err != nil {
			t.Fatalf("%v in\n%s", err, n.Write())
		}
		if a, b := n.Write(), again.Write(); a != b {
			t.Errorf("written once\n%s\nand twice\n%s", a, b)
		}
		if len(n.Uses) != len(again.Uses) || n.Title != again.Title || len(n.Groups) != len(again.Groups) {
			t.Errorf("the network read back differs: %+v, %+v", n, again)
		}
	}
}

func TestWrong(t *testing.T) {
	replaced := func(text string, pairs ...string) string {
		out := strings.NewReplacer(pairs...).Replace(text)
		if out == text {
			t.Fatalf("nothing to replace: %q", pairs)
		}
		return out
	}
	for _, c := range []struct{ name, text, want string }{
		{"syntax", "[modules.run\n", "n.toml:2:1: "},
		{"key", "module = \"x\"\n", `n.toml:1:1: a network has the keys title, modules and groups, not "module"`},
		{"no module", "[modules.a]\nfrom = 1\n", `n.toml:1:1: the module "a" has no key module`},
		{"value", "[modules.a]\nmodule = \"trace\"\nfile = 1979-05-27\n", `n.toml:3:1: "file" has a value of another kind`},
		{"unknown module", replaced(half, `"timeline"`, `"timelime"`), `n.toml:16:1: unknown module "timelime"; did you mean timeline?`},
		{"unknown key", replaced(half, "from =", "form ="), `n.toml:8:1: unknown key of the module time "form"; did you mean from?`},
		{"value out of range", replaced(half, "50%", "150%"), `n.toml:8:1: from: "150%": expected a share from 0% to 100%`},
		{"unknown link", replaced(half, `trace = "both"`, `trace = "bth"`), `n.toml:17:1: unknown module of the network "bth"; did you mean both?`},
		{"type", replaced(half, `"merge"`, `"lines"`, `traces = ["run", "half"]`, `trace = "run"`), `n.toml:17:1: "both" gives a matrix, the input trace of "picture" expects a trace`},
		{"several", replaced(half, `trace = "both"`, `trace = ["run", "both"]`), `n.toml:17:1: the input trace of "picture" accepts one link, not 2`},
		{"missing", replaced(half, `trace = "both"`, ``), `n.toml:15:1: the input trace of "picture" is missing: it accepts a trace`},
		{"cycle", replaced(half, `["run", "half"]`, `["half"]`, `trace = "run"`, `trace = "both"`), `n.toml:6:1: the modules half, both, half form a cycle`},
		{"group without output", replaced(grouped, `output = "one"`, `output = "two"`), `n.toml:14:1: the group "end" has no output: unknown module in the group "two"`},
		{"group in itself", replaced(grouped, `module = "pe"`, `module = "end"`, `trace = "half"`, `input = "half"`), `n.toml:12:1: the group "end" contains itself: end, end`},
		{"type of a group's input", replaced(grouped, `input = "trace"`, `input = "matrix"`), `"run" gives a trace, the input input of "late" expects a matrix`},
		{"group named like a module", replaced(grouped, "groups.end", "groups.pe", `module = "end"`, `module = "pe"`), `the group "pe" has the name of a module`},
	} {
		_, err := catalog().Read("n.toml", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is\n%v\nexpected\n%s", c.name, err, c.want)
		}
	}
}

func TestCyclesOfGroups(t *testing.T) {
	text := "[groups.a]\noutput = \"x\"\n[groups.a.modules.x]\nmodule = \"b\"\n[groups.b]\noutput = \"y\"\n[groups.b.modules.y]\nmodule = \"a\"\n"
	_, err := catalog().Read("n.toml", text)
	if err == nil || !strings.Contains(err.Error(), `the group "a" contains itself: a, b, a`) {
		t.Error(err)
	}
}

// TestParameters: each use of a group sets its parameters, through groups inside groups, and has the values inside as defaults.
func TestParameters(t *testing.T) {
	b := &network.Builder{Catalog: catalog()}
	n, err := b.Catalog.Read("n.toml", parameters)
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Build(n)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"first/late/half", "50%"}, {"second/late/half", "25%"}} {
		if o := p.Output(c[0]); o == nil || o.Values.Text("from") != c[1] {
			t.Errorf("%s: %+v, want from %s", c[0], o, c[1])
		}
	}
	for _, c := range []struct{ from, to, want string }{
		{`"half.from"`, `"half.form"`, `unknown parameter of time "form"; did you mean from?`},
		{`"half.from"`, `"haf.from"`, `unknown module in the group "haf"; did you mean half?`},
		{`"half.from"`, `"from"`, `the parameter "from" of the group names no parameter of a module inside`},
		{"from = \"half.from\"", "input = \"half.from\"", `the parameter "input" has the name of an input`},
		{`begin = "25%"`, `begin = "250%"`, `from: "250%": expected a share`},
		{`begin = "25%"`, `begn = "25%"`, `unknown key of the module outer "begn"; did you mean begin?`},
		{`module = "inner"`, `module = "outer"`, `the group "outer" contains itself`},
	} {
		text := strings.Replace(parameters, c.from, c.to, 1)
		if _, err := b.Catalog.Read("n.toml", text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is\n%v\nexpected\n%s", c.to, err, c.want)
		}
	}
}

// TestShared checks that uses with the same module, parameters and inputs are one stage, also after an edit, and that others are not.
func TestShared(t *testing.T) {
	b := &network.Builder{Catalog: catalog()}
	stages := func(text string) map[string]any {
		n, err := b.Catalog.Read("n.toml", text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := b.Build(n)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]any{}
		for _, o := range p.Outputs {
			found[o.Use.Name] = o.Stage
		}
		return found
	}
	first := stages(grouped)
	edited := strings.Replace(grouped, `"timeline"`, `"utilisation"`, 1)
	edited += "\n[modules.half-again]\nmodule = \"time\"\nfrom = \"50%\"\ntrace = \"run\"\n\n[modules.other]\nmodule = \"time\"\nfrom = \"60%\"\ntrace = \"run\"\n"
	second := stages(edited)
	if first["late/half"] == nil || first["late/half"] != second["late/half"] {
		t.Error("the stage of a module changed with an edit elsewhere")
	}
	if second["half-again"] != second["late/half"] {
		t.Error("the same module in and outside a group has two stages")
	}
	if second["other"] == second["half-again"] {
		t.Error("modules with different parameters have one stage")
	}
}
