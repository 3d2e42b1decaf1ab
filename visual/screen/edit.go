//go:build window && !js

package screen

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"whorl/internal/editor"
	"whorl/visual/app"
)

// edit opens a line in the user's editor, and says so, or why not.
func (w *window) edit(a app.Ask) {
	said, err := openLine(a)
	if err != nil {
		said = fmt.Sprintf("%s:%d cannot be opened: %v", a.Name, a.Line, err)
	}
	w.answer(app.Event{Kind: app.Told, Text: said})
}

func openLine(a app.Ask) (said string, err error) {
	file, copied, err := sourceFile(a)
	if err != nil {
		return "", err
	}
	has := func(program string) bool { _, err := exec.LookPath(program); return err == nil }
	args, err := editor.Command(os.Getenv, has, file, a.Line)
	if err != nil {
		return "", err
	}
	cmd := exec.Command(args[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	go func() { _ = cmd.Wait() }() // it runs beside the viewer
	said = fmt.Sprintf("%s:%d is opened in %s", filepath.Base(file), a.Line, filepath.Base(args[0]))
	if copied {
		said += ": a copy of what the trace holds, for the file is not here"
	}
	return said, nil
}

// sourceFile is the whole path of a source file: where its name leads, beside the trace, or a copy of what the trace holds of it.
func sourceFile(a app.Ask) (file string, copied bool, err error) {
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
		return "", false, fmt.Errorf("there is no such file, and the trace does not hold its text")
	}
	dir, err := os.MkdirTemp("", "whorl-")
	if err != nil {
		return "", false, err
	}
	file = filepath.Join(dir, base)
	return file, true, os.WriteFile(file, []byte(a.Text), 0o400)
}
