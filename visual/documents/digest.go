package documents

import (
	"os"
	"path/filepath"
	"time"
)

// A Digest identifies the contents of a file. The zero Digest is unknown.
type Digest struct {
	SHA256 string // in hexadecimal digits
	Size   int64
}

// A digesting is the digest of a document's file, which a goroutine computes.
type digesting struct {
	path     string
	size     int64
	modified time.Time
	done     chan Digest // nil when value holds the result
	value    Digest
}

// Digest returns the digest of the file of a document as it is on the disk, the zero one if it has no file that can be read. Reading a long file takes
// time: Digest begins it in the background, and ready is false until it is done.
func (d *Document) Digest() (digest Digest, ready bool) {
	info, err := os.Stat(d.Path)
	if d.Path == "" || err != nil {
		return Digest{}, true
	}
	now := digesting{path: d.Path, size: info.Size(), modified: info.ModTime()}
	if w := d.digest; w == nil || w.path != now.path || w.size != now.size || !w.modified.Equal(now.modified) {
		now.done = make(chan Digest, 1)
		d.digest = &now
		go func(path string, done chan Digest) {
			digest, _ := digestOf(path) // a file that cannot be read has no digest
			done <- digest
		}(now.path, now.done)
	}
	w := d.digest
	if w.done == nil {
		return w.value, true
	}
	select {
	case w.value = <-w.done:
		w.done = nil
		return w.value, true
	default:
		return Digest{}, false
	}
}

// A Search says where the file of a trace may lie if it is no longer at its path: by its contents in a folder, in the folders inside and beside it and in
// the one above, or else at the path Beside.
type Search struct {
	Folder, Beside string
	Digest         Digest
}

// maxSearched bounds the number of files that a Search looks at.
const maxSearched = 10_000

// find returns the path of the file with the contents that are looked for, "" if there is none.
func (s *Search) find() string {
	if s.Digest.SHA256 == "" || s.Folder == "" {
		return ""
	}
	above := filepath.Dir(s.Folder)
	folders := []string{s.Folder}
	folders = append(folders, foldersIn(s.Folder)...)
	if above != s.Folder {
		folders = append(append(folders, above), foldersIn(above)...)
	}
	seen := 0
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if seen++; seen > maxSearched {
				return ""
			}
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() || info.Size() != s.Digest.Size {
				continue
			}
			path := filepath.Join(folder, e.Name())
			if got, err := digestOf(path); err == nil && got == s.Digest {
				return path
			}
		}
	}
	return ""
}

// foldersIn lists the folders in a folder.
func foldersIn(folder string) (all []string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if e.IsDir() {
			all = append(all, filepath.Join(folder, e.Name()))
		}
	}
	return all
}
