package app

import (
	"fmt"
	"slices"
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// TestLineLinks clicks in each view of lines and checks which lines each other view lights: those of the selection, from the table of
// viewtest.Sampled.
func TestLineLinks(t *testing.T) {
	ticks := map[int32][3]int64{3: {1, 1, 1}, 5: {0, 0, 4}, 11: {6, 2, 0}, 12: {40, 20, 10}, 82: {0, 3, 0}}
	lineOf := map[uint32]int32{viewtest.Spin3: 3, viewtest.Spin5: 5, viewtest.Step11: 11, viewtest.Step12: 12, viewtest.Last82: 82, viewtest.Step12a: 12, viewtest.Step12b: 12}
	functions := map[uint32][2]int32{viewtest.Spin: {1, 7}, viewtest.Step: {9, 14}, viewtest.Last: {80, 83}}
	// holds returns the lines with ticks in a selection.
	holds := func(s view.Selection) set {
		out := set{}
		for n, counts := range ticks {
			in := len(s.Lines) == 0 || slices.ContainsFunc(s.Lines, func(l view.Lines) bool { return l.First <= n && n <= l.End() })
			in = in && (len(s.Codes) == 0 || slices.ContainsFunc(s.Codes, func(c uint32) bool {
				f := functions[c]
				return lineOf[c] == n || f[0] <= n && n <= f[1]
			}))
			in = in && (len(s.PEs) == 0 || slices.ContainsFunc(s.PEs, func(p view.Span) bool {
				return slices.ContainsFunc([]int64{0, 1, 2}, func(pe int64) bool { return p.Contains(pe) && counts[pe] > 0 })
			}))
			if in {
				out[fmt.Sprint("line ", n)] = true
			}
		}
		return out
	}
	// owners returns the procedures of a selection: those of its lines, and those that it names.
	owners := func(s view.Selection) set {
		out := set{}
		for code, f := range functions {
			named := len(s.PEs) == 0 && slices.ContainsFunc(s.Codes, func(c uint32) bool { return c == code || f[0] <= lineOf[c] && lineOf[c] <= f[1] }) ||
				len(s.PEs) == 0 && slices.ContainsFunc(s.Lines, func(l view.Lines) bool { return f[0] <= l.First && l.First <= f[1] })
			for n := f[0]; n <= f[1]; n++ {
				named = named || holds(s)[fmt.Sprint("line ", n)]
			}
			if named {
				out[fmt.Sprint("procedure ", code)] = true
			}
		}
		return out
	}
	src := viewtest.Sampled()
	all := []string{"detail", "minmax", "assembler", "source", "overview", "procedures", "surface", "cascade"}
	for _, from := range all {
		for _, to := range all {
			if from == to {
				continue
			}
			t.Run(from+" to "+to, func(t *testing.T) {
				d := sideBySide(t, src, 1800, 2100, from, to)
				d.app.actions.Apply(view.Action{Do: view.SetDetail, Lines: &view.Lines{File: "spin.f90", First: 1, Last: 90}})
				d.settle()
				a, b := d.paneOf(from), d.paneOf(to)
				var seen []view.Selection
				for y := a.Area.Y0 + 5; y < a.Area.Y1; y += 13 {
					for x := a.Area.X0 + 5; x < a.Area.X1; x += 57 {
						s, ok := view.Hit(a.Picture(), d.app.cameras.Frame(a), x, y)
						if !ok || slices.ContainsFunc(seen, s.Equal) || len(seen) > 14 || len(holds(s)) == 0 && len(seen) > 5 {
							continue
						}
						seen = append(seen, s)
						d.in.Now += 1e9
						d.move(x, y)
						d.press(x, y, ui.Main, 0)
						d.app.actions.Apply(view.Action{Do: view.SetDetail, Lines: &view.Lines{File: "spin.f90", First: 1, Last: 90}}) // a click in the overview changes it
						d.settle()
						f, got := d.app.cameras.Frame(b), set{}
						places := d.locate(b, d.app.model.State.Shared.Selection)
						switch to {
						case "surface", "cascade": // where each line is, and whether that is among the places
							for n := range ticks {
								line := drawtest.Locate(b.Picture(), f, view.Selection{Trace: "t", Lines: []view.Lines{{File: "spin.f90", First: n}}})
								if len(line) > 0 && slices.ContainsFunc(places, func(r scene.Rect) bool {
									in := r.Contains((line[0].X0+line[0].X1)/2, (line[0].Y0+line[0].Y1)/2)
									return r == line[0] || in && to == "cascade"
								}) {
									got[fmt.Sprint("line ", n)] = true
								}
							}
						default:
							for _, r := range places {
								for y := r.Y0 + 1; y < r.Y1; y += 3 {
									hit, _ := view.Hit(b.Picture(), f, r.X0+20, y)
									for _, l := range hit.Lines {
										if _, found := ticks[l.First]; found {
											got[fmt.Sprint("line ", l.First)] = true
										}
									}
									if to == "procedures" && len(hit.Codes) == 1 {
										got[fmt.Sprint("procedure ", hit.Codes[0])] = true
									}
								}
							}
						}
						want := holds(s)
						if to == "procedures" {
							want = owners(s)
						}
						if to == "assembler" { // the other lines have no instructions
							for name := range want {
								if name != "line 12" {
									delete(want, name)
								}
							}
						}
						if got.String() != want.String() {
							t.Errorf("a click at %g,%g selects %+v: %v are lit, want %v", x, y, s, got, want)
						}
					}
				}
				if len(seen) < 2 {
					t.Errorf("clicks in the view %[2]s have selected only %[1]d different things", len(seen), from)
				}
			})
		}
	}
}

// TestSelectedLineIsShown selects a procedure. The views that share the detail move to it together.
func TestSelectedLineIsShown(t *testing.T) {
	d := sideBySide(t, viewtest.Sampled(), 1400, 500, "detail", "minmax", "source")
	d.settle()
	sees := func(line int32) (seen []string) {
		for _, name := range []string{"detail", "minmax", "source"} {
			p := d.paneOf(name)
			for _, r := range d.locate(p, view.Selection{Trace: "t", Lines: []view.Lines{{File: "spin.f90", First: line}}}) {
				if r.Y0 >= p.Area.Y0 && r.Y1 <= p.Area.Y1 {
					seen = append(seen, name)
				}
			}
		}
		return seen
	}
	if got := sees(82); len(got) != 0 {
		t.Fatalf("the views %v show line 82 before it is selected", got)
	}
	d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: "t", Codes: []uint32{viewtest.Last}}})
	d.settle()
	if got := sees(82); len(got) != 3 {
		t.Errorf("only the views %v show line 82 of the selected procedure", got)
	}
	if l := d.app.model.State.Shared.Detail; l == nil || l.First > 82 || l.End() < 82 {
		t.Errorf("the detail shows the lines %+v", l)
	}
}
