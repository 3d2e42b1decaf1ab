package workspace

import "whorl/tracer"

// Questions is the registry of the default workspaces. A new one is an entry of this list.
var Questions = []Question{
	{
		Name: "balance", Title: "Balance", Doc: "Do all PEs get the same work, and which parts of the program are uneven?",
		Plans: []*Plan{
			columns(0.56, tabs(show("kaleidoscope", "color", "pe")),
				rows(0.55, tabs(show("utilisation", "color", "pe"), show("timeline", "color", "pe")), tabs(show("measures"), show("efficiency")))),
			columns(0.5, rows(0.6, tabs(show("procedures"), show("functions")), tabs(show("overview", "sort", "ticks"))),
				rows(0.55, tabs(show("utilisation", "color", "pe"), show("halo"), show("kinds")), tabs(show("efficiency"), show("measures")))),
		},
	},
	{
		Name: "waiting", Title: "Waiting", Doc: "Where do PEs and threads stand still, and what do they wait for?",
		Plans: []*Plan{
			columns(0.5, tabs(show("threadgraph", "time", "wait")),
				rows(0.55, tabs(show("timeline", "messages", "true"), show("utilisation")), tabs(show("efficiency"), show("measures"), show("source")))),
			columns(0.6, rows(0.6, tabs(show("timeline", "messages", "true")), tabs(show("utilisation"))),
				rows(0.5, tabs(show("efficiency")), tabs(show("measures"), show("source")))),
		},
	},
	{
		Name: "communication", Title: "Communication", Doc: "Which PEs talk to each other, how much and when?",
		Needs: tracer.Kinds(tracer.Send), Lacks: "needs Send events: no PE of this run sends a message",
		Plans: []*Plan{
			columns(0.55, tabs(show("bodies", "color", "traffic")),
				rows(0.6, tabs(show("timeline", "messages", "true")), tabs(show("measures"), show("efficiency")))),
		},
	},
	{
		Name: "lines", Title: "Lines", Doc: "Which lines and procedures of the program take the time?",
		Plans: []*Plan{
			columns(0.5, tabs(show("source")),
				rows(0.55, tabs(show("overview"), show("surface")), tabs(show("detail"), show("minmax"), show("assembler"), show("procedures")))),
		},
	},
	{
		Name: "contexts", Title: "Contexts", Doc: "Through which calls is the time spent, and by which processes?",
		Plans: []*Plan{
			columns(0.55, rows(0.5, tabs(show("contexts"), show("functions")), tabs(show("halo"))),
				rows(0.62, tabs(show("sunburst"), show("kinds")), tabs(show("source")))),
		},
	},
	{
		Name: "policies", Title: "Policies", Doc: "How do compared runs differ: under other policies, on other machines, with other sizes?",
		Compared: true,
		Plans: []*Plan{
			columns(0.74, runs(rows(0.6, tabs(show("kaleidoscope", "color", "pe"), show("threadgraph"), show("contexts"), show("bodies")), tabs(show("utilisation"), show("timeline")))),
				rows(0.5, tabs(show("efficiency"), show("measures")), tabs(show("source")))),
		},
	},
}

func show(view string, params ...string) Show { return Show{view, params} }
func tabs(views ...Show) *Plan                { return &Plan{Views: views} }
func columns(share float64, a, b *Plan) *Plan { return &Plan{Split: Columns, Share: share, A: a, B: b} }

func rows(share float64, a, b *Plan) *Plan { return &Plan{Split: Rows, Share: share, A: a, B: b} }
func runs(p *Plan) *Plan                   { p.Runs = true; return p }
