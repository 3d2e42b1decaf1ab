package chooser

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/visual/documents"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// A tree is a disk in memory: the entries of folders by path.
type tree struct {
	folders map[string][]Entry
	recent  []Entry
	gate    chan bool // nil, or each List waits for a value
}

func (d *tree) List(path string) (Folder, error) {
	if d.gate != nil {
		<-d.gate
	}
	switch path {
	case "":
		path = "/start"
	case "~", "~/":
		path = "/home/me"
	}
	if all, ok := d.folders[path]; ok {
		return Folder{Path: path, Entries: all}, nil
	}
	folder, name := filepath.Split(path)
	folder = filepath.Clean(folder)
	if slices.ContainsFunc(d.folders[folder], func(e Entry) bool { return e.Name == name }) {
		return Folder{Path: folder, Entries: d.folders[folder], Found: name}, nil
	}
	return Folder{}, errors.New(path + " cannot be opened")
}

func (d *tree) Recent() []Entry           { return d.recent }
func (*tree) Places() []Place             { return []Place{{"Started in", "/start"}, {"Home", "/home/me"}} }
func (*tree) Remember(string)             {}
func (*tree) File(string) *documents.File { return nil }
func file(name string, k Kind, f string) Entry {
	return Entry{Name: name, Kind: k, Format: f, Size: 2048, Modified: time.Date(2030, 1, 2, 3, 4, 0, 0, time.UTC)}
}

// A session is a user before a window with the dialog.
type session struct {
	*usertest.User
	Chooser
	paths []string // that were chosen
}

func begin(t *testing.T) *session {
	s := &session{Chooser: Chooser{Disk: &tree{
		folders: map[string][]Entry{
			"/start": {
				file("b.whorl", Trace, "whorl"), file("Alpha.pb.gz", Trace, "pprof"), file("sort.fghc", Program, ""), file("w.toml", Workspace, ""),
				file("notes.md", Other, ""), file("sub", Dir, ""), file(".git", Dir, ""),
			},
			"/start/sub": {file("inner.whorl", Trace, "whorl")},
			"/home/me":   {file("w.toml", Workspace, ""), file("old.toml", Dir, "")},
			"/":          {file("start", Dir, "")},
		},
		recent: []Entry{file("/far/last.whorl", Trace, "whorl")},
	}}}
	s.User = usertest.New(t, 1000, 700, func(c *ui.Context) { s.Chooser.Draw(c) })
	return s
}

func (s *session) chosen(path string) { s.paths = append(s.paths, path) }

// rest waits until the folder is shown.
func (s *session) rest() {
	s.Helper()
	for s.Waiting() {
		if !s.Receive() {
			time.Sleep(time.Millisecond)
		}
	}
	s.Step()
}

// list returns the names of the rows.
func (s *session) list() string {
	var names []string
	for _, e := range s.rows() {
		names = append(names, e.Name)
	}
	return strings.Join(names, " ")
}

// TestOpen chooses files in every way: by a double click, by the keyboard, by a part of the name, by a path, and among the recent ones.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(s *session)
		want string
	}{
		{"double click", func(s *session) { s.Click("b.whorl"); s.In.Now -= time.Second; s.Click("b.whorl") }, "/start/b.whorl"},
		{"click, button", func(s *session) { s.Click("sort.fghc"); s.Click("Open") }, "/start/sort.fghc"},
		{"arrows", func(s *session) { s.Keys("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Enter") }, "/start/Alpha.pb.gz"},
		{"part of a name", func(s *session) { s.Type("LPHA"); s.Keys("Enter") }, "/start/Alpha.pb.gz"},
		{"letters after a click on the list", func(s *session) { s.Click("b.whorl"); s.Type("LPHA"); s.Keys("Enter") }, "/start/Alpha.pb.gz"},
		{"folder", func(s *session) { s.Click("sub"); s.Keys("Enter"); s.rest(); s.Click("inner.whorl"); s.Keys("Enter") }, "/start/sub/inner.whorl"},
		{"relative path", func(s *session) { s.Type("sub/inner.whorl"); s.Keys("Enter"); s.rest() }, "/start/sub/inner.whorl"},
		{"path of a folder", func(s *session) { s.Type("/home/me"); s.Keys("Enter"); s.rest(); s.Type("w"); s.Keys("Enter") }, "/home/me/w.toml"},
		{"folder above", func(s *session) {
			s.ClickOn("files/up")
			s.rest()
			s.Type("start")
			s.Keys("Enter")
			s.rest()
			s.Type("b.w")
			s.Keys("Enter")
		}, "/start/b.whorl"},
		{"place", func(s *session) { s.Click("Home"); s.rest(); s.Type("w.t"); s.Keys("Enter") }, "/home/me/w.toml"},
		{"recent", func(s *session) { s.Click("Recent"); s.rest(); s.Keys("Enter") }, "/far/last.whorl"},
		{"any file", func(s *session) { s.Click("Show all files"); s.Click("notes.md"); s.Keys("Enter") }, "/start/notes.md"},
		{"cancel", func(s *session) { s.Click("b.whorl"); s.Click("Cancel") }, ""},
		{"cancel while the folder is read", func(s *session) { s.Type("sub/inner.whorl"); s.Keys("Enter", "Escape", "Escape"); s.rest() }, ""},
		{"nothing chosen", func(s *session) { s.Keys("Enter") }, ""},
		{"escape", func(s *session) { s.Keys("Escape") }, ""},
	} {
		s := begin(t)
		s.Begin(s.chosen)
		s.rest()
		c.do(s)
		if got := strings.Join(s.paths, " "); got != c.want {
			t.Errorf("%s: chooses %q, want %q; the window shows\n%s", c.name, got, c.want, s.Texts())
		}
		if open := c.name == "nothing chosen"; s.open != open {
			t.Errorf("%s: the dialog is open: %v", c.name, s.open)
		}
	}
}

// TestRows: folders come first, hidden files and files that cannot be opened are left out, and each row says what it is.
func TestRows(t *testing.T) {
	s := begin(t)
	s.Begin(s.chosen)
	if !s.Shows("") || s.list() != "" {
		t.Errorf("before the folder is read the list is %q", s.list())
	}
	s.rest()
	if got, want := s.list(), "sub Alpha.pb.gz b.whorl sort.fghc w.toml"; got != want {
		t.Errorf("the list is %q, want %q", got, want)
	}
	for _, text := range []string{"/start\n", "folder\n", "pprof\n", "program\n", "workspace\n", "2 KiB\n", "2030-01-02 03:04"} {
		if !s.Shows(text) {
			t.Errorf("%q is not shown:\n%s", text, s.Texts())
		}
	}
	s.Click("Show all files")
	if got, want := s.list(), ".git sub Alpha.pb.gz b.whorl notes.md sort.fghc w.toml"; got != want {
		t.Errorf("all files are %q, want %q", got, want)
	}
	s.ClickOn("files/name")
	s.Type("/nowhere/x")
	s.Keys("Enter")
	if s.rest(); !s.Shows("/nowhere/x cannot be opened") || s.list() == "" {
		t.Errorf("a wrong path is not reported:\n%s", s.Texts())
	}
}

// TestSave saves under the suggested name, under another one, in another folder, and over a file, which the dialog says before.
func TestSave(t *testing.T) {
	for _, c := range []struct {
		name, shows string
		do          func(s *session)
		want        string
	}{
		{"as suggested", "Save\n", func(s *session) {}, "/start/workspace.toml"},
		{"another name", "Save\n", func(s *session) { s.Keys("Control+a"); s.Type("mine") }, "/start/mine.toml"},
		{"another ending", "Save\n", func(s *session) { s.Keys("Control+a"); s.Type("mine.txt") }, "/start/mine.txt"},
		{"a number", "Save\n", func(s *session) { s.Type("-1.2") }, "/start/workspace-1.2.toml"},
		{"over a file", "w.toml exists; Replace writes over it", func(s *session) { s.Click("w.toml") }, "/start/w.toml"},
		{"in a folder", "Save\n", func(s *session) {
			s.Click("sub")
			s.In.Now -= time.Second
			s.Click("sub")
			s.rest()
			s.ClickOn("files/name")
		}, "/start/sub/workspace.toml"},
		{"by a path", "w.toml exists", func(s *session) { s.Keys("Control+a"); s.Type("/home/me/w.toml"); s.Keys("Enter"); s.rest() }, "/home/me/w.toml"},
		{"by the path of a folder", "Save\n", func(s *session) {
			s.Keys("Control+a")
			s.Type("sub/")
			s.Keys("Enter")
			s.rest()
			s.Type("mine")
		}, "/start/sub/mine.toml"},
		{"at home", "w.toml exists", func(s *session) {
			s.Keys("Control+a")
			s.Type("~")
			s.Keys("Enter")
			s.rest()
			s.Type("w")
		}, "/home/me/w.toml"},
		{"a name with a tilde", "Save\n", func(s *session) { s.Keys("Control+a"); s.Type("~mine") }, "/start/~mine.toml"},
		{"a folder's name", "old.toml is a folder", func(s *session) {
			s.Click("Home")
			s.rest()
			s.ClickOn("files/name")
			s.Keys("Control+a")
			s.Type("old")
		}, ""},
		{"below a file", "/start/b.whorl is a file, not a folder", func(s *session) {
			s.Keys("Control+a")
			s.Type("/start/b.whorl/x")
			s.Keys("Enter")
			s.rest()
		}, ""},
		{"no name", "Save\n", func(s *session) { s.Keys("Control+a", "Backspace") }, ""},
	} {
		s := begin(t)
		s.BeginSaving("workspace", ".toml", s.chosen)
		s.rest()
		if c.do(s); !s.Shows(c.shows) {
			t.Errorf("%s: %q is not shown:\n%s", c.name, c.shows, s.Texts())
		}
		s.Keys("Enter")
		if got := strings.Join(s.paths, " "); got != c.want || s.open != (c.want == "") {
			t.Errorf("%s: saves as %q, want %q; the dialog is open: %v\n%s", c.name, got, c.want, s.open, s.Texts())
		}
	}
}

// TestNextTime: the dialog begins in the folder of the last choice.
func TestNextTime(t *testing.T) {
	s := begin(t)
	s.Begin(s.chosen)
	s.rest()
	s.Type("sub/inner.whorl")
	s.Keys("Enter")
	s.rest()
	s.BeginSaving("x", ".svg", s.chosen)
	if s.rest(); s.folder.Path != "/start/sub" || s.list() != "" || !s.Shows("No such files here.") {
		t.Errorf("the dialog begins in %s with %q", s.folder.Path, s.list())
	}
}

// TestBeginAgain: the dialog opens anew while the folder of the last time is still being read, whose entries it does not show.
func TestBeginAgain(t *testing.T) {
	s := begin(t)
	disk := s.Disk.(*tree)
	disk.gate = make(chan bool)
	s.last = "/start/sub"
	s.Begin(s.chosen)
	s.Keys("Escape")
	s.last = ""
	s.Begin(s.chosen)
	disk.gate <- true
	disk.gate <- true
	if s.rest(); s.folder.Path != "/start" || !strings.Contains(s.list(), "b.whorl") {
		t.Errorf("the dialog shows %s:\n%s", s.folder.Path, s.list())
	}
}

// TestFolderGone: the dialog begins in the folder in which the viewer was started if that of the last choice has gone.
func TestFolderGone(t *testing.T) {
	s := begin(t)
	s.last = "/gone"
	s.BeginSaving("x", ".toml", s.chosen)
	s.rest()
	if s.Keys("Enter"); len(s.paths) != 1 || s.paths[0] != "/start/x.toml" {
		t.Errorf("the file is saved as %q:\n%s", s.paths, s.Texts())
	}
}

// TestNoFolder: nothing is saved while no folder is shown.
func TestNoFolder(t *testing.T) {
	s := begin(t)
	s.Disk.(*tree).folders = nil
	s.BeginSaving("x", ".toml", s.chosen)
	s.rest()
	if s.Keys("Enter"); len(s.paths) > 0 || !s.Shows("/start cannot be opened") {
		t.Errorf("the file is saved as %q:\n%s", s.paths, s.Texts())
	}
}
