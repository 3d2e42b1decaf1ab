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

// TestPush compares a velocity under friction and a force with the formula, for weak and strong friction.
func TestPush(t *testing.T) {
	for _, c := range []struct{ friction, mass, time, within float64 }{{0, 2, 1, 1e-12}, {1, 2, 0.01, 1e-6}, {1, 2, 0.1, 1e-4}, {1e4, 2, 1, 1e-9}, {1e6, 1e-3, 1, 1e-12}} {
		v := []Vec{{1, -2, 0}}
		Push(v, []Vec{{3, 0, 0}}, []float64{c.mass}, c.friction, c.time)
		left := math.Exp(-c.friction * c.time / c.mass)
		by := c.time / c.mass
		if c.friction > 0 {
			by = (1 - left) / c.friction
		}
		want := Vec{left + 3*by, -2 * left, 0}
		if _, d := minus(&v[0], &want); math.Sqrt(d) > c.within {
			t.Errorf("%+v: %v, want %v", c, v[0], want)
		}
	}
}

// mesh is a distorted mesh of 27 bodies without friction, in the model of the second case.
func mesh(t testing.TB, change func(*Model)) *System {
	t.Helper()
	m := Mesh()
	m.Friction = 0
	change(&m)
	x, links := Grid(Cells(27), m.Length)
	for i := range x {
		x[i][i%3] += 0.2 * float64(i%5-2)
	}
	return must.Get(New(m, x, links))(t)
}

// TestEnergyIsKept checks that without friction the error of the energy stays small over many steps and falls to a
// quarter with half the step.
func TestEnergyIsKept(t *testing.T) {
	worst := func(step, time float64) float64 {
		s := mesh(t, func(m *Model) { m.Step = step })
		before, most := s.energy(), 0.0
		for i := range int(time / step) {
			if s.Move(); i%7 == 0 {
				most = max(most, math.Abs(s.energy()-before)/before)
			}
		}
		return most
	}
	long := worst(0.01, 100)
	if long > 2e-4 {
		t.Errorf("within 10,000 steps the relative error of the energy reached %g", long)
	}
	one, half := worst(0.02, 5), worst(0.01, 5)
	if r := one / half; r < 3 || r > 5 {
		t.Errorf("halving the step reduces the error %g times, want 4", r)
	}
	// Friction consumes the energy.
	s := mesh(t, func(m *Model) { m.Friction = 1 })
	before := s.energy()
	for range 2000 {
		s.Move()
	}
	if after := s.energy(); after > 0.9*before {
		t.Errorf("with friction the energy is %g of %g", after, before)
	}
}

// TestTwoBodies compares the motion of two bodies that repel each other with the closed formula.
func TestTwoBodies(t *testing.T) {
	m := Model{Repulsion: 2, Length: 1, Step: 0.001}
	s := must.Get(New(m, []Vec{{-0.5, 0, 0}, {0.5, 0, 0}}, nil))(t)
	for range 3000 {
		s.Move()
	}
	// For masses of 1 the distance r obeys r'^2 / 4 + R/r = R, so the time to reach r is the integral of sqrt(r /
	// (r-1)) from 1 to r over sqrt(4R).
	r := s.X[1][0] - s.X[0][0]
	time := (math.Sqrt(r*(r-1)) + math.Log(math.Sqrt(r)+math.Sqrt(r-1))) / math.Sqrt(4*m.Repulsion)
	if math.Abs(time-3) > 1e-4 {
		t.Errorf("at %g after %g, want after 3", r, time)
	}
}

// TestSame checks that a motion is reproducible, from the start and from a state on the way, with any number of
// workers.
func TestSame(t *testing.T) {
	for _, n := range []int{27, 700} {
		run := func(workers, steps int, s *System) *System {
			if s == nil {
				m := Mesh()
				m.Workers = workers
				var err error
				if s, err = New(m, Lattice(n, 1), nil); err != nil {
					t.Fatal(err)
				}
			}
			for i := range steps {
				s.Pull([]Pull{{int32(i % n), int32((i + 1) % n), 3}})
				s.Move()
			}
			return s
		}
		a, b := run(1, 12, nil), run(4, 12, nil)
		half := run(1, 6, nil)
		c := must.Get(New(half.Model, half.X, nil))(t)
		copy(c.V, half.V)
		for i := 6; i < 12; i++ {
			c.Pull([]Pull{{int32(i % n), int32((i + 1) % n), 3}})
			c.Move()
		}
		if !slices.Equal(a.X, b.X) || !slices.Equal(a.V, b.V) || !slices.Equal(a.X, c.X) {
			t.Errorf("%d bodies: the second run differs", n)
		}
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

// TestMeshReturns checks that a distorted mesh returns to its shape if its bodies repel each other weakly. Without
// repulsion it stays folded, since in many shapes all links have their rest length (section 5 of the paper).
func TestMeshReturns(t *testing.T) {
	settle := func(m Model, pulls []Pull, drawn float64) []Vec {
		x, links := Grid(Cells(27), m.Length)
		s := must.Get(New(m, x, links))(t)
		s.Pull(pulls)
		for range int(drawn / m.Step) {
			s.Move()
		}
		s.Pull(nil)
		for range int(100 / m.Step) {
			s.Move()
		}
		return s.X
	}
	// wrong returns the largest difference of a distance between two bodies.
	wrong := func(a, b []Vec) (most float64) {
		for i := range a {
			for j := range i {
				_, p := minus(&a[i], &a[j])
				_, q := minus(&b[i], &b[j])
				most = max(most, math.Abs(math.Sqrt(p)-math.Sqrt(q)))
			}
		}
		return most
	}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 3))
		var pulls []Pull
		for range 6 {
			pulls = append(pulls, Pull{r.Int32N(27), r.Int32N(27), 1})
		}
		m := Mesh()
		m.Step = 0.02
		shape := settle(m, nil, 0)
		if e := wrong(shape, settle(m, pulls, 20)); e > 0.01 {
			t.Errorf("seed %d: the mesh returns with distances wrong by %.3f", seed, e)
		}
		m.Repulsion = 0
		if e := wrong(Lattice(27, m.Length), settle(m, pulls, 20)); e < 0.5 {
			t.Errorf("seed %d: the lattice is restored even without repulsion, with distances wrong by %.3f", seed, e)
		}
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

// TestHold checks that reusing the repulsion for a few moves changes the motion little and reusing it for many moves
// does not, and that a system started from the state of another after a multiple of Hold moves continues identically.
func TestHold(t *testing.T) {
	run := func(hold, moves int, from *System) *System {
		m := Cube()
		m.Step, m.Hold = 0.1, hold
		m.Repulsion = 0.1
		x := Lattice(2000, m.Length)
		if from != nil {
			x = from.X
		}
		s := must.Get(New(m, x, nil))(t)
		if from != nil {
			copy(s.V, from.V)
		}
		var pulls []Pull
		for i := range int32(2000) {
			pulls = append(pulls, Pull{i, (i*7919 + 13) % 2000, 1})
		}
		s.Pull(pulls)
		for range moves {
			s.Move()
		}
		return s
	}
	exact := run(1, 48, nil)
	wrong := func(s *System) float64 {
		sum := 0.0
		for i := range s.X {
			_, square := minus(&s.X[i], &exact.X[i])
			sum += square / float64(len(s.X))
		}
		return math.Sqrt(sum) / Spread(exact.X)
	}
	few, many := wrong(run(4, 48, nil)), wrong(run(48, 48, nil))
	if few > 0.05 || many < 1.3*few {
		t.Errorf("held for 4 moves, places are wrong by %.4f of the spread, for 48 by %.4f", few, many)
	}
	for _, c := range []struct {
		hold int
		most float64
	}{{4, 0.006}, {12, 0.015}} {
		if s := Spread(run(c.hold, 48, nil).X) / Spread(exact.X); math.Abs(s-1) > c.most {
			t.Errorf("held for %d moves, the spread is %.4f times that without holding", c.hold, s)
		}
	}
	if s := Spread(run(48, 48, nil).X) / Spread(exact.X); math.Abs(s-1) < 0.03 {
		t.Errorf("held for 48 moves, the spread is %.4f times that without holding: Hold has no effect", s)
	}
	for _, hold := range []int{4, 12} {
		if again := run(hold, 24, run(hold, 24, nil)); !slices.Equal(again.X, run(hold, 48, nil).X) {
			t.Errorf("held for %d moves, a continued system moves differently", hold)
		}
	}
	if again := run(5, 24, run(5, 24, nil)); slices.Equal(again.X, run(5, 48, nil).X) {
		t.Error("the continued system moves identically although 24 is not a multiple of 5")
	}
}

// energy returns the kinetic and potential energy of all bodies, without pulls, which have no potential.
func (s *System) energy() float64 {
	e := 0.0
	for i := range s.X {
		_, square := minus(&s.V[i], &Vec{})
		e += float64(0.5 * s.Mass[i] * square)
		for j := range i {
			_, square := minus(&s.X[i], &s.X[j])
			e += s.Repulsion / math.Sqrt(square+soft*soft)
		}
	}
	for _, l := range s.Links {
		_, square := minus(&s.X[l.A], &s.X[l.B])
		d := math.Sqrt(square) - s.Length
		e += float64(0.5 * s.Elastic * d * d)
	}
	return e
}
