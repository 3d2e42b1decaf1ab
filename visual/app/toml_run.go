package app

import (
	"maps"

	"whorl/experiment"
)

// A run in a workspace file: enough to make the same trace again.

func readRun(t table, wrong *[]string) *experiment.Run {
	const path = "trace.run."
	program, _ := take[string](t, "program", wrong, path)
	r := experiment.Defaults(program)
	text := func(key string, to *string) {
		if s, ok := take[string](t, key, wrong, path); ok {
			*to = s
		}
	}
	text("text", &r.Text)
	text("goal", &r.Goal)
	text("policy", &r.Policy)
	text("machine", &r.Machine)
	text("network", &r.Network)
	if n, ok := take[int64](t, "pes", wrong, path); ok {
		r.PEs = int(n)
	}
	if n, ok := take[int64](t, "seed", wrong, path); ok {
		r.Seed = uint64(n)
	}
	args, _ := take[[]any](t, "args", wrong, path)
	for _, a := range args {
		if s, ok := a.(string); ok {
			r.Args = append(r.Args, s)
		}
	}
	return &r
}

// writeRun returns the table of a run; rest is what is kept of a file.
func writeRun(r *experiment.Run, rest any) map[string]any {
	t := map[string]any{}
	if kept, ok := rest.(map[string]any); ok {
		maps.Copy(t, kept)
	}
	t["program"], t["policy"], t["machine"], t["pes"], t["seed"] = r.Program, r.Policy, r.Machine, int64(r.PEs), int64(r.Seed)
	for key, s := range map[string]string{"text": r.Text, "goal": r.Goal, "network": r.Network} {
		if s != "" {
			t[key] = s
		}
	}
	if len(r.Args) > 0 {
		t["args"] = r.Args
	}
	return t
}
