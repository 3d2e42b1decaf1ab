package documents

import (
	"path/filepath"
	"strings"

	"whorl/experiment"
	"whorl/internal/files"
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/network/modules"
)

// ModuleFile returns the path of the file of a source of a network whose relative paths begin at a folder, "" for a source without a file.
func ModuleFile(v flow.Values, folder string) string {
	if path, _ := v[modules.FileName].(string); path != "" {
		return inFolder(path, folder)
	}
	return ""
}

func inFolder(path, folder string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// ModuleRun returns the run that the module run describes by its parameters. A source file lies at its path in a folder, if there is one.
func ModuleRun(v flow.Values, folder string) experiment.Run {
	r := experiment.Defaults(v.Text("program"))
	r.Args, r.Goal, r.PEs, r.Seed = strings.Fields(v.Text("args")), v.Text("goal"), int(v.Int("pes")), uint64(v.Int("seed"))
	if path := inFolder(r.Program, folder); strings.ContainsAny(r.Program, "./") && files.IsRegular(path) {
		r.Program = path
	}
	for _, p := range []struct {
		name string
		to   *string
	}{{"policy", &r.Policy}, {"machine", &r.Machine}, {"net", &r.Network}} {
		if text := v.Text(p.name); text != "" {
			*p.to = text
		}
	}
	return r
}

// mostTable is the size of the largest table that is read, in bytes.
const mostTable = 1 << 30

// ModuleTable reads the table of a file, or of the folder of a sweep.
func ModuleTable(path string) (*network.Table, error) {
	if inside := filepath.Join(path, "table.csv"); files.IsRegular(inside) {
		path = inside
	}
	text, err := files.ReadText(path, mostTable)
	if err != nil {
		return nil, err
	}
	return network.ReadCSV(filepath.Base(path), strings.NewReader(text))
}
