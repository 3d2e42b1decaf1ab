package network_test

import (
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/network"
)

// TestEdits changes a network step by step. Each step keeps the network before it, and the result has no faults.
func TestEdits(t *testing.T) {
	c := catalog()
	n := c.Default("timeline", map[string]string{"order": "x", "background": "dark"})
	if err := c.Check(n); err != nil {
		t.Fatal(err)
	}
	first := n.Write()
	added, name, err := c.Add(n, "time", "picture")
	if err != nil || name != "time" || n.Write() != first {
		t.Fatal(name, err)
	}
	if err := c.Check(added); err != nil {
		t.Error(err)
	}
	again, name, err := c.Add(added, "time", "picture")
	if err != nil || name != "time2" {
		t.Fatal(name, err)
	}
	if u := again.Uses[again.Use("time2")]; !slices.Equal(u.Links["trace"], []string{"time"}) {
		t.Errorf("the second filter reads %v", u.Links)
	}
	set, err := c.Set(again, "time", "from", "10%")
	if err != nil || !strings.Contains(set.Write(), `from = "10%"`) {
		t.Error(err)
	}
	grouped, err := c.Group(set, "both", []string{"time", "time2"}, []network.GroupParam{{Use: "time", Param: "from"}, {Use: "time2", Param: "from"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(grouped); err != nil {
		t.Errorf("%v in\n%s", err, grouped.Write())
	}
	if names := []string{grouped.Uses[0].Name, grouped.Uses[1].Name, grouped.Uses[2].Name}; !slices.Equal(names, []string{"trace", "picture", "both"}) {
		t.Error(names)
	}
	if m := c.ModuleOf(grouped, network.Use{Module: "both"}); len(m.Params) != 2 || m.Params[0].Name != "from" || m.Params[1].Name != "time2-from" || m.Params[0].Default != "10%" {
		t.Errorf("the parameters of the group are %+v", m.Params)
	}
	later, err := c.Set(grouped, "both", "from", "40%")
	if err != nil || !strings.Contains(later.Write(), "[modules.both]\nmodule = \"both\"\nfrom = \"40%\"") {
		t.Errorf("%v in\n%s", err, later.Write())
	}
	if _, err := c.Set(grouped, "both", "from", "soon"); err == nil || !strings.Contains(err.Error(), `"soon": expected a time`) {
		t.Errorf("a wrong value of the parameter of a group: %v", err)
	}
	without := c.Remove(set, "time")
	if err := c.Check(without); err != nil {
		t.Errorf("%v in\n%s", err, without.Write())
	}
	if c.Display(without) != "picture" || len(without.Needed("time2").Uses) != 2 {
		t.Errorf("the display is %q", c.Display(without))
	}
	cut := set.Disconnect("time", "trace")
	if err := c.Check(cut); err == nil || !strings.Contains(err.Error(), `the input trace of "time" is missing`) {
		t.Error(err)
	}
}

func TestWrongEdits(t *testing.T) {
	c := catalog()
	n, _, err := c.Add(c.Default("timeline", nil), "time", "picture")
	if err != nil {
		t.Fatal(err)
	}
	if n, _, err = c.Add(n, "lines", ""); err != nil {
		t.Fatal(err)
	}
	if n, err = c.Connect(n, "trace", "lines", "trace"); err != nil {
		t.Fatal(err)
	}
	connect := func(from, to, port string) error { _, err := c.Connect(n, from, to, port); return err }
	set := func(use, param, value string) error { _, err := c.Set(n, use, param, value); return err }
	group := func(name string, members ...string) error { _, err := c.Group(n, name, members, nil); return err }
	_, _, unknown := c.Add(n, "tme", "")
	for _, step := range []struct {
		err  error
		want string
	}{
		{unknown, `unknown module "tme"; did you mean time?`},
		{connect("lines", "picture", "trace"), `"lines" gives a matrix, the input trace of "picture" expects a trace`},
		{connect("picture", "lines", "trace"), `"picture" gives a picture, the input trace of "lines" expects a trace`},
		{connect("time", "time", "trace"), `the modules time, time would form a cycle`},
		{connect("trace", "picture", "trce"), `did you mean trace?`},
		{set("time", "from", "soon"), `from: "soon": expected a time`},
		{set("time", "form", "1ms"), `did you mean from?`},
		{group("time", "time"), `expected a name that no module and no group has`},
		{group("none"), `the group "none" has no modules`},
		{group("some", "trace", "time"), `"time" and "trace" are read outside the group`},
	} {
		if step.err == nil || !strings.Contains(step.err.Error(), step.want) {
			t.Errorf("%v\nexpected %s", step.err, step.want)
		}
	}
}

func TestLayers(t *testing.T) {
	layer, row, pass := network.Layers([][]int{{}, {0}, {0}, {1, 2}, {3, 0}})
	if !slices.Equal(layer, []int{0, 1, 1, 2, 3}) || row[1] == row[2] {
		t.Error(layer, row)
	}
	// The link from 0 to 4 passes two layers, each in a row without a node.
	if len(pass[0]) != 2 || pass[0][0] == row[1] || pass[0][0] == row[2] || pass[0][1] == row[3] || len(slices.Concat(pass[1:]...)) > 0 {
		t.Error(row, pass)
	}
	if layer, _, pass := network.Layers([][]int{{1}, {0}}); len(layer) != 2 || len(pass) != 2 { // a cycle ends
		t.Error(layer, pass)
	}
}

func TestDescribe(t *testing.T) {
	type part struct{ numbers []int64 }
	shared := &part{make([]int64, 1000)}
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, ""},
		{tracer.NewMemory(), "0 events"},
		{&network.Table{Columns: []network.Column{{Name: "a", Numbers: []float64{1, 2}}}}, "2 rows, 1 column"},
		{&network.Matrix{Rows: network.Numbered("row", 3), Cols: network.PEs(4)}, "3 × 4"},
		{shared, "7 KiB"},
		{[]*part{shared, shared}, "7 KiB"},
		{"abc", "3 bytes"},
	} {
		if got := network.Describe(c.value); got != c.want {
			t.Errorf("%T: %q, expected %q", c.value, got, c.want)
		}
	}
}
