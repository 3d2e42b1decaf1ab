package modules

import (
	"errors"

	"whorl/internal/figures"
	"whorl/tracer/derive/activity"
	"whorl/visual/network"
	"whorl/visual/view"
)

// activityShares divides the time of each PE into intervals.
func activityShares() *network.Module {
	return &network.Module{
		Name: "activity", Title: "Activity", Doc: "the share of each interval of the run in which each PE worked, had overhead or was idle",
		Class: network.Transform, In: traceIn, Out: network.Grid,
		Params: []view.Param{
			{Name: "state", Label: "State", Doc: "which state is counted", Default: "busy", Choices: []string{"busy", "overhead", "idle"}},
			{Name: "intervals", Label: "Intervals", Doc: "number of intervals of equal length", Default: int64(100), Min: 1, Max: 10_000},
		},
		Run: func(c *network.Call) (any, error) {
			a, err := activity.Build(c.Trace("trace"), nil, c.Tick)
			if err != nil {
				return nil, err
			}
			const most = 10_000_000
			n := int(c.Params.Int("intervals"))
			if a.PEs*n > most {
				return nil, errors.New("the matrix has more than " + figures.Count(most) + " cells: choose fewer intervals")
			}
			bounds := make([]int64, n+1)
			for i := range bounds {
				bounds[i] = a.From + int64(float64(a.To-a.From)*float64(i)/float64(n))
			}
			m := &network.Matrix{Title: c.Params.Text("state") + " share", Shares: true, Rows: network.PEs(a.PEs), Cols: network.Axis{Name: "time"}}
			for i := range n {
				m.Cols.Labels = append(m.Cols.Labels, figures.Duration(bounds[i]-a.From))
				m.Cols.Things = append(m.Cols.Things, view.Selection{Time: &view.Span{First: bounds[i], Last: bounds[i+1]}})
			}
			shares := make([]activity.Share, n)
			for pe := range a.PEs {
				clear(shares)
				track := activity.Track{PEs: 1}
				if pe < len(a.Lanes) {
					track = a.Lanes[pe].Track
				}
				track.Columns(bounds, shares)
				for i, s := range shares {
					x := s.Busy
					switch c.Params.Text("state") {
					case "overhead":
						x = s.Over
					case "idle":
						x = s.Idle
					}
					m.Values = append(m.Values, float64(x)/float64(max(bounds[i+1]-bounds[i], 1)))
				}
			}
			return m, nil
		},
	}
}
