package app

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"whorl/visual/view"
)

// Notes are the annotations that a workspace, the text of the file at path, has for the trace in another file, and the name that this trace
// has there: the one that the workspace finds in that file, else the one called like the file, else the only one that has any.
func Notes(text, path, trace string) (notes []view.Annotation, name string, err error) {
	s, err := readWorkspace(text, 1)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	by := map[string][]view.Annotation{}
	for _, n := range s.state.Shared.Annotations {
		by[n.Trace] = append(by[n.Trace], n)
	}
	names := slices.Sorted(maps.Keys(by))
	if len(names) == 0 {
		why := ""
		if report := s.report(); report != "" {
			why = ": " + report
		}
		return nil, "", fmt.Errorf("%s has no notes%s", path, why)
	}
	name = fileName(trace)
	for _, e := range s.traces {
		at := e.path
		if at != "" && !filepath.IsAbs(at) {
			at = filepath.Join(filepath.Dir(path), at)
		}
		if at != "" && filepath.Clean(at) == filepath.Clean(trace) {
			name = e.name
		}
	}
	if by[name] == nil && len(names) == 1 {
		name = names[0]
	}
	if by[name] == nil {
		return nil, "", fmt.Errorf("%s has no notes for the trace %s, only for %s", path, name, strings.Join(names, ", "))
	}
	return by[name], name, nil
}
