package workspace

import (
	"whorl/tracer"
	"whorl/visual/view"
)

// Questions is the registry of the default workspaces. A new one is an entry of this list, and positions of views in the arrangements of its plans.
var Questions = []Question{
	{
		Name: "balance", Title: "Balance", Doc: "Do all PEs get the same work, and which parts of the program are uneven?",
		Plans: []Plan{
			{In: view.BalanceOfTasks, Forked: true, Shares: Shares{Left: 0.56, Right: 0.55}},
			{In: view.BalanceOfCode, Shares: Shares{Left: 0.5, Main: 0.6, Right: 0.55}},
		},
	},
	{
		Name: "waiting", Title: "Waiting", Doc: "Where do PEs and threads stand still, and what do they wait for?",
		Plans: []Plan{
			{In: view.WaitingThreads, Shares: Shares{Left: 0.5, Right: 0.55}},
			{In: view.WaitingPEs, Shares: Shares{Left: 0.6, Main: 0.6, Right: 0.5}},
		},
	},
	{
		Name: "communication", Title: "Communication", Doc: "Which PEs talk to each other, how much and when?",
		Needs: tracer.Kinds(tracer.Send), Lacks: "needs Send events: no PE of this run sends a message",
		Plans: []Plan{{In: view.Communication, Shares: Shares{Left: 0.55, Right: 0.6}}},
	},
	{
		Name: "lines", Title: "Lines", Doc: "Which lines and procedures of the program take the time?",
		Lines: true, Lacks: "needs the text of the program, or counts of its lines or functions",
		Plans: []Plan{{In: view.CodeLines, Shares: Shares{Left: 0.5, Right: 0.55}}},
	},
	{
		Name: "contexts", Title: "Contexts", Doc: "Through which calls is the time spent, and by which processes?",
		Plans: []Plan{{In: view.Contexts, Shares: Shares{Left: 0.55, Main: 0.5, Right: 0.62}}},
	},
	{
		Name: "policies", Title: "Policies", Doc: "How do compared runs differ: under other policies, on other machines, with other sizes?",
		Compared: true,
		Plans:    []Plan{{In: view.Policies, Shares: Shares{Left: 0.74, Main: 0.6, Right: 0.5}}},
	},
}
