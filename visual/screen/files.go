//go:build !js

package screen

import (
	"io"
	"os"
	"path/filepath"

	"whorl/visual/documents"
)

// Files returns the files named by command-line arguments.
func Files(args []string) []*documents.File {
	var files []*documents.File
	for _, path := range args {
		files = append(files, PathFile(path))
	}
	return files
}

// PathFile returns the file with the given path. Its path becomes absolute, because a workspace that names it may be
// saved in another folder.
func PathFile(path string) *documents.File {
	size := int64(-1)
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	return &documents.File{Name: filepath.Base(path), Path: path, Size: size, Read: func() (io.ReadCloser, error) { return os.Open(path) }}
}
