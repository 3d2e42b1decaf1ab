package modules

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"whorl/internal/nearest"
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/network/cut"
	"whorl/visual/view"
)

// timeFilter keeps a range of time.
func timeFilter() *network.Module {
	return &network.Module{
		Name: "time", Title: "Time", Doc: "the part of a trace from one time to another; work is cut at the bounds",
		Class: network.Filter, In: traceIn, Out: network.Trace,
		Params: []view.Param{
			{Name: "from", Label: "From", Doc: "time after the beginning of the run, as in 1.5ms, or a share of the run, as in 50%", Default: "0%"},
			{Name: "to", Label: "To", Doc: "like from", Default: "100%"},
		},
		Check: func(v flow.Values) error {
			for _, name := range []string{"from", "to"} {
				if _, err := parseTime(v.Text(name), 0, 1000); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			return nil
		},
		Run: func(c *network.Call) (any, error) {
			src := c.Trace("trace")
			first, last := src.Span()
			from, _ := parseTime(c.Params.Text("from"), first, last)
			to, _ := parseTime(c.Params.Text("to"), first, last)
			if to < from {
				return nil, fmt.Errorf("the range ends at %s, before it begins at %s", c.Params.Text("to"), c.Params.Text("from"))
			}
			return cut.Time(src, from, to, cut.Tick(c.Tick))
		},
	}
}

// parseTime reads a time of a run from first to last, in ns.
func parseTime(text string, first, last int64) (int64, error) {
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		x, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
		if err != nil || !(x >= 0 && x <= 100) {
			return 0, fmt.Errorf("%s: expected a share from 0%% to 100%%", nearest.Quote(text))
		}
		return first + int64(x/100*float64(last-first)), nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%s: expected a time, as in 1.5ms, or a share, as in 50%%", nearest.Quote(text))
	}
	return first + int64(d), nil
}
