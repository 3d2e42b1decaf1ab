package nbody

import "math"

// Centre returns the mean of the places.
func Centre(x []Vec) (c Vec) {
	for i := range x {
		c.add(&x[i], 1/float64(len(x)))
	}
	return c
}

// Spread returns the root mean square distance of the bodies from their centre.
func Spread(x []Vec) float64 {
	g := gyration(x)
	return math.Sqrt(g[0][0] + g[1][1] + g[2][2])
}

// Asymmetry measures how elongated a cloud of bodies is: 0 if its spread is equal in all directions, as for the
// corners of a cube, 1 if all bodies lie on a line. It is the relative shape anisotropy of polymers, from the
// invariants of the gyration tensor (Theodorou and Suter, "Shape of unperturbed linear polymers: polypropylene",
// Macromolecules 18, 1985).
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

// gyration returns the gyration tensor: the mean products of the coordinates relative to the centre.
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
