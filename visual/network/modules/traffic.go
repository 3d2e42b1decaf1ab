package modules

import (
	"errors"

	"whorl/tracer/derive/traffic"
	"whorl/visual/network"
	"whorl/visual/view"
)

// messages adds up the messages between PEs.
func messages() *network.Module {
	return &network.Module{
		Name: "traffic", Title: "Traffic", Doc: "the messages, or tasks, that each PE sent to each other one",
		Class: network.Transform, In: traceIn, Out: network.Grid,
		Params: []view.Param{{Name: "count", Label: "Count", Doc: "messages, or their bytes", Default: "messages", Choices: []string{"messages", "bytes"}}},
		Run: func(c *network.Call) (any, error) {
			t, err := traffic.Grow(c.Trace("trace"), traffic.Options{}, nil, c.Tick)
			if err != nil {
				return nil, err
			}
			const most = 3000
			if t.PEs/t.Group > most {
				return nil, errors.New("the trace has too many PEs for a matrix of all pairs: choose some with the module pe")
			}
			nodes := (t.PEs + t.Group - 1) / t.Group
			m := &network.Matrix{Title: c.Params.Text("count"), Rows: network.PEs(nodes), Cols: network.PEs(nodes), Values: make([]float64, nodes*nodes)}
			m.Rows.Name, m.Cols.Name = "sending PE", "receiving PE"
			for _, f := range t.Flows {
				x := f.Messages
				if c.Params.Text("count") == "bytes" {
					x = f.Bytes
				}
				m.Values[int(f.From)*nodes+int(f.To)] += float64(x)
			}
			return m, nil
		},
	}
}
