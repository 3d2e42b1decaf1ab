package store

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
)

// Create returns a Writer of a new file at path, and replaces what is there; someone who has that open keeps it. Until Close a second file stands beside it, path + ".ring",
// in which the newest events lie: whenever the process dies, the two together hold every event of a stream before its last Slot or Sync.
func Create(path string) (*Writer, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	var id [8]byte
	rand.Read(id[:])
	mark := binary.LittleEndian.Uint64(id[:]) | 1
	r, err := createRing(ringPath(path), mark)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("the ring beside %s: %w", path, err)
	}
	if r == nil {
		mark = 0
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

func ringPath(path string) string { return path + ".ring" }
