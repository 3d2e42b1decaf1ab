package benchmarks

import "math"

var hpfMixture = &Benchmark{
	Name: "hpf/mixture",
	Doc: "A minority of the processors has more work in one phase. All others wait for it later, in a broadcast that itself costs almost nothing, " +
		"so a profile without processors blames the broadcast. Run it with --pes 256, and with imbalance=0, and compare the calling contexts.",
	Params: []Param{
		{Name: "n", Default: 256, Min: 8, Max: 4096, Doc: "columns"},
		{Name: "rows", Default: 32, Min: 16, Max: 1000, Doc: "cells of a column"},
		{Name: "steps", Default: 20, Min: 0, Max: 1000, Doc: "steps"},
		{Name: "imbalance", Default: 8, Min: 0, Max: 1000, Doc: "additional substeps, beyond 8, of three eighths of the columns"},
	},
	Program: constants("mixture.hpf", "n", "rows", "steps", "imbalance"),
	Check: func(p []int64, answer string) error {
		return mixed(int(p[0]), int(p[1]), int(p[2]), int(p[3])).check(answer)
	},
}

// mixed computes the output of hpf/mixture cell by cell. Each column is a ring of its open cells.
func mixed(n, rows, steps, imbalance int) *table {
	c := make([][]float64, n)
	for j := range c {
		open, chance := rows, j+1
		for range 8 {
			if chance = 171 * chance % 30269; 2*chance > 30269 {
				open--
			}
		}
		c[j] = make([]float64, open)
		for i := range c[j] {
			wave := 0.5 * math.Sin(2*math.Pi*float64(i+1)/float64(rows))
			c[j][i] = 0.5 + 0.5*math.Tanh(4*math.Cos(2*math.Pi*(float64(j)+0.5)/float64(n)+wave))
		}
	}
	cell := func(j, i int) float64 { // returns 0 for a solid cell
		if col := c[(j+n)%n]; i < len(col) {
			return col[i]
		}
		return 0
	}
	ring := func(col []float64, i int) float64 { return col[(i+len(col))%len(col)] }
	// flux returns the flux out of a cell with value x between two neighbours.
	flux := func(before, x, after, courant float64) float64 {
		slope := 0.0
		if (x-before)*(after-x) > 0 {
			slope = math.Copysign(min(math.Abs(x-before), math.Abs(after-x)), after-x)
		}
		return courant * (x + 0.5*(1-courant)*slope)
	}
	fill := func(f func(j, i int) float64) [][]float64 {
		out := make([][]float64, n)
		for j := range out {
			out[j] = make([]float64, len(c[j]))
			for i := range out[j] {
				out[j][i] = f(j, i)
			}
		}
		return out
	}
	dt := 0.25
	for range steps {
		across := fill(func(j, i int) float64 { return flux(cell(j-1, i), c[j][i], cell(j+1, i), 0.8*dt) })
		c = fill(func(j, i int) float64 {
			in := 0.0
			if west := across[(j+n-1)%n]; i < len(west) {
				in = west[i]
			}
			return c[j][i] + in - across[j][i]
		})
		along := fill(func(j, i int) float64 { return flux(ring(c[j], i-1), c[j][i], ring(c[j], i+1), 0.6*dt) })
		c = fill(func(j, i int) float64 { return c[j][i] + ring(along[j], i-1) - along[j][i] })
		for j := range c {
			substeps := 8
			if j >= 5*n/16 && j < 11*n/16 {
				substeps += imbalance
			}
			r := 0.4 * dt / float64(substeps)
			for range substeps {
				next := make([]float64, len(c[j]))
				for i, x := range c[j] {
					next[i] = x + r*(ring(c[j], i-1)-2*x+ring(c[j], i+1))
				}
				c[j] = next
			}
		}
		middle, steep := c[n/2-1], 0.0
		for i, x := range middle {
			steep = max(steep, math.Abs(x-ring(middle, i+1)))
		}
		dt = 0.5 / (1 + steep)
	}
	t := &table{decimals: 6}
	sum := 0.0
	for _, col := range c {
		for _, x := range col {
			sum += x
		}
	}
	t.WriteString("time step")
	t.add(dt)
	t.WriteString(" mean")
	t.add(sum / float64(n*rows))
	for j := 1; j <= n; j += max(1, n/12) {
		t.add(c[j-1][5*j%(rows-8)])
	}
	return t
}
