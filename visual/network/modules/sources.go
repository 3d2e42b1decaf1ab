package modules

import (
	"errors"

	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/view"
)

// The names of the sources, by which the caller of a network knows what to supply.
const (
	TraceName  = "trace"
	ImportName = "import"
	RunName    = "run"
	SweepName  = "sweep-table"
)

// FileName is the parameter of a source with the path of its file.
const FileName = "file"

var file = view.Param{Name: FileName, Label: "File", Doc: "the file, relative to that of the network or the workspace", Default: ""}

// traceFile is a trace file, or a trace that the caller of the network has.
func traceFile() *network.Module {
	input := view.Param{Name: "input", Label: "Number of the trace", Doc: "which trace of the command or the window, if there is no file: 1 is the first", Default: int64(1), Min: 1, Max: 64}
	return &network.Module{
		Name: TraceName, Title: "Trace", Doc: "a trace: a file, or the trace that the network is applied to",
		Class: network.Source, Out: network.Trace, Params: []view.Param{file, input},
	}
}

// importFile is a profile or a trace of another program.
func importFile() *network.Module {
	format := view.Param{Name: "format", Label: "Format", Doc: "the format of the file (whorl list formats); empty finds it out", Default: ""}
	return &network.Module{
		Name: ImportName, Title: "Import", Doc: "a profile or a trace in the format of another program",
		Class: network.Source, Out: network.Trace, Params: []view.Param{file, format}, Check: needsFile,
	}
}

// sweepTable is a table in a file, such as the results of a sweep.
func sweepTable() *network.Module {
	return &network.Module{
		Name: SweepName, Title: "Table of a sweep", Doc: "a table in a CSV file with a line of headings, or in the folder that whorl sweep writes",
		Class: network.Source, Out: network.Tabular, Params: []view.Param{file}, Check: needsFile,
	}
}

func needsFile(v flow.Values) error {
	if v.Text(file.Name) == "" {
		return errors.New("the module needs a file")
	}
	return nil
}

// run is a run of a program.
func run() *network.Module {
	return &network.Module{
		Name: RunName, Title: "Run", Doc: "a run of a program on simulated PEs",
		Class: network.Source, Out: network.Trace,
		Params: []view.Param{
			{Name: "program", Label: "Program", Doc: "a benchmark (whorl list benchmarks), or a source file", Default: ""},
			{Name: "args", Label: "Arguments", Doc: "its arguments, separated by blanks", Default: ""},
			{Name: "goal", Label: "Goal", Doc: "the query of a source file", Default: ""},
			{Name: "pes", Label: "PEs", Doc: "number of PEs", Default: int64(4), Min: 1, Max: 1 << 20},
			{Name: "policy", Label: "Policy", Doc: "scheduling policy (whorl list policies); empty is the default", Default: ""},
			{Name: "machine", Label: "Machine", Doc: "machine (whorl list machines); empty is the default", Default: ""},
			{Name: "net", Label: "Network", Doc: "network of the machine (whorl list networks); empty is its own", Default: ""},
			{Name: "seed", Label: "Seed", Doc: "seed of the run", Default: int64(1), Min: 0, Max: 1 << 53},
		},
		Check: func(v flow.Values) error {
			if v.Text("program") == "" {
				return errors.New("the module needs a program")
			}
			return nil
		},
	}
}
