package network

import (
	"cmp"
	"slices"
)

// Layers returns a layer for each of some nodes, so that each is in a later layer than those that it reads, and a row within the layer. reads lists
// for each node the nodes that it reads, which may come before it in the list or after it: nodes of a cycle share no order. The links from a node to
// nodes further than one layer away pass between the nodes of the layers in between: pass has their row in the next layer, in the one after it, and
// so on.
//
// Rows follow the mean row of the nodes that a node reads, as in the method of barycentres (K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual
// understanding of hierarchical system structures", IEEE Trans. SMC 11(2), 1981). A link that passes a layer counts as a node of it.
func Layers(reads [][]int) (layer, row []int, pass [][]int) {
	n := len(reads)
	layer = append(layer, make([]int, n)...)
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
	reads = slices.Clone(reads)
	pass = make([][]int, n)
	for i := range n {
		for _, j := range reads[i] {
			for l := layer[j] + 1 + len(pass[j]); l < layer[i]; l++ {
				from := j
				if k := len(pass[j]); k > 0 {
					from = pass[j][k-1]
				}
				pass[j] = append(pass[j], len(reads))
				reads, layer = append(reads, []int{from}), append(layer, l)
			}
		}
	}
	row = make([]int, len(reads))
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
		slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
		for at, i := range nodes {
			row[i] = at
		}
	}
	for _, nodes := range pass {
		for k, i := range nodes {
			nodes[k] = row[i]
		}
	}
	return layer[:n], row[:n], pass
}
