//go:build !js

package open

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/tracer/formats"
)

// noTrace returns the error for a folder that is no trace: what it may hold, and a trace near it. It returns nil for other paths.
func noTrace(path string) error {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil
	}
	var holds []string
	for _, f := range formats.All {
		if f.ReadIn != nil || f.ReadAll != nil && !f.Profile {
			holds = append(holds, "*"+f.Ext)
		}
		if f.Main != "" {
			holds = append(holds, f.Main)
		}
	}
	text := path + ": a folder without a trace: expected " + strings.Join(holds, ", ") + ", profiles, or table.csv and runs.jsonl of a sweep"
	if near := nearTrace(path); near != "" {
		text += "; did you mean " + near + "?"
	}
	return errors.New(text)
}

// nearTrace returns a trace beside a folder with the same name, in the folder, or in one of its folders; "" if there is none.
func nearTrace(path string) string {
	inside, folders := entries(path)
	var near []string
	for _, f := range formats.All {
		if f.ReadIn != nil {
			near = append(near, filepath.Clean(path)+f.Ext)
		}
	}
	near = append(near, inside...)
	for _, folder := range folders {
		if logs, _ := logsIn(folder, ""); len(logs) > 0 {
			near = append(near, logs[0])
		}
		near = append(near, firstFiles(folder)...)
	}
	for _, folder := range folders {
		inside, _ := entries(folder)
		near = append(near, inside...)
	}
	if i := slices.IndexFunc(near, func(name string) bool { return FormatOf(name) != "" }); i >= 0 {
		return near[i]
	}
	return ""
}
