package nbody

import "math"

// Centre is the mean of places.
func Centre(x []Vec) (c Vec) {
	for i := range x {
		c.add(&x[i], 1/float64(len(x)))
	}
	return c
}

// Spread is how far bodies are from their centre, the root of the mean square.
func Spread(x []Vec) float64 {
	g := gyration(x)
	return math.Sqrt(g[0][0] + g[1][1] + g[2][2])
}

// Asymmetry says how much a cloud of bodies is drawn out: 0 where its spread is the same in all directions, as for the corners of a cube, 1
// where all are on a line. It is the relative shape anisotropy of polymers (Theodorou and Suter, "Shape of unperturbed linear polymers:
// polypropylene", Macromolecules 18, 1985), from the invariants of the tensor of gyration.
func Asymmetry(x []Vec) float64 {
	g := gyration(x)
	trace := g[0][0] + g[1][1] + g[2][2]
	if trace == 0 {
		return 0
	}
	minors := float64(g[0][0]*g[1][1]) + float64(g[1][1]*g[2][2]) + float64(g[2][2]*g[0][0]) -
		float64(g[0][1]*g[0][1]) - float64(g[1][2]*g[1][2]) - float64(g[0][2]*g[0][2])
	return max(1-float64(3*minors/float64(trace*trace)), 0)
}

// gyration is the mean of the products of the distances from the centre.
func gyration(x []Vec) (g [3]Vec) {
	c := Centre(x)
	for i := range x {
		d, _ := minus(&x[i], &c)
		for k := range g {
			g[k].add(&d, d[k]/float64(len(x)))
		}
	}
	return g
}
