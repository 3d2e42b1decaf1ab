package modules

import (
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/network/shown"
	"whorl/visual/view"
)

// display is the module of a view: of the matrix or the table of a module for the views of package shown, of a trace for all others.
func display(k *view.Kind) *network.Module {
	m := &network.Module{
		Name: k.Name, Title: k.Title, Doc: k.Doc, Class: network.Display, Out: network.Picture, Params: k.Params, View: k,
		In: traceIn,
		Shows: func(in flow.Input) flow.Swap {
			return flow.Instead(&view.Trace.Stage, in.(*flow.Stage[tracer.Source]))
		},
	}
	switch k.Name {
	case "heat":
		m.In = matrixIn
		m.Shows = func(in flow.Input) flow.Swap {
			return flow.Instead(&shown.Matrix.Stage, in.(*flow.Stage[*network.Matrix]))
		}
	case "sheet":
		m.In = tableIn
		m.Shows = func(in flow.Input) flow.Swap {
			return flow.Instead(&shown.Table.Stage, in.(*flow.Stage[*network.Table]))
		}
	}
	return m
}
