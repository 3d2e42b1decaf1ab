package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"whorl/experiment"
	"whorl/internal/files"
	"whorl/visual/documents"
	"whorl/visual/share"
	"whorl/visual/workspace"
	"whorl/visual/workspace/stage"
)

// show offers the traces of a workspace to the session and makes the workspace its stage. Simulated runs without a file are made by each member.
func (h *Host) show(path string) error {
	text, err := files.ReadText(path, documents.MaxWorkspace)
	if err != nil {
		return err
	}
	f, err := workspace.Read(text, 1, 1)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	h.Note = f.Report()
	registers := stage.Opening(&f.Workspace)
	for i := range f.Traces {
		e := &f.Traces[i]
		if err := h.openEntry(e, filepath.Dir(path), registers); err != nil {
			return fmt.Errorf("%s: the trace %s: %w", path, e.Name, err)
		}
	}
	var all []share.Change
	for _, key := range slices.Sorted(maps.Keys(registers)) {
		all = append(all, share.Change{Key: key, Value: json.RawMessage(registers[key])})
	}
	h.session.Put(all...)
	return nil
}

// openEntry offers the file of a trace of a workspace in a folder, or adds the register of its run.
func (h *Host) openEntry(e *workspace.TraceEntry, folder string, registers map[string]string) error {
	at := filepath.FromSlash(e.Path)
	if at != "" && !filepath.IsAbs(at) {
		at = filepath.Join(folder, at)
	}
	repeatable := e.Run != nil && e.Run.Mode != experiment.Live
	if _, err := os.Stat(at); at != "" && (err == nil || !repeatable) {
		return h.session.Offer(at, e.Name, e.Group)
	}
	if !repeatable {
		return errors.New("the workspace names no file of it and no simulated run: save the trace, and the workspace again")
	}
	b, err := json.Marshal(e.Run)
	registers[stage.RunKey(e.Name)] = string(b)
	return err
}
