// Package files reads and writes the files that users name. Its errors are one line with the file and the cause.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// IsRegular reports whether path is a regular file.
func IsRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// CheckRegular returns an error unless path is a regular file, which can be read more than once.
func CheckRegular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return OpenError(path, err)
	}
	kind := "something else"
	switch m := info.Mode(); {
	case m.IsRegular():
		return nil
	case m.IsDir():
		kind = "a folder"
	case m&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case m&fs.ModeDevice != 0:
		kind = "a device"
	}
	return errors.New(path + ": " + kind + ", not a file")
}

// ReadText reads a file of at most limit bytes.
func ReadText(path string, limit int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", OpenError(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return "", OpenError(path, err)
	}
	if int64(len(text)) > limit {
		return "", fmt.Errorf("%s: longer than %s, the limit for such files", path, figures.Size(limit))
	}
	return string(text), nil
}

// An openError reports a file that could not be opened or read.
type openError struct {
	text string
	err  error
}

func (e *openError) Error() string { return e.text }
func (e *openError) Unwrap() error { return e.err }

// OpenError returns the error for a file that could not be opened or read because of err. If the file does not exist, it suggests files of the
// same folder with similar names.
func OpenError(path string, err error) error {
	text := path + ": " + reason(err)
	if errors.Is(err, syscall.EISDIR) {
		text = path + ": a folder, not a file"
	}
	if errors.Is(err, fs.ErrNotExist) {
		text = path + ": no such file"
		if near := similar(path); len(near) > 0 {
			text += "; did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return &openError{text, err}
}

// similar returns the files in the folder of path whose names are near its own: those with its extension, or else those with a near extension,
// or with any if path has none. The extension is no part of the compared names.
func similar(path string) []string {
	const most = 1000
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, err := folder.Readdirnames(most)
	if err != nil {
		return nil
	}
	slices.Sort(names)
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(filepath.Base(path), ext)
	same := func(e string) bool { return e == ext }
	alike := func(e string) bool { return ext == "" || len(nearest.Names(ext, []string{e})) > 0 }
	for _, fits := range []func(ext string) bool{same, alike} {
		var stems []string
		files := map[string]string{} // by stem
		for _, n := range names {
			e := filepath.Ext(n)
			if s := strings.TrimSuffix(n, e); fits(e) && files[s] == "" {
				stems, files[s] = append(stems, s), filepath.Join(filepath.Dir(path), n)
			}
		}
		if near := nearest.Names(stem, stems); len(near) > 0 {
			for i, s := range near {
				near[i] = files[s]
			}
			return near
		}
	}
	return nil
}

// An OutputError reports that output could not be written, for example because the folder does not exist or the disk is full.
type OutputError struct{ text string }

func (e *OutputError) Error() string { return e.text }

// CheckFolder returns an *OutputError for an output file that cannot be created because its folder does not exist. Commands call it before long work.
func CheckFolder(path string) error {
	info, err := os.Stat(filepath.Dir(path))
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return CannotWrite(path, err)
	}
	return nil
}

// CannotWrite returns the *OutputError for a file that could not be created, opened for writing or completed.
func CannotWrite(path string, err error) error {
	return &OutputError{"cannot write " + path + ": " + reason(err)}
}

// reason returns the text of a system error without its operation and path.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err.Error()
	}
	return err.Error()
}
