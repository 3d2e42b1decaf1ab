package inspect

import (
	"strings"

	"whorl/cmd/whorl/internal/command"
)

// The tables of this file list the uses of convert and dump where each flag has an effect. Any other use refuses the flag.

// The flags of convert have an effect in conversions to worlds (true) or to traces (false).
var convertScopes = []command.Scope[bool]{
	{Flags: []string{"from", "to", "processor", "merge", "binary", "source", "program"}},
	{Flags: []string{"metric"}, In: func(world bool) bool { return !world }, Only: "is for profiles"},
	{Flags: []string{"set", "until", "length", "keys"}, In: func(world bool) bool { return world }, Only: "is for worlds: " + strings.Join(worldNames(), ", ")},
}

// The flags of dump have an effect when it reads text (true) or writes text (false).
var dumpScopes = []command.Scope[bool]{
	{Flags: []string{"read"}},
	{Flags: []string{"output"}, In: func(reads bool) bool { return reads }, Only: "is for dump --read; without it dump writes to standard output"},
	{
		Flags: []string{"processor", "merge", "binary", "source", "program"},
		In:    func(reads bool) bool { return !reads }, Only: "is for traces, and dump --read reads text",
	},
}
