package bodies

import (
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/glyph"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// TestTable checks that bodies in a comparison are those of a still: in the middle of each run, with the measures of that time. The one legend
// gives shares of each run, since the runs differ in length, and explains the links.
func TestTable(t *testing.T) {
	table := page.Table{
		Views: []page.TableView{{Kind: Kind()}}, Title: "t", Columns: []string{"3 PEs", "5 PEs"}, Rows: []string{""},
		Cells: []page.TableCell{{Source: talk(3, 3, 0), Name: "three"}, {Source: talk(5, 5, 0), Name: "five"}},
	}
	g := glyph.New()
	got := viewtest.Strings(must.Get(table.Picture(t.Context(), 0, 0, g))(t))
	for i := range table.Cells {
		o := must.Get(view.Open(Kind(), table.Cells[i].Source, g))(t)
		still := viewtest.Strings(must.Get(page.Shoot(t.Context(), o, 1200, 900, page.Shot{}))(t).List)
		o.Close()
		spread := still[slices.Index(still, "Spread")+1]
		if spread = strings.TrimSuffix(spread, " of the start"); !slices.Contains(got, spread) {
			t.Errorf("%s: the spread of a still is %s, and the comparison has %q", table.Cells[i].Name, spread, got)
		}
	}
	for _, want := range []string{"Bodies: busy time of 1.7 % of each run", "Links: share of the mean bytes of a body", "25 %", "50 % of each run"} {
		if !slices.Contains(got, want) {
			t.Errorf("the legend lacks %q: %q", want, got)
		}
	}
}
