package exec

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/hpfsim/folder"
	"whorl/testdata/must"
)

// TestFileErrors checks that errors of files name the statement, the unit, the file and the cause.
func TestFileErrors(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"open (9, file='none', status='old')", `f.f90:3:1: OPEN of unit 9: cannot open "none": no such file`},
		{"open (9, status='odl')", `f.f90:3:1: OPEN of unit 9: STATUS="ODL" (expected one of OLD NEW SCRATCH REPLACE UNKNOWN; did you mean OLD?)`},
		{"open (9, access='direct')", "OPEN of unit 9: ACCESS='DIRECT' without RECL="},
		{"write (9, *) 1; rewind 9; read (9, *) k, k", "f.f90:3:27: READ of unit 9 (fort.9): end of the file"},
		{"open (9, status='scratch'); read (9, '(i3)') k", "READ of unit 9 (a scratch file): end of the file"},
		{"write (9) k; read (9, *) k", "READ of unit 9 (fort.9): a format for a file with FORM='UNFORMATTED'"},
		{"write (9, rec=1) k", "WRITE of unit 9: ACCESS='DIRECT' without RECL="},
		{"open (9, access='direct', recl=4); write (9, rec=9223372036854775807_8) k", "WRITE of unit 9 (fort.9): REC= is not the number of a record"},
		{"open (9, access='direct', recl=4); write (9, rec=9007199254740991_8) k", "unit 9 (fort.9): a file in memory has at most 1073741824 bytes"},
		{"open (9, access='stream', form='unformatted'); write (9, pos=9223372036854775807_8) k", "a file in memory has at most"},
		{"open (9); read (9, '(i3)', advance='np') k", `READ of unit 9 (fort.9): ADVANCE="NP" (expected one of YES NO; did you mean NO?)`},
		{"write (c, '(i5)') k", "f.f90:3:1: end of the record"},
		{"read (c, *) k", `READ: "abcd" is not an integer`},
		{"read (c, c) k", `a format begins with a parenthesis in the format "abcd"`},
		{"backspace 9", "BACKSPACE of unit 9: the unit is not connected"},
		{"read (6, *) k", "READ: the unit is not connected for reading"},
	} {
		_, _, err := run(t, "f.f90", "program f\ncharacter(4) :: c = 'abcd'; integer :: k = 1\n"+c.body+"\nend\n", "", 2, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}

// TestReruns checks that runs have their own files in memory, and that runs in one folder see its files.
func TestReruns(t *testing.T) {
	const source = "logical l\ninquire (file='x', exist=l)\nprint *, l\nopen (9, file='x')\nwrite (9, *) 1\nopen (10, status='scratch')\nread (10, *, iostat=k) j\nprint *, k\nrewind 10\nwrite (10, *) 1\nend\n"
	dir := t.TempDir()
	d := must.Get(folder.OpenDir(dir))(t)
	defer d.Close()
	for _, c := range []struct {
		folder folder.Folder
		want   string
	}{{nil, "F -1"}, {nil, "F -1"}, {d, "F -1"}, {d, "T -1"}} {
		out, _, err := run(t, "r.f90", source, "", 1, Options{Folder: c.folder})
		if got := strings.Join(strings.Fields(out), " "); err != nil || got != c.want {
			t.Errorf("%s, %v, want %s", got, err, c.want)
		}
	}
	if text := must.Get(os.ReadFile(filepath.Join(dir, "x")))(t); string(text) != "           1\n" {
		t.Errorf("%q", text)
	}
}

// TestFileMemory checks that files in memory and buffers count, and that files on disk do not.
func TestFileMemory(t *testing.T) {
	const source = "do i = 1, 20000\nwrite (9, *) i\nend do\nend\n"
	var limit *LimitError
	if _, _, err := run(t, "m.f90", source, "", 1, Options{Limits: Limits{Bytes: 200000}}); !errors.As(err, &limit) {
		t.Errorf("a file in memory: %v", err)
	}
	d := must.Get(folder.OpenDir(t.TempDir()))(t)
	defer d.Close()
	if _, _, err := run(t, "m.f90", source, "", 1, Options{Limits: Limits{Bytes: 200000}, Folder: d}); err != nil {
		t.Errorf("a file of a folder: %v", err)
	}
	if _, _, err := run(t, "m.f90", "do i = 10, 99\nopen (i, status='scratch')\nend do\nend\n", "", 1, Options{Limits: Limits{Bytes: 200000}, Folder: d}); !errors.As(err, &limit) {
		t.Errorf("many open files: %v", err)
	}
}
