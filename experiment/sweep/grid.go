// Package sweep runs all runs of a grid: programs, arguments, machines and their times, networks, policies, numbers of PEs and seeds. Each run is a
// thread of package dts, so that a sweep has a trace of its own. A folder keeps the result of each run as soon as it is known, so that a sweep that
// was interrupted or killed goes on, and one table of all runs.
//
// On the hosts of a cluster (hosts.go) the process with the folder is a node, and forks each run to the node that has the fewest. A run is sent with
// the texts of the files that it names. Its result comes back as a message; so does its trace if it is kept. The cluster makes the runs of a node
// that ends again elsewhere.
package sweep

import "whorl/experiment"

// A Grid describes the runs of a sweep. Their order is that of the values in the file: programs change slowest, seeds fastest.
type Grid struct {
	Name   string // of the file
	Text   string // of the file
	Traces int64  // a trace of at most this many bytes is kept; 0 keeps none
	Live   bool   // the runs are on real cores, one at a time

	Plots []map[string]string // pictures of the table: the file in the folder of the sweep, and how it is drawn

	blocks []block
	recordings
}

// A block holds the runs of one program.
type block struct {
	base experiment.Run
	dims []dimension
	size int64
}

// A dimension holds the values of one setting.
type dimension struct {
	key    string // in the file
	values int
	set    func(r *experiment.Run, value int)
}

// MaxRuns is the largest number of runs of a sweep.
const MaxRuns = 1_000_000

// Runs returns the number of runs.
func (g *Grid) Runs() int64 {
	n := int64(0)
	for i := range g.blocks {
		n += g.blocks[i].size
	}
	return n
}

// Run returns a run of the grid; i is at least 0 and less than Runs.
func (g *Grid) Run(i int64) experiment.Run {
	k := 0
	for i >= g.blocks[k].size {
		i -= g.blocks[k].size
		k++
	}
	b := &g.blocks[k]
	chosen := make([]int, len(b.dims))
	for k := len(b.dims) - 1; k >= 0; k-- {
		n := int64(b.dims[k].values)
		chosen[k], i = int(i%n), i/n
	}
	r := b.base
	for k, d := range b.dims {
		d.set(&r, chosen[k])
	}
	return r
}

// first returns the index of the first run of a block.
func (g *Grid) first(block int) (i int64) {
	for _, b := range g.blocks[:block] {
		i += b.size
	}
	return i
}
