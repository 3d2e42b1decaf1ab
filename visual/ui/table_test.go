package ui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestDivide(t *testing.T) {
	for _, k := range []struct {
		room, gap float32
		sizes     []Size
		want      []float32
	}{
		{100, 0, []Size{Flex(1), Flex(1), Flex(1)}, []float32{33, 34, 33}},
		{100, 10, []Size{Fixed(30), Flex(1)}, []float32{30, 60}},
		{100, 0, []Size{Flex(1), Flex(3)}, []float32{25, 75}},
		{100, 0, []Size{FlexMin(1, 60), Flex(1), Flex(1)}, []float32{60, 20, 20}},
		{100, 0, []Size{Fixed(80), Fixed(80)}, []float32{80, 80}},
		{100, 0, []Size{Fixed(120), Flex(1)}, []float32{120, 0}},
		{-5, 0, []Size{Flex(1)}, []float32{0}},
		{100, 0, nil, []float32{}},
	} {
		if got := divide(k.room, k.gap, k.sizes); !slices.Equal(got, k.want) {
			t.Errorf("%g by %v: %v, want %v", k.room, k.sizes, got, k.want)
		}
	}
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		r := Rect{0, 0, float32(rnd.IntN(500)), 10}
		var sizes []Size
		for range 1 + rnd.IntN(6) {
			sizes = append(sizes, []Size{Fixed(float32(rnd.IntN(100))), Flex(rnd.Float32() + 0.1), FlexMin(1, float32(rnd.IntN(80)))}[rnd.IntN(3)])
		}
		end := float32(0)
		for _, c := range r.Columns(0, sizes...) {
			if c.X0 < end || c.X1 > r.X1 || c.X0 > c.X1 || c.X0 != whole(c.X0) {
				t.Fatalf("%v by %v: column %v after %g", r, sizes, c, end)
			}
			end = c.X1
		}
	}
}

// TestMillionRows looks at few rows of many, and reaches the last one.
func TestMillionRows(t *testing.T) {
	const n = 1_000_000
	asked, at, opened := 0, -1, -1
	u := newUser(t, 400, 300, func(c *Context) {
		asked = 0
		res := c.List(c.Window(), "list", Rows{N: n, Text: func(i int) string { asked++; return fmt.Sprintf("row %d", i) }}, &at)
		if res.Opened >= 0 {
			opened = res.Opened
		}
	})
	if asked > 14 || asked < 12 {
		t.Errorf("asked for %d rows, want the 13 that can be seen", asked)
	}
	u.clickAt(20, 30)
	if at != 1 {
		t.Error("a press of the second row chose", at)
	}
	u.keys("End")
	if at != n-1 || !slices.Contains(texts(&u.base), "row 999999") || asked > 14 {
		t.Error("End chose", at, "and asked for", asked, texts(&u.base))
	}
	var ys []float32
	for _, w := range written(&u.base) {
		ys = append(ys, w.box.Y0)
	}
	for i := 1; i < len(ys); i++ {
		if d := ys[i] - ys[i-1]; d < 23.99 || d > 24.01 {
			t.Error("far down the rows do not stand evenly:", ys)
			break
		}
	}
	u.keys("ArrowUp", "PageUp", "Enter")
	if at != n-2-11 || opened != at {
		t.Error("PageUp chose", at, "and Enter opened", opened)
	}
	u.run(Event{Kind: Wheel, X: 20, Y: 20, DY: 1e9})
	if !slices.Contains(texts(&u.base), "row 0") {
		t.Error("the wheel did not lead to the start")
	}
	u.drag(395, 5, 395, 150)
	if w := texts(&u.base)[0]; w < "row 4" || w > "row 6" {
		t.Error("the scroll bar led to", w)
	}
}

func TestTable(t *testing.T) {
	names := []string{"delta", "alpha", "charlie", "bravo"}
	counts := []int{10, 9, 9, 100}
	var choice Choice
	var res, last Tabled
	tab := Table{
		Columns: []Column{{Title: "Name", Share: 1}, {Title: "Count", Number: true, Width: 100, Doc: "how many"}},
		Rows:    4, Chosen: &choice,
		Cell: func(row, col int) string { return []string{names[row], fmt.Sprint(counts[row])}[col] },
		Less: func(col, a, b int) bool {
			if col == 0 {
				return names[a] < names[b]
			}
			return counts[a] < counts[b]
		},
	}
	u := newUser(t, 400, 300, func(c *Context) {
		res = c.Table(c.Window(), "t", tab)
		if res.Changed || res.Opened >= 0 {
			last = res
		}
	})
	column := func(k int) string {
		var s []string
		for _, w := range written(&u.base) {
			if w.box.Y0 > 30 && (w.box.X0 > 200) == (k == 1) {
				s = append(s, w.text)
			}
		}
		return strings.Join(s, " ")
	}
	order := func(what, want string) {
		t.Helper()
		if got := column(0); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	order("at first", "delta alpha charlie bravo")
	for _, w := range written(&u.base) { // the right edges of numbers
		if w.box.X0 > 200 && w.box.Y0 > 30 && (w.box.X1 < 391.5 || w.box.X1 > 392.5) {
			t.Errorf("%q ends at %g, want 392", w.text, w.box.X1)
		}
	}
	u.click("t/Name")
	order("by name", "alpha bravo charlie delta")
	u.clickAt(50, 14)
	order("by name, downwards", "delta charlie bravo alpha")
	u.clickAt(50, 14)
	order("as it was", "delta alpha charlie bravo")
	u.clickAt(360, 14)
	order("by count; what is equal stays in order", "alpha charlie delta bravo")
	counts[3] = 1
	tab.Revision++
	u.run()
	order("after a change", "bravo alpha charlie delta")

	chosen := func(what string, want ...int) {
		t.Helper()
		var got []int
		choice.Each(func(i int) bool { got = append(got, i); return true })
		if !slices.Equal(got, want) || choice.Len() != len(want) {
			t.Errorf("%s: rows %v are chosen, want %v", what, got, want)
		}
	}
	row := func(i int) float32 { return 28 + 24*float32(i) + 12 }
	u.clickAt(50, row(0))
	chosen("a press of the first place", 3)
	u.run(Event{Kind: Down, X: 50, Y: row(2), Mods: Shift}, Event{Kind: Up, X: 50, Y: row(2)})
	chosen("Shift and the third", 1, 2, 3)
	u.keys("Control+c")
	if want := "Name\tCount\nbravo\t1\nalpha\t9\ncharlie\t9\n"; u.copy != want {
		t.Errorf("copied %q, want %q", u.copy, want)
	}
	u.in.Now += 1e9
	u.run(Event{Kind: Down, X: 50, Y: row(1), Mods: Control}, Event{Kind: Up, X: 50, Y: row(1)})
	chosen("Control and the second", 2, 3)
	u.drag(50, row(1), 50, row(3))
	chosen("a drag", 0, 1, 2)
	u.keys("Home")
	chosen("Home", 3)
	u.keys("Shift+ArrowDown")
	chosen("Shift and the down arrow", 1, 3)
	u.keys("Control+a")
	chosen("all", 0, 1, 2, 3)
	u.keys("End", "Enter")
	if last.Opened != 0 {
		t.Error("Enter opened", last.Opened)
	}
	tab.Rows = 2
	tab.Revision++
	u.run()
	chosen("rows went away", 0)
	u.clickAt(50, 290)
	chosen("a press below")

	u.st.Focus(Name("t//titles"))
	u.keys("Enter", "Enter")
	tab.Rows = 4
	tab.Revision++
	u.run()
	order("sorted with the keys", "delta charlie bravo alpha")

	x := float32(300) // the edge between the columns
	u.drag(x, 14, x-100, 14)
	for _, w := range written(&u.base) {
		if w.text == "Count" && w.box.X1 < 293 {
			return
		}
	}
	t.Error("the column's edge does not move:", written(&u.base))
}

func TestChoice(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 9))
	var c Choice
	model := map[int]bool{}
	for range 3000 {
		row := rnd.IntN(300) - 1
		switch rnd.IntN(40) {
		case 0:
			c.Clear()
			clear(model)
		case 1:
			c.limit(row + 1)
			for k := range model {
				if k > row {
					delete(model, k)
				}
			}
		default:
			on := rnd.IntN(2) == 0
			c.Set(row, on)
			if on && row >= 0 {
				model[row] = true
			} else {
				delete(model, row)
			}
		}
		n := 0
		c.Each(func(i int) bool {
			n++
			if !model[i] || !c.Has(i) {
				t.Fatal("has", i)
			}
			return true
		})
		if n != len(model) || c.Len() != n {
			t.Fatalf("%d rows, Len says %d, want %d", n, c.Len(), len(model))
		}
	}
}
