//go:build window && !js

package screen

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"whorl/visual/app"
	"whorl/visual/app/outbox"
)

// edit opens a line in the user's editor and reports the result to the viewer.
func (w *window) edit(a outbox.Ask) {
	said, err := openLine(a)
	if err != nil {
		said = fmt.Sprintf("%s:%d cannot be opened: %v", a.Name, a.Line, err)
	}
	w.answer(app.Event{Kind: app.Answer, Text: said})
}

func openLine(a outbox.Ask) (said string, err error) {
	file, copied, err := sourceFile(a)
	if err != nil {
		return "", err
	}
	installed := func(program string) bool { _, err := exec.LookPath(program); return err == nil }
	args, err := editorCommand(os.Getenv, installed, file, a.Line)
	if err != nil {
		return "", err
	}
	cmd := exec.Command(args[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	go func() { _ = cmd.Wait() }() // the editor runs in the background
	said = fmt.Sprintf("opened %s:%d in %s", filepath.Base(file), a.Line, filepath.Base(args[0]))
	if copied {
		said += ": a copy from the trace, since the file is missing"
	}
	return said, nil
}

// sourceFile returns the absolute path of a source file: the named file, a file beside the trace, or a copy of the
// text in the trace.
func sourceFile(a outbox.Ask) (file string, copied bool, err error) {
	base := filepath.Base(filepath.FromSlash(a.Name))
	names := []string{a.Name}
	if a.Path != "" {
		beside := filepath.Dir(a.Path)
		names = append(names, filepath.Join(beside, a.Name), filepath.Join(beside, base))
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			file, err = filepath.Abs(name)
			return file, false, err
		}
	}
	if a.Text == "" {
		return "", false, fmt.Errorf("no such file, and the trace does not contain its text")
	}
	dir, err := os.MkdirTemp("", "whorl-")
	if err != nil {
		return "", false, err
	}
	file = filepath.Join(dir, base)
	return file, true, os.WriteFile(file, []byte(a.Text), 0o400)
}
