//go:build !js

package screen

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"whorl/internal/files"
	"whorl/tracer/open"
	"whorl/visual/app/chooser"
	"whorl/visual/documents"
)

// NewDisk returns the file system for the viewer's dialogs.
func NewDisk() chooser.Disk {
	d := &disk{}
	here, err := os.Getwd()
	if err == nil {
		d.places = append(d.places, chooser.Place{Name: "Started in", Path: here})
	}
	if d.home, err = os.UserHomeDir(); err == nil && d.home != here {
		d.places = append(d.places, chooser.Place{Name: "Home", Path: d.home})
	}
	d.places = append(d.places, chooser.Place{Name: "Whole disk", Path: filepath.VolumeName(here) + string(filepath.Separator)})
	if settings, err := os.UserConfigDir(); err == nil {
		d.recent = filepath.Join(settings, "whorl", "recent")
	}
	return d
}

// A disk is the file system of the process. It keeps the paths of the recent files in a text file, one on a line, the newest first.
type disk struct {
	places []chooser.Place
	home   string // "" if unknown
	recent string // path of the text file, "" for none

	mu sync.Mutex // held while the text file is read and written
}

// maxRecent bounds the number of recent files.
const maxRecent = 20

// maxSniffed bounds the number of files of a folder whose beginning is read to find their format.
const maxSniffed = 1000

func (d *disk) Places() []chooser.Place { return d.places }

func (d *disk) File(path string) *documents.File { return PathFile(path) }

func (d *disk) List(path string) (f chooser.Folder, err error) {
	if chooser.InHome(path) && d.home != "" {
		path = d.home + path[1:]
	}
	if path, err = filepath.Abs(path); err != nil {
		return f, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return f, files.OpenError(path, err)
	}
	if !info.IsDir() {
		f.Found, path = filepath.Base(path), filepath.Dir(path)
	}
	f.Path = path
	all, err := os.ReadDir(path)
	if err != nil {
		return f, fmt.Errorf("the folder %s cannot be read: %w", path, err)
	}
	for i, e := range all {
		if entry, ok := entryOf(path, e.Name(), i < maxSniffed); ok {
			f.Entries = append(f.Entries, entry)
		}
	}
	return f, nil
}

// entryOf describes a file or folder. With sniffs, it reads the beginning of a file for its format. ok is false for a broken link and for anything else that is
// neither a file nor a folder.
func entryOf(folder, name string, sniffs bool) (e chooser.Entry, ok bool) {
	path := filepath.Join(folder, name)
	info, err := os.Stat(path) // of the file that a link leads to
	if err != nil {
		return e, false
	}
	e = chooser.Entry{Name: name, Size: info.Size(), Modified: info.ModTime()}
	ext := strings.ToLower(filepath.Ext(name))
	switch {
	case info.IsDir():
		e.Kind = chooser.Dir
	case !info.Mode().IsRegular():
		return e, false
	case slices.Contains(documents.ProgramEndings, ext):
		e.Kind = chooser.Program
	case ext == documents.WorkspaceEnding:
		e.Kind = chooser.Workspace
	case sniffs:
		if e.Format = open.FormatOf(path); e.Format != "" {
			e.Kind = chooser.Trace
		}
	}
	return e, true
}

// paths returns the paths of the recent files.
func (d *disk) paths() (all []string) {
	text, err := os.ReadFile(d.recent)
	if err != nil {
		return nil // no file has been opened yet
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); filepath.IsAbs(line) && len(all) < maxRecent {
			all = append(all, line)
		}
	}
	return all
}

func (d *disk) Recent() (all []chooser.Entry) {
	d.mu.Lock()
	paths := d.paths()
	d.mu.Unlock()
	for _, path := range paths {
		if e, ok := entryOf("", path, true); ok {
			all = append(all, e)
		}
	}
	return all
}

// Remember writes the text file. A list that cannot be written is not kept.
func (d *disk) Remember(path string) {
	if d.recent == "" || strings.ContainsAny(path, "\r\n") {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	all := append([]string{path}, slices.DeleteFunc(d.paths(), func(p string) bool { return p == path })...)
	text := strings.Join(all[:min(len(all), maxRecent)], "\n") + "\n"
	_ = os.MkdirAll(filepath.Dir(d.recent), 0o700)
	_ = new(files.Writer).Write(d.recent, func(out io.Writer) error { _, err := io.WriteString(out, text); return err })
}
