package halo

import (
	"whorl/internal/figures"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// common returns a block that holds for compared runs as it stands.
func common(b view.Block) view.Block {
	c := b
	b.Common = &c
	return b
}

// Legend explains rings, discs and lines.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	m := g.Metrics[g.Metric].Name
	subtitle := "Halo tree: calling contexts by " + m
	if !g.Inclusive {
		subtitle += ", exclusive"
	}
	if g.root != 0 {
		subtitle += ", below " + g.Name(g.root)
	}
	legend := g.LegendOf(f, subtitle)
	if err := g.Wrong(); err != nil {
		legend.Warning = view.Capital(err.Error())
	}
	shares := []string{"0 %", "50 %", "100 %"}
	ramp := func(s palette.Sequence, root bool) *view.Ramp {
		r := &view.Ramp{Ticks: shares}
		for i := range 17 {
			t := float64(i) / 16
			r.Colors = append(r.Colors, opaque(s.Color(t, g.scales.dark)))
		}
		if root {
			r.Ticks = []string{"0 %", "25 %", "100 %"}
		}
		return r
	}
	if b, ok := g.diff.Block(g.scales.dark); ok {
		legend.Blocks = append(legend.Blocks, b)
	} else if len(g.PE) > 1 {
		legend.Blocks = append(legend.Blocks,
			common(view.Block{Title: "Outer ring: above the mean", Ramp: ramp(g.scales.rings[2], false)}),
			common(view.Block{Title: "Central ring: near the mean", Ramp: ramp(g.scales.rings[1], false)}),
			common(view.Block{Title: "Inner ring: below the mean", Ramp: ramp(g.scales.rings[0], false)}),
		)
	}
	signs := view.Block{}
	if !g.diff.Compared() {
		signs.Swatches = append(signs.Swatches, view.Swatch{
			Colors: []scene.Color{g.scales.ring(1, 1)}, Label: "all processes are equal", Sign: &view.Sign{Shape: scene.Disc, Size: 0.9},
		})
	}
	if g.hot > 0 {
		signs.Swatches = append(signs.Swatches, view.Swatch{
			Colors: []scene.Color{g.scales.lit}, Label: "path of " + figures.Fixed(g.hot, 0) + " % or more", Sign: &view.Sign{Line: true},
		})
	}
	if g.sought != "" && g.wrong == nil {
		signs.Swatches = append(signs.Swatches, view.Swatch{
			Colors: []scene.Color{g.scales.found}, Label: figures.Count(int64(len(g.found))) + " found", Sign: &view.Sign{Shape: scene.Disc, Size: 0.9},
		})
	}
	if n := g.closedCount(); n > 0 {
		signs.Swatches = append(signs.Swatches, view.Swatch{
			Colors: []scene.Color{f.Style.Ink}, Label: "+ callees are hidden", Sign: &view.Sign{Shape: scene.Disc, Size: 0.7},
		})
	}
	if len(signs.Swatches) > 0 {
		legend.Blocks = append(legend.Blocks, common(signs))
	}
	if len(g.functions) > 0 {
		legend.Blocks = append(legend.Blocks,
			common(view.Block{Title: "Disc of hidden functions", Ramp: ramp(g.scales.relative, false), Notes: []string{"Share of the largest"}}),
			common(view.Block{Title: "Rim of hidden functions", Ramp: ramp(g.scales.whole, true), Notes: []string{"Share of the total"}}),
		)
	}
	below := g.End[g.root] - g.root
	stand := 0
	for _, n := range g.chain {
		stand += int(n)
	}
	facts := []view.Fact{
		{Label: "Contexts", Value: figures.Count(int64(stand)) + " of " + figures.Count(int64(below))},
		{Label: "Functions", Value: figures.Count(int64(g.all))},
		{Label: "Processes", Value: figures.Count(int64(len(g.PE)))},
		{Label: "Total", Value: g.Amount(g.In[0])},
	}
	if len(g.PE) < g.Run.Meta.PEs {
		facts[2].Value += " of " + figures.Count(int64(g.Run.Meta.PEs))
	}
	if g.root != 0 {
		facts = append(facts, view.Fact{Label: "Shown", Value: g.Amount(g.In[g.root])})
	}
	var notes []string
	if g.diff.Compared() {
		notes = append(notes, "Colours show differences of means, as shares of what a process spends in total.")
	} else if len(g.PE) > 1 {
		notes = append(notes, "Rings show how many processes lie above, near and below the mean.")
	}
	if len(g.functions) > 0 {
		notes = append(notes, "The width of a line to a hidden function shows what the function spent there.")
	}
	if n := stand - len(g.nodes); n > 0 {
		notes = append(notes, "A stack is a chain of contexts with one callee each; its halo is that of the first.")
	}
	if int(below) > stand && g.least > 0 {
		notes = append(notes, "Contexts with less than "+trimmed(g.least)+" % are not drawn.")
	}
	if !g.Inclusive {
		notes = append(notes, "Inclusive values decide which contexts are drawn and which paths are highlighted.")
	}
	legend.Blocks = append(legend.Blocks, view.Block{Title: "Contexts", Facts: facts})
	if notes = append(notes, g.Notes()...); len(notes) > 0 {
		legend.Blocks = append(legend.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	legend.Blocks = append(legend.Blocks, view.Block{Title: "Run", Facts: g.Run.Facts()})
	return legend
}

// trimmed formats a number with at most two decimals and no trailing zeros.
func trimmed(x float64) string {
	for d := range 2 {
		if s := figures.Fixed(x, d); s == figures.Fixed(x, 2) || figures.Fixed(x, 2) == s+"0" || figures.Fixed(x, 2) == s+".00" {
			return s
		}
	}
	return figures.Fixed(x, 2)
}

func (g *Geometry) closedCount() (n int) {
	for _, c := range g.closed {
		if c {
			n++
		}
	}
	return n
}
