package modules

import (
	"fmt"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/visual/network"
	"whorl/visual/view"
)

// shareFilter keeps the procedures with most of the work.
func shareFilter() *network.Module {
	return &network.Module{
		Name: "share", Title: "Share", Doc: "the procedures or functions with at least a share of all work, with the ancestors of their tasks",
		Class: network.Filter, In: traceIn, Out: network.Trace,
		Params: []view.Param{{Name: "least", Label: "Smallest share (%)", Doc: "the least share of the work, in percent", Default: 1.0, Min: 0, Max: 100}},
		Run: func(c *network.Call) (any, error) {
			src := c.Trace("trace")
			acc, err := account.Grow(src, nil, c.Tick)
			if err != nil {
				return nil, err
			}
			codes := src.Dict().Codes()
			var all int64
			for _, p := range acc.Functions(codes) {
				all += p.Work
			}
			if all == 0 {
				return nil, fmt.Errorf("the trace has no work, so there are no shares of it")
			}
			least := c.Params.Float("least")
			heavy := make([]bool, len(codes))
			for _, p := range acc.Functions(codes) {
				if int(p.Owner) < len(heavy) {
					heavy[p.Owner] = float64(p.Work)*100 >= least*float64(all)
				}
			}
			for i := range codes {
				heavy[i] = heavy[tracer.Owner(codes, uint32(i))]
			}
			return selectCodes(c, "procedures with at least "+figures.Share(least/100, 1)+" of the work", heavy)
		},
	}
}
