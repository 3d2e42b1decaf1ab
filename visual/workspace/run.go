package workspace

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"whorl/experiment"
	"whorl/internal/nearest"
)

// ReadRun reads the table of a run, with the keys of [trace.run] in a workspace file. Unknown keys and values of wrong types are errors here.
func ReadRun(run map[string]any) (experiment.Run, error) {
	var u unread
	left := table(maps.Clone(run))
	r := readRun(left, &u)
	var errs []error
	var known []string
	for _, e := range runEntries(r) {
		known = append(known, e.key)
	}
	u.note("", left)
	for _, key := range u.unknown {
		if wrong := strings.Join(u.wrong, " "); !strings.Contains(wrong, "."+key+" is a ") {
			errs = append(errs, nearest.Unknown("setting of a run", key, known))
		}
	}
	for _, wrong := range u.wrong {
		errs = append(errs, fmt.Errorf("%s: expected another type", strings.TrimPrefix(wrong, "trace.run.")))
	}
	return *r, errors.Join(errs...)
}

// RunsFile returns the text of a workspace file with the tables of panes and their layout, and with runs as traces of the names.
func RunsFile(tables map[string]any, names []string, runs []experiment.Run) (string, error) {
	rest := table(maps.Clone(tables))
	delete(rest, "trace")
	f := &File{rest: rest}
	var entries []TraceEntry
	for i, name := range names {
		entries = append(entries, TraceEntry{Name: name, Run: &runs[i]})
	}
	text := string(f.Write(Workspace{}, entries, 1))
	read, err := Read(text, 1, 1)
	if err != nil {
		return "", err
	}
	if report := read.Report(); report != "" {
		return "", errors.New(report)
	}
	return text, nil
}
