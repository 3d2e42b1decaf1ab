package network

import "slices"

// Layers returns a layer for each of some nodes, so that each is in a later layer than those that it reads, and a row within the layer. reads lists
// for each node the nodes that it reads, which may come before it in the list or after it: nodes of a cycle share no order. Rows follow the mean row of the nodes that a
// node reads, as in the method of barycentres (K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system
// structures", IEEE Trans. SMC 11(2), 1981).
func Layers(reads [][]int) (layer, row []int) {
	n := len(reads)
	layer, row = make([]int, n), make([]int, n)
	for range n { // a longest path has at most n nodes
		moved := false
		for i, in := range reads {
			for _, j := range in {
				if layer[i] <= layer[j] && layer[j]+1 < n {
					layer[i], moved = layer[j]+1, true
				}
			}
		}
		if !moved {
			break
		}
	}
	var byLayer [][]int
	for i, l := range layer {
		for len(byLayer) <= l {
			byLayer = append(byLayer, nil)
		}
		byLayer[l] = append(byLayer[l], i)
	}
	for _, nodes := range byLayer {
		mean := make(map[int]float64, len(nodes))
		for at, i := range nodes {
			sum, count := float64(at), 1.0
			if len(reads[i]) > 0 {
				sum, count = 0, 0
			}
			for _, j := range reads[i] {
				sum += float64(row[j])
				count++
			}
			mean[i] = sum / count
		}
		slices.SortStableFunc(nodes, func(a, b int) int {
			switch {
			case mean[a] < mean[b]:
				return -1
			case mean[a] > mean[b]:
				return 1
			}
			return 0
		})
		for at, i := range nodes {
			row[i] = at
		}
	}
	return layer, row
}
