package widget

import (
	"fmt"
	"slices"
	"testing"

	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestMillionRows scrolls through a list of a million rows, which draws only the visible ones.
func TestMillionRows(t *testing.T) {
	const n = 1_000_000
	drawn, chosen := 0, -1
	u := usertest.New(t, 400, 300, func(c *ui.Context) {
		drawn = 0
		List(c, c.Window(), "list", textRows(c, n, func(i int) string { drawn++; return fmt.Sprintf("row %d", i) }), &chosen)
	})
	if drawn > 14 || drawn < 12 {
		t.Errorf("the list draws %d rows, want the 13 visible ones", drawn)
	}
	u.ClickAt(20, 30)
	if chosen != 1 {
		t.Error("a press of row 1 chose row", chosen)
	}
	u.Keys("End")
	if chosen != n-1 || !slices.Contains(usertest.Strings(&u.Base), "row 999999") || drawn > 14 {
		t.Error("End chose row", chosen, "and drew", drawn, "rows:", usertest.Strings(&u.Base))
	}
	var ys []float32
	for _, w := range usertest.Written(&u.Base) {
		ys = append(ys, w.Box.Y0)
	}
	for i := 1; i < len(ys); i++ {
		if d := ys[i] - ys[i-1]; d < 23.99 || d > 24.01 {
			t.Error("the last rows are not evenly spaced:", ys)
			break
		}
	}
	u.Keys("ArrowUp", "PageUp")
	if chosen != n-2-11 {
		t.Errorf("the up arrow and PageUp chose row %d, want %d", chosen, n-2-11)
	}
	u.Run(ui.Event{Kind: ui.Wheel, X: 20, Y: 20, DY: 1e9})
	if !slices.Contains(usertest.Strings(&u.Base), "row 0") {
		t.Error("the wheel did not scroll to the start")
	}
	u.Drag(395, 5, 395, 150)
	if w := usertest.Strings(&u.Base)[0]; w < "row 4" || w > "row 6" {
		t.Errorf("the scroll bar scrolled to %q, want about row 5", w)
	}
}

// TestRowKey moves between rows with the keys.
func TestRowKey(t *testing.T) {
	for _, k := range []struct {
		key          string
		row, n, want int
	}{
		{"ArrowDown", 1, 5, 2},
		{"ArrowDown", 4, 5, 4},
		{"ArrowUp", 1, 5, 0},
		{"ArrowUp", -1, 5, 0},
		{"PageDown", 0, 5, 3},
		{"PageUp", 4, 5, 1},
		{"Home", 3, 5, 0},
		{"End", 3, 5, 4},
		{"End", 3, 0, -1},
		{"ArrowUp", -1, 0, -1},
		{"PageUp", 0, 0, -1},
	} {
		if got, ok := rowKey(&ui.Event{Name: k.key}, k.row, k.n, 3); got != k.want || !ok {
			t.Errorf("%s from row %d of %d: row %d, %v; want %d, true", k.key, k.row, k.n, got, ok, k.want)
		}
	}
	if _, ok := rowKey(&ui.Event{Name: "x"}, 1, 5, 3); ok {
		t.Error("x moves to another row")
	}
}
