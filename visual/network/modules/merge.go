package modules

import (
	"whorl/visual/network"
	"whorl/visual/network/cut"
)

// merge joins traces.
func merge() *network.Module {
	return &network.Module{
		Name: "merge", Title: "Merge", Doc: "several traces as one, the PEs of each after those of the one before; all begin at 0",
		Class: network.Transform, In: []network.Port{{Name: "traces", Type: network.Trace, Many: true}}, Out: network.Trace,
		Run: func(c *network.Call) (any, error) { return cut.Join(c.Traces("traces"), cut.Tick(c.Tick)) },
	}
}
