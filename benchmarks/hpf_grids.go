package benchmarks

import (
	"math"
)

// A wave is a product of sines with the given numbers of half periods, a component of solutions on a square.
type wave struct{ rows, columns, amplitude float64 }

// waves are the initial values of the relaxations.
var waves = []wave{{1, 1, 1}, {3, 2, 0.5}}

// relaxed returns the output of a relaxation on n by n points: a wave at point (i, j) has been multiplied by shrink.
func relaxed(n int64, shrink func(w wave, i, j int64) float64) *table {
	height := func(i, j int64) (sum float64) {
		for _, w := range waves {
			a := math.Pi / float64(n+1)
			sum += w.amplitude * math.Sin(w.rows*a*float64(i)) * math.Sin(w.columns*a*float64(j)) * shrink(w, i, j)
		}
		return sum
	}
	most := 0.0
	for i := range n {
		for j := range n {
			most = max(most, math.Abs(height(i+1, j+1)))
		}
	}
	t := &table{decimals: 8}
	t.add(height(1, 1), height((n+1)/2, (n+1)/2), height(n, 1), height((n+3)/4, (n+1)/2), most)
	return t
}

// factor returns the factor by which the mean over four neighbours multiplies a wave.
func (w wave) factor(n int64) float64 {
	a := math.Pi / float64(n+1)
	return (math.Cos(w.rows*a) + math.Cos(w.columns*a)) / 2
}

var hpfJacobi = &Benchmark{
	Name: "hpf/jacobi",
	Doc: "Edges of blocks versus their interior: twice as many rows and columns mean four times the work and twice the bytes of messages. The " +
		"best program to start with.",
	Params: []Param{
		{Name: "n", Default: 64, Min: 1, Max: 2000, Doc: "rows and columns"},
		{Name: "sweeps", Default: 50, Min: 0, Max: 10_000, Doc: "sweeps"},
	},
	Program: constants("jacobi.hpf", "n", "sweeps"),
	Check: func(p []int64, answer string) error {
		// Each sweep multiplies each wave by its factor.
		return relaxed(p[0], func(w wave, _, _ int64) float64 { return math.Pow(w.factor(p[0]), float64(p[1])) }).check(answer)
	},
}

var hpfRedBlack = &Benchmark{
	Name: "hpf/red-black",
	Doc:  "Two half sweeps, each preceded by messages: it converges as far as Jacobi's relaxation in half the sweeps, and waits as often.",
	Params: []Param{
		{Name: "n", Default: 64, Min: 1, Max: 2000, Doc: "rows and columns"},
		{Name: "sweeps", Default: 25, Min: 0, Max: 10_000, Doc: "sweeps of two halves each"},
	},
	Program: constants("red-black.hpf", "n", "sweeps"),
	Check: func(p []int64, answer string) error {
		// A half sweep gives the points of one colour one factor more than the points of the other colour have.
		return relaxed(p[0], func(w wave, i, j int64) float64 {
			halves := 2 * p[1]
			if (i+j)%2 == 0 && halves > 0 { // the points of the first half sweep
				halves--
			}
			return math.Pow(w.factor(p[0]), float64(halves))
		}).check(answer)
	},
}

var hpfHeat = &Benchmark{
	Name: "hpf/heat",
	Doc: "One number to each neighbour and little computation: the latency of the network determines how many processors pay off. Compare several " +
		"machines.",
	Params: []Param{
		{Name: "n", Default: 1000, Min: 8, Max: 1_000_000, Doc: "points of the rod"},
		{Name: "steps", Default: 100, Min: 0, Max: 10_000, Doc: "steps"},
	},
	Program: constants("heat.hpf", "n", "steps"),
	Check: func(p []int64, answer string) error {
		// A step multiplies a sine of k half periods by 1 - 4 r sin(k pi / 2 (n+1))^2.
		n := p[0]
		rod := make([]float64, n+2)
		for _, k := range []float64{1, 20} {
			a := k * math.Pi / float64(n+1)
			s := math.Sin(a / 2)
			shrink := math.Pow(1-4*0.4*s*s, float64(p[1]))
			for i := range rod {
				rod[i] += math.Sin(a*float64(i)) * shrink
			}
		}
		rod[0], rod[n+1] = 0, 0
		t := &table{decimals: 8}
		sum, most := 0.0, 0.0
		for _, x := range rod {
			sum, most = sum+x, max(most, x)
		}
		for i := int64(1); i <= 7; i++ {
			t.add(rod[max(1, n*i/8)])
		}
		t.add(sum, most)
		return t.check(answer)
	},
}

var hpfShallow = &Benchmark{
	Name: "hpf/shallow",
	Doc: "The shallow water equations, with a dozen arrays and twice as many shifts in a step: the source view shows which lines wait for " +
		"neighbours.",
	Params: []Param{
		{Name: "n", Default: 32, Min: 4, Max: 512, Doc: "rows and columns of the torus"},
		{Name: "steps", Default: 20, Min: 0, Max: 1000, Doc: "steps of 90 s"},
	},
	Program: constants("shallow.hpf", "n", "steps"),
	Check:   func(p []int64, answer string) error { return shallowWater(int(p[0]), int(p[1])).check(answer) },
}

// A sea is a quantity on a torus of n by n points.
type sea []float64

// A shallowWorld is the state of the shallow water equations: two velocities and the pressure.
type shallowWorld [3]sea

// shallowWater computes the output of hpf/shallow point by point, from the fluxes, the potential vorticity and the energy at the neighbouring
// points (R. Sadourny, 1975).
func shallowWater(n, steps int) *table {
	const d, dt, alpha, amplitude = 1e5, 90, 0.001, 1e6
	value := func(s sea, i, j int) float64 { return s[(i+n)%n*n+(j+n)%n] }
	make2 := func(f func(i, j int) float64) sea {
		s := make(sea, n*n)
		for k := range s {
			s[k] = f(k/n, k%n)
		}
		return s
	}
	psi := func(i, j int) float64 {
		return amplitude * math.Sin((float64(i)+0.5)*2*math.Pi/float64(n)) * math.Sin((float64(j)+0.5)*2*math.Pi/float64(n))
	}
	high := math.Pow(math.Pi*amplitude/(float64(n)*d), 2)
	now := shallowWorld{
		make2(func(i, j int) float64 { return -(psi(i, j+1) - psi(i, j)) / d }),
		make2(func(i, j int) float64 { return (psi(i+1, j) - psi(i, j)) / d }),
		make2(func(i, j int) float64 {
			return high*(math.Cos(4*math.Pi*float64(i)/float64(n))+math.Cos(4*math.Pi*float64(j)/float64(n))) + 50000
		}),
	}
	before := now
	for step := range steps {
		u, v, p := now[0], now[1], now[2]
		eastward := func(i, j int) float64 { return (value(p, i, j) + value(p, i-1, j)) / 2 * value(u, i, j) }
		northward := func(i, j int) float64 { return (value(p, i, j) + value(p, i, j-1)) / 2 * value(v, i, j) }
		vorticity := func(i, j int) float64 {
			curl := (value(v, i, j)-value(v, i-1, j))/d - (value(u, i, j)-value(u, i, j-1))/d
			return curl / ((value(p, i-1, j-1) + value(p, i, j-1) + value(p, i, j) + value(p, i-1, j)) / 4)
		}
		energy := func(i, j int) float64 {
			square := func(x float64) float64 { return x * x }
			return value(p, i, j) + (square(value(u, i+1, j))+square(value(u, i, j))+square(value(v, i, j+1))+square(value(v, i, j)))/4
		}
		long := 2.0 * dt
		if step == 0 {
			long = dt
		}
		next := shallowWorld{
			make2(func(i, j int) float64 {
				flux := (northward(i, j+1) + northward(i-1, j+1) + northward(i-1, j) + northward(i, j)) / 4
				return value(before[0], i, j) + long*((vorticity(i, j+1)+vorticity(i, j))/2*flux-(energy(i, j)-energy(i-1, j))/d)
			}),
			make2(func(i, j int) float64 {
				flux := (eastward(i+1, j) + eastward(i, j) + eastward(i, j-1) + eastward(i+1, j-1)) / 4
				return value(before[1], i, j) - long*((vorticity(i+1, j)+vorticity(i, j))/2*flux+(energy(i, j)-energy(i, j-1))/d)
			}),
			make2(func(i, j int) float64 {
				return value(before[2], i, j) - long*((eastward(i+1, j)-eastward(i, j))/d+(northward(i, j+1)-northward(i, j))/d)
			}),
		}
		if step == 0 {
			before = now
		} else {
			var smooth shallowWorld
			for q := range smooth {
				smooth[q] = make2(func(i, j int) float64 {
					return value(now[q], i, j) + alpha*(value(next[q], i, j)-2*value(now[q], i, j)+value(before[q], i, j))
				})
			}
			before = smooth
		}
		now = next
	}
	t := &table{decimals: 5}
	mass := 0.0
	for _, x := range now[2] {
		mass += x
	}
	t.WriteString("mass")
	t.add(mass / float64(n*n))
	for _, q := range []int{2, 0, 1} {
		for i := 0; i < n; i += max(1, n/8) {
			t.add(value(now[q], i, i))
		}
	}
	return t
}

var hpfMesh = &Benchmark{
	Name: "hpf/mesh",
	Doc: "Three-dimensional blocks that exchange their faces, 27 of them on 27 PEs: a balanced mesh. With extra=4 one corner has most of the " +
		"messages, with growth=40 most of the work as well.",
	Params: []Param{
		{Name: "n", Default: 16, Min: 4, Max: 200, Doc: "points of a side"},
		{Name: "steps", Default: 100, Min: 0, Max: 1000, Doc: "steps"},
		{Name: "extra", Default: 0, Min: 0, Max: 100, Doc: "additional finer steps of a corner in each step"},
		{Name: "growth", Default: 1, Min: 1, Max: 1000, Doc: "steps of growth in a finer step"},
	},
	Program: constants("mesh.hpf", "n", "steps", "extra", "growth"),
	Check:   func(p []int64, answer string) error { return fisher(p[0], p[1], p[2], p[3]).check(answer) },
}

// fisher computes the output of hpf/mesh.
func fisher(n, steps, extra, growth int64) *table {
	side := n + 2
	u, v := make([]float64, side*side*side), make([]float64, side*side*side)
	value := func(i, j, k int64) int64 { return (i*side+j)*side + k }
	each := func(to int64, f func(i, j, k int64)) {
		for i := int64(1); i <= to; i++ {
			for j := int64(1); j <= to; j++ {
				for k := int64(1); k <= to; k++ {
					f(i, j, k)
				}
			}
		}
	}
	each(n, func(i, j, k int64) { u[value(i, j, k)] = float64(i*j+k) / float64(n*n+n) })
	step := func(to, growth int64) {
		each(to, func(i, j, k int64) {
			x := (u[value(i-1, j, k)] + u[value(i+1, j, k)] + u[value(i, j-1, k)] + u[value(i, j+1, k)] + u[value(i, j, k-1)] + u[value(i, j, k+1)]) / 6
			for range growth {
				x += 0.1 / float64(growth) * x * (1 - x)
			}
			v[value(i, j, k)] = x
		})
		each(to, func(i, j, k int64) { u[value(i, j, k)] = v[value(i, j, k)] })
	}
	corner := (2*n+4)/3 - 1
	for range steps {
		step(n, 1)
		for range extra {
			step(corner-1, growth)
		}
	}
	most := 0.0
	each(n, func(i, j, k int64) { most = max(most, u[value(i, j, k)]) })
	t := &table{decimals: 8}
	t.add(u[value(1, 1, 1)], u[value(corner, corner, corner)], u[value((n+1)/2, n, 1)], most)
	return t
}
