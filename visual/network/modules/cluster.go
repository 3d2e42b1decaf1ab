package modules

import (
	"errors"
	"math"

	"whorl/internal/figures"
	"whorl/visual/network"
)

// cluster puts similar rows beside each other: the leaves of the tree of a hierarchical clustering with average linkage (R. Sokal and C. Michener,
// "A statistical method for evaluating systematic relationships", University of Kansas Science Bulletin 38, 1958) by the nearest-neighbour chain
// (F. Murtagh, "A survey of recent advances in hierarchical clustering algorithms", The Computer Journal 26(4), 1983).
func cluster() *network.Module {
	return &network.Module{
		Name: "cluster", Title: "Cluster", Doc: "the rows in an order that puts similar ones beside each other",
		Class: network.Transform, In: matrixIn, Out: network.Grid,
		Run: func(c *network.Call) (any, error) {
			m := c.Matrix("matrix")
			const most = 3000
			if m.Rows.Len() > most {
				return nil, errors.New("the matrix has more than " + figures.Count(most) + " rows: bin or skip some before")
			}
			rows, err := linked(m, c.Tick)
			if err != nil {
				return nil, err
			}
			return m.Pick(rows), nil
		},
	}
}

// linked returns the order of the leaves of the tree of clusters.
func linked(m *network.Matrix, tick func(done, total int64) error) ([]int, error) {
	n := m.Rows.Len()
	d := make([][]float64, n)
	for i := range d {
		d[i] = make([]float64, n)
		for j := range i {
			sum := 0.0
			for col, x := range m.Row(i) {
				y := x - m.At(j, col)
				sum += float64(y * y)
			}
			d[i][j] = math.Sqrt(sum)
			d[j][i] = d[i][j]
		}
		if err := tick(int64(i), int64(2*n)); err != nil {
			return nil, err
		}
	}
	leaves := make([][]int, n)
	for i := range leaves {
		leaves[i] = []int{i}
	}
	var chain []int
	for merged := 0; merged < n-1; {
		if len(chain) == 0 {
			for i, l := range leaves {
				if l != nil {
					chain = append(chain, i)
					break
				}
			}
		}
		last := chain[len(chain)-1]
		near := -1
		if len(chain) > 1 {
			near = chain[len(chain)-2] // preferred among equals, so that the chain ends
		}
		for j, l := range leaves {
			if l != nil && j != last && (near < 0 || d[last][j] < d[last][near]) {
				near = j
			}
		}
		if len(chain) < 2 || near != chain[len(chain)-2] {
			chain = append(chain, near)
			continue
		}
		chain = chain[:len(chain)-2]
		a, b := min(last, near), max(last, near)
		na, nb := float64(len(leaves[a])), float64(len(leaves[b]))
		for j, l := range leaves {
			if l != nil && j != a && j != b {
				d[a][j] = (float64(na*d[a][j]) + float64(nb*d[b][j])) / (na + nb)
				d[j][a] = d[a][j]
			}
		}
		leaves[a], leaves[b] = append(leaves[a], leaves[b]...), nil
		merged++
		if err := tick(int64(n+merged), int64(2*n)); err != nil {
			return nil, err
		}
	}
	if n == 0 {
		return nil, nil
	}
	return leaves[0], nil
}
