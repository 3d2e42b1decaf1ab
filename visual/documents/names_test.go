package documents

import "testing"

// TestShortNames: tabs tell traces apart in few words.
func TestShortNames(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"pascal"}, []string{"pascal"}},
		{[]string{"pascal-on-demand", "pascal-random"}, []string{"on-demand", "random"}},
		{[]string{"pascal-on-demand", "pascal-on-demand (2)"}, []string{"pascal-on-demand", "pascal-on-demand (2)"}},
		{[]string{"steal", "steal-half"}, []string{"steal", "steal-half"}},
		{[]string{"pascal 35, 1 PE, steal", "pascal 35, 4 PEs, steal (2)"}, []string{"1 PE", "4 PEs"}},
		{[]string{"pascal 35, 4 PEs, steal", "pascal 35, 4 PEs, steal (2)"}, []string{"pascal 35, 4 PEs, steal", "pascal 35, 4 PEs, steal (2)"}},
		{[]string{"qsort", "pascal"}, []string{"qsort", "pascal"}},
		{[]string{"pascal 35, 4 PEs, steal", "pascal 35, 8 PEs, steal"}, []string{"4 PEs", "8 PEs"}},
		{[]string{"pascal 35, 4 PEs, steal", "pascal 35, 8 PEs, ring"}, []string{"4 PEs, steal", "8 PEs, ring"}},
		{[]string{"small, 3 PEs, static", "small, 3 PEs, static, sum/2 on 0"}, []string{"small, 3 PEs, static", "sum/2 on 0"}},
	} {
		for i, name := range c.names {
			if got := ShortName(name, c.names); got != c.want[i] {
				t.Errorf("%q among %q is called %q, want %q", name, c.names, got, c.want[i])
			}
		}
	}
}
