package modules

import (
	"fmt"
	"strconv"
	"strings"

	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/network/cut"
	"whorl/visual/view"
)

// peFilter keeps what happened on some PEs.
func peFilter() *network.Module {
	return &network.Module{
		Name: "pe", Title: "PEs", Doc: "what happened on some PEs, with the ancestors of their tasks",
		Class: network.Filter, In: traceIn, Out: network.Trace,
		Params: []view.Param{{Name: "pes", Label: "PEs", Doc: "numbers and ranges, as in 0-3,7", Default: "0"}},
		Check: func(v flow.Values) error {
			_, err := parsePEs(v.Text("pes"))
			return err
		},
		Run: func(c *network.Call) (any, error) {
			pes, err := parsePEs(c.Params.Text("pes"))
			if err != nil {
				return nil, err
			}
			return cut.Select(c.Trace("trace"), cut.Selection{What: "PEs " + c.Params.Text("pes"), States: true, Keep: func(e *tracer.Event, _ uint32) bool {
				return pes.Contains(int64(e.PE))
			}}, cut.Tick(c.Tick))
		},
	}
}

// parsePEs reads numbers and ranges of PEs.
func parsePEs(text string) (view.Spans, error) {
	var spans []view.Span
	for part := range strings.SplitSeq(text, ",") {
		first, last, ok := strings.Cut(strings.TrimSpace(part), "-")
		if !ok {
			last = first
		}
		a, err := strconv.ParseInt(strings.TrimSpace(first), 10, 32)
		b, err2 := strconv.ParseInt(strings.TrimSpace(last), 10, 32)
		if err != nil || err2 != nil || a < 0 || b < a {
			return nil, fmt.Errorf("PEs %s: expected numbers and ranges, as in 0-3,7", nearest.Quote(text))
		}
		spans = append(spans, view.Span{First: a, Last: b})
	}
	return view.Joined(spans), nil
}
