package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A Dir is a folder of this computer.
type Dir struct {
	path string // absolute
	root *os.Root
}

// OpenDir opens a folder.
func OpenDir(path string) (*Dir, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(full)
	if err != nil {
		return nil, err
	}
	return &Dir{full, root}, nil
}

// Close closes the folder. Open files stay open.
func (d *Dir) Close() error { return d.root.Close() }

// inside returns the path of a file relative to the folder. A path to somewhere else is an error, as is one through a
// symbolic link, which os.Root finds.
func (d *Dir) inside(name string) (string, error) {
	rel := name
	if filepath.IsAbs(name) {
		var err error
		if rel, err = filepath.Rel(d.path, name); err != nil {
			return "", d.outside(name)
		}
	}
	if !filepath.IsLocal(rel) {
		return "", d.outside(name)
	}
	return rel, nil
}

func (d *Dir) outside(name string) error {
	return fmt.Errorf("%s is outside of %s, the folder for the files of the program", name, d.path)
}

// Open opens a file.
func (d *Dir) Open(name string, how How) (File, error) {
	rel, err := d.inside(name)
	if err != nil {
		return nil, err
	}
	flags := os.O_RDONLY
	switch {
	case how.Read && how.Write:
		flags = os.O_RDWR
	case how.Write:
		flags = os.O_WRONLY
	}
	if how.Create {
		flags |= os.O_CREATE
	}
	if how.Truncate {
		flags |= os.O_TRUNC
	}
	if how.New {
		flags |= os.O_EXCL
	}
	info, err := d.root.Stat(rel)
	if err == nil && !info.Mode().IsRegular() { // opening a pipe would wait for its other end
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	f, err := d.root.OpenFile(rel, flags, 0o666)
	if err != nil {
		return nil, d.named(name, err)
	}
	return diskFile{f}, nil
}

// named replaces the name of an error of os.Root, which says little about links.
func (d *Dir) named(name string, err error) error {
	var e *os.PathError
	if !errors.As(err, &e) {
		return err
	}
	if e.Err.Error() == "path escapes from parent" {
		return d.outside(name)
	}
	return e
}

// Exists reports whether there is a file of the name in the folder.
func (d *Dir) Exists(name string) bool {
	rel, err := d.inside(name)
	if err != nil {
		return false
	}
	_, err = d.root.Stat(rel)
	return err == nil
}

// Remove deletes a file.
func (d *Dir) Remove(name string) error {
	rel, err := d.inside(name)
	if err != nil {
		return err
	}
	return d.named(name, d.root.Remove(rel))
}

// Scratch opens a file in the system's folder of temporary files.
func (d *Dir) Scratch() (File, error) {
	f, err := os.CreateTemp("", "whorl-scratch-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // where open files cannot be removed, Close removes it
	return scratchFile{diskFile{f}}, nil
}

// A diskFile is an open file of this computer.
type diskFile struct{ *os.File }

// Size returns the number of bytes.
func (f diskFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// A scratchFile is deleted when it is closed.
type scratchFile struct{ diskFile }

// Close closes and deletes the file.
func (f scratchFile) Close() error {
	err := f.diskFile.Close()
	if gone := os.Remove(f.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) && err == nil {
		err = gone
	}
	return err
}
