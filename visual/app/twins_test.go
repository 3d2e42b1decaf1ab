package app

import (
	"fmt"
	"slices"
	"testing"

	"whorl/tracer"
	"whorl/visual/app/panes"
	"whorl/visual/view"
)

// family returns the path of each task in the tree, directly from the events: the indices and names of the tasks on it.
func family(t *testing.T, src tracer.Source) (place map[uint64]string) {
	t.Helper()
	children := map[uint64][]uint64{}
	name := map[uint64]string{}
	codes := src.Dict().Codes()
	err := src.Scan(tracer.Kinds(tracer.Reduce), func(es []tracer.Event) error {
		for _, e := range es {
			children[e.Ref] = append(children[e.Ref], e.Task)
			name[e.Task] = codes[e.Code].Name
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	place = map[uint64]string{}
	var walk func(task uint64, path string)
	walk = func(task uint64, path string) {
		slices.Sort(children[task])
		for i, c := range children[task] {
			place[c] = fmt.Sprintf("%s.%d %s", path, i, name[c])
			walk(c, place[c])
		}
	}
	walk(0, "")
	return place
}

// lights returns the paths of the tasks that a kaleidoscope lights.
func (d *driver) lights(p *panes.Pane, place map[uint64]string, s view.Selection) (all []string) {
	for _, r := range d.locate(p, s) {
		h, _ := view.Hit(p.Picture(), d.app.cameras.Frame(p), (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
		for _, t := range h.Tasks {
			all = append(all, place[t.First])
		}
	}
	return all
}

// TestTwins clicks nodes of one run and finds the same ones lit in the other, though their numbers differ.
func TestTwins(t *testing.T) {
	d := together(t, 1600, 900, "on-demand", "random")
	a, b := d.pane("kaleidoscope", "on-demand"), d.pane("kaleidoscope", "random")
	first, second := family(t, d.app.model.Docs.Get("on-demand").Source), family(t, d.app.model.Docs.Get("random").Source)
	at := d.locate(a, view.Selection{Trace: a.Trace, Tasks: []view.Tasks{{First: 1, Last: 1 << 40}}})
	moved, lists := 0, d.over(b).Revision
	for i := 0; i < len(at); i += len(at) / 12 {
		x, y := d.middle(at[i])
		d.in.Now += 1e9
		d.click(x, y)
		s := d.app.model.State.Shared.Selection
		if len(s.Tasks) != 1 {
			t.Fatalf("a click on node %d selects %+v", i, s)
		}
		twin := d.app.links.Translated(b).Shared.Selection
		if len(twin.Tasks) != 1 || twin.Trace != "random" || second[twin.Tasks[0].First] != first[s.Tasks[0].First] {
			t.Errorf("task %d, %s, has the twins %+v", s.Tasks[0].First, first[s.Tasks[0].First], twin)
		} else if twin.Tasks[0].First != s.Tasks[0].First {
			moved++
		}
		if h := d.app.links.Translated(b).Personal.Hover; !h.Equal(twin) {
			t.Errorf("the twin of the selection is %+v, and that of the hovered task %+v", twin, h)
		}
		if got, want := d.lights(b, second, twin), d.lights(a, first, s); len(got) == 0 || !slices.Contains(got, want[0]) {
			t.Errorf("the first run lights %q, and the other %q", want, got)
		}
		if d.over(b).Revision == lists {
			t.Error("the picture of the other run was not drawn again")
		}
		lists = d.over(b).Revision
	}
	if moved < 5 {
		t.Errorf("only %d tasks have another number in the other run; the test needs more", moved)
	}
	// All tasks of a large selection have their twins, one by one as well as in ranges.
	var many []view.Tasks
	for task := range first {
		many = append(many, view.Tasks{First: task})
	}
	for _, tasks := range [][]view.Tasks{many, {{First: 1, Last: 1 << 40}}} {
		d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: a.Trace, Tasks: tasks}})
		var got, all []string
		for range 2 { // computed, and remembered
			got = nil
			for _, t := range d.app.links.Translated(b).Shared.Selection.Tasks {
				got = append(got, second[t.First])
			}
		}
		for _, place := range first {
			all = append(all, place)
		}
		slices.Sort(got)
		slices.Sort(all)
		if !slices.Equal(got, all) {
			t.Errorf("of %d tasks %d have twins", len(all), len(got))
		}
	}
	// Both enter the same subtree.
	d.doubleClick(d.middle(at[len(at)/2]))
	v, w := d.app.model.Pane(a.ID).Root(), d.app.model.Pane(b.ID).Root()
	if v == 0 || second[w] != first[v] {
		t.Errorf("the first run enters %s, and the other %s", first[v], second[w])
	}
	d.key("Backspace", 0)
	if v, w := d.app.model.Pane(a.ID).Root(), d.app.model.Pane(b.ID).Root(); v != 0 || w != 0 {
		t.Errorf("the key Backspace leads to the subtrees of %d and %d", v, w)
	}
}

// TestTwinsOfOtherPrograms: runs of different programs light nothing in each other.
func TestTwinsOfOtherPrograms(t *testing.T) {
	d := drive(t, Options{}, 1600, 900, 1)
	for _, program := range []string{"pascal", "qsort"} {
		d.app.OpenFile(traceFile(t, program+".whorl", run(t, program, 4, "")))
	}
	d.settle()
	a := d.pane("kaleidoscope", "pascal")
	at := d.locate(a, view.Selection{Trace: a.Trace, Tasks: []view.Tasks{{First: 5}}})
	d.click(d.middle(at[0]))
	if s := d.app.links.Translated(d.pane("kaleidoscope", "qsort")).Shared; len(d.app.model.State.Shared.Selection.Tasks) != 1 || !s.Selection.Empty() {
		t.Errorf("%+v lights %+v of another program", d.app.model.State.Shared.Selection, s.Selection)
	}
}
