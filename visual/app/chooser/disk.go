package chooser

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whorl/visual/documents"
	"whorl/visual/icon"
)

// A Disk gives access to the files of the user's machine. List and Recent may take long; the viewer calls them in goroutines of their own.
type Disk interface {
	// List returns the entries of a folder, or those of the folder of a file with this file as its Found. The path "" names the folder where
	// the viewer was started.
	List(path string) (Folder, error)
	// Recent returns the files that were opened last, the newest first. They have full paths as names.
	Recent() []Entry
	// Places returns the folders that are offered beside the list.
	Places() []Place
	// Remember puts a file at the front of the recent ones.
	Remember(path string)
	// File returns a file that can be loaded.
	File(path string) *documents.File
}

// A Place is a folder with a name for the user.
type Place struct{ Name, Path string }

// A Folder is a folder with its entries.
type Folder struct {
	Path    string // absolute
	Entries []Entry
	Found   string // the name of the file that was asked for, "" for none
}

// An Entry is a file or a folder.
type Entry struct {
	Name     string
	Kind     Kind
	Format   string // the name of the format of a trace, "" for others
	Size     int64
	Modified time.Time
}

// Kind is the kind of an entry.
type Kind uint8

// The kinds.
const (
	Other Kind = iota // a file that the viewer cannot open
	Dir
	Trace
	Program
	Workspace
)

// Icon returns the icon that shows the kind of an entry.
func (e *Entry) Icon() icon.Icon {
	switch e.Kind {
	case Dir:
		return icon.Open
	case Trace:
		if e.Format == "whorl" || e.Format == "text" {
			return icon.Wheel
		}
		return icon.Nest // a profile, a tree of calls
	case Program:
		return icon.Code
	case Workspace:
		return icon.Columns
	}
	return icon.Note
}

// kindName names the kind of an entry for the list: folder, program, workspace, the format of a trace, or the ending of another file.
func (e *Entry) kindName() string {
	switch e.Kind {
	case Dir:
		return "folder"
	case Trace:
		return e.Format
	case Program:
		return "program"
	case Workspace:
		return "workspace"
	}
	return strings.TrimPrefix(filepath.Ext(e.Name), ".")
}

// hidden reports whether the name of an entry begins with a dot.
func (e *Entry) hidden() bool { return strings.HasPrefix(e.Name, ".") }

// sorted returns the entries that keep accepts: folders first, then files, each in the order of their names.
func sorted(all []Entry, keep func(*Entry) bool) (out []Entry) {
	for i := range all {
		if keep(&all[i]) {
			out = append(out, all[i])
		}
	}
	slices.SortFunc(out, func(a, b Entry) int {
		if (a.Kind == Dir) != (b.Kind == Dir) {
			if a.Kind == Dir {
				return -1
			}
			return 1
		}
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return out
}
