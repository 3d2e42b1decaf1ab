package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Create returns a Writer of a new file at path. It replaces an existing file, which stays valid for processes that have it open, and follows
// links. Until Close a second file, path + ".ring", holds the newest events: if the process dies, the two files together hold every event of a
// stream before its last Slot or Sync.
//
// Create writes in place to a file that is not regular, such as a pipe, and makes no ring for it.
func Create(path string) (*Writer, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return createInPlace(path)
	}
	mark := rand.Uint64() | 1
	r, err := createRing(ringPath(path), mark)
	if err != nil {
		return nil, fmt.Errorf("the ring beside %s: %w", path, err)
	}
	if r == nil {
		mark = 0
	}
	f, err := replace(path, info)
	if err != nil {
		if r != nil {
			_ = r.close(true) // the error of the file matters more
		}
		return nil, err
	}
	w := start(f, r, mark)
	w.done = func() error {
		// The closed file needs no ring, so its header has no mark and equal events give equal files.
		var err error
		if r != nil {
			if w.err == nil {
				_, err = f.WriteAt(appendHeader(nil, 0), 0)
			}
			if e := r.close(w.err == nil && err == nil); err == nil {
				err = e
			}
		}
		if e := f.Close(); err == nil {
			err = e
		}
		return err
	}
	return w, nil
}

// replace creates a file in place of the existing one, described by info; info is nil if there is none.
func replace(path string, info os.FileInfo) (*os.File, error) {
	if info == nil {
		return os.Create(path)
	}
	// A file without write permission must not be replaced.
	old, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	old.Close()
	if err := os.Remove(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
}

// createInPlace opens a file that is not regular.
func createInPlace(path string) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	w := start(f, nil, 0)
	w.done = f.Close
	return w, nil
}

func ringPath(path string) string { return path + ".ring" }
