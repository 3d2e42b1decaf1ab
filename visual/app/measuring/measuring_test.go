package measuring

import (
	"testing"
	"time"

	"whorl/visual/app/testdata/desktest"
	"whorl/visual/views/comparison"
)

// TestNumbers computes the numbers of both compared runs while their table is in front, and releases them when it is not.
func TestNumbers(t *testing.T) {
	k := desktest.Open(t, "on-demand", "random")
	m := New(k.Model, k.Links, k.Actions, k.Window)
	m.ShowTable()
	k.Settle()
	table := k.Model.Panes[k.Model.Focus]
	if table == nil || table.Kind.Name != comparison.Kind().Name {
		t.Fatalf("the focus is on %v", table)
	}
	for end := time.Now().Add(time.Minute); m.Work(time.Second); k.Settle() {
		if time.Now().After(end) {
			t.Fatal("the numbers do not come")
		}
	}
	group := m.groups[k.Model.Document(table)]
	if len(group.Runs) != 2 || group.Runs[0].Numbers == nil || group.Runs[1].Numbers == nil || group.Runs[0].State != "" {
		t.Errorf("the table has %+v", group.Runs)
	}
	table.Seen = false
	if m.Work(time.Second); len(m.readings) > 0 {
		t.Error("the hidden table keeps its numbers")
	}
}
