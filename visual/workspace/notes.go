package workspace

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"whorl/visual/view"
)

// TraceName returns the name under which the trace of a file is opened.
func TraceName(file string) string {
	return strings.TrimSuffix(filepath.Base(strings.ReplaceAll(file, `\`, "/")), ".whorl")
}

// Notes returns the annotations of a workspace for the trace in another file, and the name of this trace in the workspace. text is the text of the
// workspace and path its file. The name is that of the entry with the path of the trace, else the name of the trace's file, else the only name with
// annotations.
func Notes(text, path, trace string) (notes []view.Annotation, name string, err error) {
	f, err := Read(text, 1, 1)
	if syntax, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, "", fmt.Errorf("%s:%d: %s", path, syntax.Position.Line, syntax.Message)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	by := map[string][]view.Annotation{}
	for _, n := range f.State.Shared.Annotations {
		by[n.Trace] = append(by[n.Trace], n)
	}
	names := slices.Sorted(maps.Keys(by))
	if len(names) == 0 {
		why := ""
		if report := f.Report(); report != "" {
			why = ": " + report
		}
		return nil, "", fmt.Errorf("%s has no notes%s", path, why)
	}
	name = TraceName(trace)
	for _, e := range f.Traces {
		at := e.Path
		if at != "" && !filepath.IsAbs(at) {
			at = filepath.Join(filepath.Dir(path), at)
		}
		if at != "" && filepath.Clean(at) == filepath.Clean(trace) {
			name = e.Name
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
