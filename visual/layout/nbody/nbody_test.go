package nbody

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
)

// cloud returns n bodies at random places in a cube.
func cloud(n int, seed uint64) []Vec {
	r := rand.New(rand.NewPCG(seed, 1))
	x := make([]Vec, n)
	for i := range x {
		x[i] = Vec{r.Float64() * 100, r.Float64() * 100, r.Float64() * 100}
	}
	return x
}

// errorOf returns the root mean square error of forces relative to the wanted ones.
func errorOf(got, want []Vec) float64 {
	var wrong, all float64
	for i := range got {
		_, d := minus(&got[i], &want[i])
		_, w := minus(&want[i], &Vec{})
		wrong, all = wrong+d, all+w
	}
	return math.Sqrt(wrong / all)
}

// TestTreeIsNearTheSum checks that forces of the tree approach the exact ones as theta falls, and equal them with
// theta 0.
func TestTreeIsNearTheSum(t *testing.T) {
	for _, n := range []int{2, 9, 600, 2000} {
		x := cloud(n, 7)
		for i := range n / 4 { // a dense cluster far from the rest
			x[i] = Vec{1000 + x[i][0]/1000, x[i][1] / 1000, x[i][2] / 1000}
		}
		want := make([]Vec, n)
		Repel(x, 3, want)
		var tr tree
		tr.build(x)
		for _, c := range []struct{ theta, most float64 }{{0, 1e-12}, {0.3, 0.002}, {0.5, 0.006}, {0.9, 0.05}} {
			got := make([]Vec, n)
			tr.repel(3, c.theta, 1, got)
			e := errorOf(got, want)
			if e > c.most {
				t.Errorf("%d bodies, theta %g: the error is %g, want at most %g", n, c.theta, e, c.most)
			}
			if c.theta == 0.9 && n == 2000 && e < 1e-6 {
				t.Errorf("with theta %g no cell was approximated", c.theta)
			}
			two := make([]Vec, n)
			if tr.repel(3, c.theta, 3, two); !slices.Equal(got, two) {
				t.Errorf("%d bodies, theta %g: the forces differ with three workers", n, c.theta)
			}
		}
	}
}

// TestTree checks that the cells of any tree hold each body once, and that the parts of a cell cover it.
func TestTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.OneOf(rapid.Float64Range(-farthest, farthest), rapid.SampledFrom([]float64{0, 1, 1 + 1e-15, -1, 1e-300}))
		x := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Vec {
			return Vec{coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z")}
		}), 1, 60).Draw(t, "bodies")
		var tr tree
		tr.build(x)
		sorted := slices.Clone(tr.body)
		slices.Sort(sorted)
		for i, b := range sorted {
			if int(b) != i {
				t.Fatalf("bodies %v", tr.body)
			}
		}
		if !slices.IsSorted(tr.keys) {
			t.Fatal("not in order")
		}
		for i := range tr.cells {
			c := &tr.cells[i]
			if c.after <= int32(i) || int(c.after) > len(tr.cells) || c.n != float64(c.end-c.first) || c.n < 1 {
				t.Fatalf("cell %d: %+v", i, c)
			}
			if int(c.after) == i+1 {
				continue
			}
			next := c.first
			for k := int32(i + 1); k < c.after; k = tr.cells[k].after {
				if tr.cells[k].first != next {
					t.Fatalf("cell %d begins at body %d, want %d", k, tr.cells[k].first, next)
				}
				next = tr.cells[k].end
			}
			if next != c.end {
				t.Fatalf("the children of cell %d end at body %d, want %d", i, next, c.end)
			}
		}
		f := make([]Vec, len(x))
		tr.repel(1, 0.9, 2, f)
		for _, v := range f {
			if !finite(v) {
				t.Fatalf("a force is %v", v)
			}
		}
	})
}

func finite(v Vec) bool { return v[0]-v[0] == 0 && v[1]-v[1] == 0 && v[2]-v[2] == 0 }

// TestForces compares each force with one computed by hand.
func TestForces(t *testing.T) {
	x := []Vec{{0, 0, 0}, {3, 4, 0}, {0, 0, 0}}
	for _, c := range []struct {
		name string
		f    func(f []Vec)
		want []Vec
	}{
		{"repulsion", func(f []Vec) { Repel(x[:2], 50, f) }, []Vec{{-1.2, -1.6, 0}, {1.2, 1.6, 0}}}, // 50/25 along (0.6, 0.8)
		{"pull on the sender", func(f []Vec) { Attract(x, []Pull{{0, 1, 2}}, 5, false, f) }, []Vec{{6, 8, 0}, {}, {}}},
		{"pull on both", func(f []Vec) { Attract(x, []Pull{{0, 1, 2}}, 5, true, f) }, []Vec{{6, 8, 0}, {-6, -8, 0}, {}}},
		{"pull at one place", func(f []Vec) { Attract(x, []Pull{{0, 2, 2}}, 5, true, f) }, []Vec{{}, {}, {}}},
		{"link that is short", func(f []Vec) { Stretch(x, []Link{{0, 1, 10}}, 2, f) }, []Vec{{-6, -8, 0}, {6, 8, 0}, {}}},
		{"link that is long", func(f []Vec) { Stretch(x, []Link{{0, 1, 4}}, 2, f) }, []Vec{{1.2, 1.6, 0}, {-1.2, -1.6, 0}, {}}},
		{"link of no length", func(f []Vec) { Stretch(x, []Link{{0, 2, 4}}, 2, f) }, []Vec{{}, {}, {}}},
	} {
		f := make([]Vec, len(c.want))
		c.f(f)
		for i := range f {
			if _, d := minus(&f[i], &c.want[i]); d > 1e-9 {
				t.Errorf("%s: %v, want %v", c.name, f, c.want)
				break
			}
		}
	}
	f := make([]Vec, 3)
	if Repel(x, 1, f); !finite(f[0]) || f[0][0] >= 0 || f[2][0] <= 0 {
		t.Errorf("bodies at one place: %v", f)
	}
}

// TestNeverNaN checks that everything stays finite for all allowed constants and any pulls.
func TestNeverNaN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := func(name string, most float64) float64 {
			return rapid.OneOf(rapid.Float64Range(0, most), rapid.SampledFrom([]float64{5e-324, min(1, most), most})).Draw(t, name)
		}
		m := Model{
			Repulsion: c("repulsion", largest), Attraction: c("attraction", largest), Symmetric: rapid.Bool().Draw(t, "symmetric"),
			Friction: c("friction", largest), Elastic: c("elastic", largest), Length: max(c("length", largest), 5e-324), Step: max(c("step", 1), 5e-324),
			Theta: c("theta", 2),
		}
		odd := rapid.SampledFrom([]float64{0, 1, -1, 5e-324, math.MaxFloat64, math.NaN(), math.Inf(1)})
		x := Lattice(rapid.SampledFrom([]int{1, 2, 8, 8, 8, Exact + 1}).Draw(t, "bodies"), rapid.SampledFrom([]float64{0, 1e-9, 1, 1e6}).Draw(t, "apart"))
		s := must.Get(New(m, x, []Link{{0, int32(min(len(x), 2) - 1), m.Length}}))(t)
		for range 3 {
			s.Load(0, odd.Draw(t, "mass"))
			s.Pull([]Pull{{0, int32(len(x) - 1), odd.Draw(t, "pull")}, {-1, 0, 1}, {0, int32(len(x)), 1}})
			s.Move()
		}
		for i := range s.X {
			if !finite(s.X[i]) || !finite(s.V[i]) {
				t.Fatalf("body %d is at %v with %v", i, s.X[i], s.V[i])
			}
		}
	})
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(*Model)
	}{
		{"repulsion NaN: expected a number from 0 to 1e+06", func(m *Model) { m.Repulsion = math.NaN() }},
		{"attraction +Inf: expected", func(m *Model) { m.Attraction = math.Inf(1) }},
		{"friction -1: expected", func(m *Model) { m.Friction = -1 }},
		{"step 0: expected more than 0, and at most 1", func(m *Model) { m.Step = 0 }},
		{"theta 3: expected", func(m *Model) { m.Theta = 3 }},
	} {
		m := Cube()
		c.change(&m)
		if _, err := New(m, Lattice(8, 1), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := New(Mesh(), Lattice(8, 1), []Link{{0, 8, 1}}); err == nil {
		t.Error("a link to a missing body is accepted")
	}
}

// TestLattice checks that eight bodies are the corners of a cube and that 27 have 54 links.
func TestLattice(t *testing.T) {
	eight := Lattice(8, 2)
	for i, want := range []Vec{{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}} {
		if eight[i] != want {
			t.Errorf("corner %d is %v, want %v", i, eight[i], want)
		}
	}
	x, links := Grid(Cells(27), 1.5)
	if len(links) != 54 {
		t.Errorf("%d links", len(links))
	}
	for _, l := range links {
		if _, d := minus(&x[l.A], &x[l.B]); d != 1.5*1.5 {
			t.Errorf("link %v is %g long", l, math.Sqrt(d))
		}
	}
	if n := len(Lattice(0, 1)) + len(Lattice(1, 1)) + len(Lattice(11, 1)); n != 12 {
		t.Errorf("%d bodies", n)
	}
}

// TestMeasures checks Spread and Asymmetry on shapes with known values.
func TestMeasures(t *testing.T) {
	for _, c := range []struct {
		name              string
		x                 []Vec
		spread, asymmetry float64
	}{
		{"cube", Lattice(8, 2), math.Sqrt(3), 0},
		{"line", []Vec{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, math.Sqrt(2), 1},
		{"square", []Vec{{5, 0, 0}, {-5, 0, 0}, {0, 5, 0}, {0, -5, 0}}, 5, 0.25},
		{"one body", []Vec{{5, 0, 0}}, 0, 0},
	} {
		if s, a := Spread(c.x), Asymmetry(c.x); math.Abs(s-c.spread) > 1e-9 || math.Abs(a-c.asymmetry) > 1e-9 {
			t.Errorf("%s: spread %g and asymmetry %g, want %g and %g", c.name, s, a, c.spread, c.asymmetry)
		}
	}
}
