package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Create returns a Writer of a new file at path, and replaces what is there; someone who has that open keeps it. A link is followed.
// Until Close a second file stands beside it, path + ".ring", in which the newest events lie: whenever the process dies, the two together
// hold every event of a stream before its last Slot or Sync.
// What is there and is no regular file, such as a pipe, is written to as it is, and has no ring.
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
			_ = r.close(true) // the error that matters is the file's
		}
		return nil, err
	}
	w := start(f, r, mark)
	w.done = func() error {
		// From here on the file stands alone, and is the same for the same events.
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

// replace creates a file in place of the one of which info tells, nil for none.
func replace(path string, info os.FileInfo) (*os.File, error) {
	if info == nil {
		return os.Create(path)
	}
	// To replace a file is no way to change what one may not write to.
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

// createInPlace writes to something that is no regular file.
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
