package measures

import (
	"context"
	"testing"

	"whorl/tracer"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestCompare puts the numbers of another run beside those of a run of 300 reductions on 4 PEs: the same run, and one of 200 reductions on 2 PEs, which
// has no row for PE 3.
func TestCompare(t *testing.T) {
	run := viewtest.Many(300, 4, 10, 0, 0)
	o, err := view.Open(Kind(), run, kindtest.Glyphs)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := o.Set(view.Against, view.AgainstTrace); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name       string
		other      tracer.Source
		all, third [3]string // reductions of all PEs and of PE 3
	}{
		{"same", run, [3]string{"300", "300", "0"}, [3]string{"75", "75", "0"}},
		{"less", viewtest.Many(200, 2, 10, 0, 0), [3]string{"300", "200", "+100"}, [3]string{"75", "0", "+75"}},
	} {
		o.Data.Compare(c.name, c.other)
		r, err := o.Geometry(context.Background(), 0, 500)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, table := range r.Value.(*Geometry).tables {
			if table.title == "Run" && (len(table.columns) != 2 || table.columns[1].title != c.name) {
				t.Errorf("%s: the table of the run has the columns %v", c.name, table.columns)
			}
			if table.title != "PE" {
				continue
			}
			found = true
			for _, row := range []struct {
				i    int
				want [3]string
			}{{-1, c.all}, {3, c.third}} {
				var got [3]string
				for k := range got {
					got[k] = table.columns[k].cell(row.i)
				}
				if got != row.want {
					t.Errorf("%s: row %d has %v, want %v", c.name, row.i, got, row.want)
				}
			}
		}
		if !found {
			t.Error("no table of PEs")
		}
	}
}
