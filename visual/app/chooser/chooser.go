// Package chooser draws the dialogs for opening a file and for saving one. A Disk lists folders in the background.
package chooser

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"whorl/visual/ui"
)

// A Chooser is the dialog. It remembers the folder of the last choice.
type Chooser struct {
	Disk Disk // nil if the shell has dialogs of its own

	open   bool
	saves  bool              // the dialog saves a file
	ext    string            // of the file to save
	then   func(path string) // gets the choice
	last   string            // the folder of the last choice, "" for the folder of the viewer's start
	folder Folder
	recent bool   // the recent files are shown, not a folder
	text   string // of the field: a part of a name, a name or a path
	all    bool   // files that the viewer cannot open are shown, too
	chosen int    // the index of the chosen row, -1 for none
	err    error

	recents []Entry      // for Recent
	waiting chan listing // of the folder that is being read, nil for none
	enters  bool         // the folder is read for a path that the user has typed
}

// A listing is the answer of a Disk.
type listing struct {
	folder Folder
	recent bool
	err    error
}

// Begin opens the dialog for choosing a file to open. then gets the path.
func (c *Chooser) Begin(then func(path string)) {
	*c = Chooser{Disk: c.Disk, last: c.last, all: c.all, recents: c.recents, open: true, then: then, chosen: -1}
	c.list(c.last)
}

// BeginSaving opens the dialog for choosing where to save a file. It suggests a name; names without an extension get ext. then gets the path.
func (c *Chooser) BeginSaving(name, ext string, then func(path string)) {
	c.Begin(then)
	c.saves, c.text, c.ext = true, name, ext
}

// ReadRecent begins to read the list of recent files for Recent.
func (c *Chooser) ReadRecent() {
	c.request(func(d Disk) listing { return listing{folder: Folder{Entries: d.Recent()}, recent: true} })
}

// Recent returns the files that were opened last before the viewer began, nil until they are known.
func (c *Chooser) Recent() []Entry { return c.recents }

// list begins to read a folder.
func (c *Chooser) list(path string) {
	c.request(func(d Disk) (l listing) { l.folder, l.err = d.List(path); return l })
}

// request asks the disk in the background. The answer to an earlier request is dropped.
func (c *Chooser) request(ask func(Disk) listing) {
	disk, waiting := c.Disk, make(chan listing, 1) // a goroutine does not read the fields of c, which change meanwhile
	c.waiting, c.enters = waiting, false
	go func() { waiting <- ask(disk) }()
}

// Waiting reports whether a folder is being read.
func (c *Chooser) Waiting() bool { return c.waiting != nil }

// Receive shows a folder that has been read since the last call. It reports whether there was one.
func (c *Chooser) Receive() bool {
	select {
	case l := <-c.waiting:
		enters := c.enters
		c.waiting, c.enters = nil, false
		if !c.open { // the user has cancelled, unless this is for Recent
			if l.recent {
				c.recents = l.folder.Entries
			}
			return l.recent
		}
		if l.err == nil && enters && c.saves && l.folder.Found != "" {
			l.err = errors.New(filepath.Join(l.folder.Path, l.folder.Found) + " is a file, not a folder")
		}
		if c.err = l.err; l.err != nil {
			if c.folder.Path == "" && c.last != "" { // the folder of the last choice has gone
				c.last = ""
				c.list("")
			}
			return true
		}
		c.folder, c.recent, c.chosen = l.folder, l.recent, -1
		switch {
		case enters && l.folder.Found != "" && !c.saves:
			c.choose(filepath.Join(l.folder.Path, l.folder.Found))
		case enters && c.saves:
			_, c.text = filepath.Split(c.text)
		case enters:
			c.text = ""
		}
		return true
	default:
		return false
	}
}

// choose closes the dialog with a choice.
func (c *Chooser) choose(path string) {
	c.last, c.open = filepath.Dir(path), false
	c.then(path)
}

// rows returns the entries that the list shows.
func (c *Chooser) rows() []Entry {
	search := ""
	if !c.saves && !isPath(c.text) {
		search = strings.ToLower(strings.TrimSpace(c.text))
	}
	if c.recent {
		return slices.DeleteFunc(slices.Clone(c.folder.Entries), func(e Entry) bool { return !strings.Contains(strings.ToLower(e.Name), search) })
	}
	return sorted(c.folder.Entries, func(e *Entry) bool {
		switch {
		case !strings.Contains(strings.ToLower(e.Name), search), e.hidden() && !c.all:
			return false
		case e.Kind == Dir, c.all:
			return true
		case c.saves:
			return strings.EqualFold(filepath.Ext(e.Name), c.ext)
		}
		return e.Kind != Other
	})
}

// isPath reports whether a text is the path of a file rather than a part of a name.
func isPath(text string) bool {
	return strings.ContainsRune(text, filepath.Separator) || InHome(text)
}

// InHome reports whether a path begins with ~, which stands for the home folder.
func InHome(path string) bool {
	return path == "~" || strings.HasPrefix(path, "~"+string(filepath.Separator))
}

// enter follows a row: it shows a folder or chooses a file.
func (c *Chooser) enter(e *Entry) {
	path := e.Name
	if !c.recent {
		path = filepath.Join(c.folder.Path, e.Name)
	}
	if e.Kind == Dir {
		if !c.saves {
			c.text = ""
		}
		c.list(path)
		return
	}
	c.choose(path)
}

// confirm does what the main button says: it follows the typed path, the chosen row or the only one, or saves under the typed name.
func (c *Chooser) confirm(rows []Entry) {
	switch {
	case isPath(c.text):
		if c.text == "~" {
			c.text += string(filepath.Separator)
		}
		path := c.text
		if c.saves {
			path = filepath.Dir(path)
		}
		if !filepath.IsAbs(path) && !InHome(path) {
			path = filepath.Join(c.folder.Path, path)
		}
		c.list(path)
		c.enters = true
	case c.saves:
		c.choose(filepath.Join(c.folder.Path, c.saveName()))
	case c.chosen >= 0 && c.chosen < len(rows):
		c.enter(&rows[c.chosen])
	case len(rows) == 1:
		c.enter(&rows[0])
	}
}

// ready reports whether the main button can be pressed.
func (c *Chooser) ready(rows []Entry) bool {
	switch {
	case c.waiting != nil:
		return false
	case isPath(c.text):
		return true
	case c.saves:
		return !c.recent && c.folder.Path != "" && strings.Trim(strings.TrimSpace(c.text), ".") != ""
	}
	return c.chosen >= 0 && c.chosen < len(rows) || len(rows) == 1
}

// saveName returns the typed name, with the extension of the file unless it has one. Digits after a dot, as in v1.2, are no extension.
func (c *Chooser) saveName() string {
	name := strings.TrimSpace(c.text)
	if strings.Trim(filepath.Ext(name), ".0123456789") == "" {
		name += c.ext
	}
	return name
}

// replaces returns the entry of the folder that the saved file replaces, nil for none.
func (c *Chooser) replaces() *Entry {
	if !c.saves || isPath(c.text) {
		return nil
	}
	name := c.saveName()
	for i := range c.folder.Entries {
		if c.folder.Entries[i].Name == name {
			return &c.folder.Entries[i]
		}
	}
	return nil
}

// arrows moves the choice with the arrow keys, also while the user types.
func (c *Chooser) arrows(u *ui.Context, rows []Entry) {
	e := u.Event()
	if e == nil || e.Kind != ui.Key || !u.HasKeys() {
		return
	}
	switch e.Name {
	case "ArrowDown":
		c.pick(min(c.chosen+1, len(rows)-1), rows)
	case "ArrowUp":
		c.pick(max(c.chosen-1, 0), rows)
	default:
		return
	}
	u.TakeEvent()
}

// letters gives the keys to the field when the user types while another control, such as the list, has them.
func (c *Chooser) letters(u *ui.Context) {
	if e := u.Event(); e != nil && e.Kind == ui.Text && u.HasKeys() && strings.TrimSpace(e.Text) != "" {
		u.GrabFocus(u.ID("name"))
	}
}

// pick makes a row the chosen one. A dialog that saves suggests the name of its file.
func (c *Chooser) pick(i int, rows []Entry) {
	c.chosen = i
	if c.saves && i >= 0 && i < len(rows) && rows[i].Kind != Dir {
		c.text = rows[i].Name
	}
}
