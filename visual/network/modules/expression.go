package modules

import (
	"whorl/tracer"
	"whorl/tracer/query"
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/network/cut"
	"whorl/visual/view"
)

// expressionFilter keeps the events that meet a condition.
func expressionFilter() *network.Module {
	return &network.Module{
		Name: "expression", Title: "Expression", Doc: "the events for which a condition holds, with the threads that they are of and all ancestors",
		Class: network.Filter, In: traceIn, Out: network.Trace,
		Params: []view.Param{{Name: "where", Label: "Where", Doc: "a condition on events, as in pe in 3..7 and procedure ~ /^big/", Default: "pe >= 0"}},
		Check: func(v flow.Values) error {
			_, err := query.Parse(v.Text("where")) // the trace has the names
			return err
		},
		Run: func(c *network.Call) (any, error) {
			src := c.Trace("trace")
			e, err := query.Parse(c.Params.Text("where"))
			if err != nil {
				return nil, err
			}
			holds, err := query.Where(query.Events(src.Dict()), e)
			if err != nil {
				return nil, err
			}
			s := cut.Selection{What: e.String(), Threads: true, Keep: func(e *tracer.Event, _ uint32) bool { return holds(e) }}
			return cut.Select(src, s, cut.Tick(c.Tick))
		},
	}
}
