package binary

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"whorl/tracer/formats/profile"
)

// A Finder finds the binaries of profiles among given files and at the paths that profiles name. It is not safe for concurrent use.
type Finder struct {
	given []*File
	open  map[string]*File // by path; nil for a file that cannot be opened
}

// NewFinder opens the given files, which Find prefers. It fails if one of them is not a binary.
func NewFinder(paths []string) (*Finder, error) {
	f := &Finder{open: map[string]*File{}}
	for _, p := range paths {
		b, err := Open(p)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%w: expected a program or a library (ELF)", err)
		}
		f.given = append(f.given, b)
		f.open[p] = b
	}
	return f, nil
}

// Close closes all binaries.
func (f *Finder) Close() {
	for _, b := range f.open {
		if b != nil {
			b.Close()
		}
	}
}

var _ profile.Binaries = (*Finder)(nil)

// Find returns the binary of a module: a given file of the same build or name, the only given file for a module without a name, or else the
// file at the path of the module. It uses a file of another build only if it was given.
func (f *Finder) Find(m profile.Module) (b profile.Binary, other bool) {
	for _, g := range f.given {
		if m.BuildID != "" && same(m.BuildID, g) {
			return g, false
		}
	}
	for _, g := range f.given {
		if filepath.Base(g.Path) == m.Name() || m.Path == "" && len(f.given) == 1 {
			return g, differs(m.BuildID, g)
		}
	}
	if !filepath.IsAbs(m.Path) || strings.HasPrefix(m.Path, "//") {
		return nil, false
	}
	found, ok := f.open[m.Path]
	if !ok {
		if info, err := os.Stat(m.Path); err == nil && info.Mode().IsRegular() {
			found, _ = Open(m.Path) // a file that is not a binary is ignored
		}
		f.open[m.Path] = found
	}
	switch {
	case found == nil:
		return nil, false
	case differs(m.BuildID, found):
		return nil, true
	}
	return found, false
}

// same reports whether a binary has a build ID. A profile may give only a prefix of the ID.
func same(id string, b *File) bool {
	return b.BuildID != "" && strings.HasPrefix(b.BuildID, strings.ToLower(id)) && len(id) >= 8
}

// differs reports whether a binary is certainly of another build: both have build IDs of the same kind.
func differs(id string, b *File) bool {
	hex := strings.Trim(strings.ToLower(id), "0123456789abcdef") == ""
	return id != "" && hex && b.BuildID != "" && !same(id, b)
}
