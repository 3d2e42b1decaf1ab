package source

import (
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// condensed returns the view for a trace whose spawn tree is larger than memory. It counts the reductions or threads of each clause while it reads
// them, and knows nothing about single ones.
func condensed(int64) *view.Kind {
	k := Kind()
	k.Picture = k.Picture.With(flow.Instead(view.SpawnTree, countStage))
	return k
}

var countStage = flow.Derive("spawntree", "numbers of reductions or threads by clause",
	flow.In(view.Trace), nil,
	func(c *flow.Call[*spawntree.Tree]) (*spawntree.Tree, error) {
		return spawntree.Count(view.Trace.In(c), c.Tick)
	})

// Memory for a node of the spawn tree while it is made, for a sample, and for the counts alone.
const (
	goalBytes   = 80
	threadBytes = 160
	sampleBytes = 50
	countBytes  = 16 << 20
)

// memoryOf returns the memory for the spawn tree of a trace and for its counts. Samples are counted by line in any case.
func memoryOf(d view.Demand) (whole, counted int64) {
	whole = d.Counts[tracer.Reduce]*goalBytes + d.Counts[tracer.Fork]*threadBytes + d.Counts[tracer.Sample]*sampleBytes
	if d.Counts[tracer.Sample] > 0 {
		return whole, whole
	}
	return whole, countBytes
}
