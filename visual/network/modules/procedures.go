package modules

import (
	"whorl/tracer/derive/account"
	"whorl/visual/network"
	"whorl/visual/view"
)

// procedures adds up the work by procedure.
func procedures() *network.Module {
	return &network.Module{
		Name: "profile", Title: "Profile", Doc: "a table of the procedures or functions with their work, most work first",
		Class: network.Transform, In: traceIn, Out: network.Tabular,
		Run: func(c *network.Call) (any, error) {
			src := c.Trace("trace")
			acc, err := account.Grow(src, nil, c.Tick)
			if err != nil {
				return nil, err
			}
			codes := src.Dict().Codes()
			parts := acc.Functions(codes)
			var all int64
			for _, p := range parts {
				all += p.Work
			}
			name := network.Column{Name: "procedure", Texts: []string{}}
			work := network.Column{Name: "work", Unit: "ns", Numbers: []float64{}}
			share := network.Column{Name: "share", Unit: network.ShareUnit, Numbers: []float64{}}
			count := network.Column{Name: "reductions", Numbers: []float64{}}
			runs := network.Column{Name: "runs", Numbers: []float64{}}
			t := &network.Table{Title: "Procedures by their work"}
			for _, p := range parts {
				label := "(unknown)"
				if int(p.Owner) < len(codes) && codes[p.Owner].Name != "" {
					label = codes[p.Owner].Name
				}
				name.Texts = append(name.Texts, label)
				work.Numbers = append(work.Numbers, float64(p.Work))
				share.Numbers = append(share.Numbers, float64(p.Work)/max(float64(all), 1))
				count.Numbers = append(count.Numbers, float64(p.Reductions))
				runs.Numbers = append(runs.Numbers, float64(p.Runs))
				t.Things = append(t.Things, view.Selection{Codes: []uint32{p.Owner}})
			}
			t.Columns = []network.Column{name, work, share, count, runs}
			return t, nil
		},
	}
}
