package profile

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"whorl/internal/nearest"
)

// A File is the profile of a process, or one of the files that together are one.
type File struct {
	Name    string // for errors
	Host    string // where it ran, "" where that is not known
	Process string // what the process is called; the name where that is ""
	R       io.Reader
}

// Each reads files one after the other, up to the first that fails, whose error names it. Of several, what is dropped is said of its file.
func (w *Writer) Each(files []File, read func(f *File) error) error {
	defer func() { w.Dropped.File = "" }()
	for i := range files {
		if len(files) > 1 {
			w.Dropped.File = files[i].Name
		}
		if err := read(&files[i]); err != nil {
			return &FileError{Name: files[i].Name, Err: err}
		}
	}
	return nil
}

// CheckProcessor is the error for what a processor cannot be in a format, nil for one of those it can.
func CheckProcessor(format, by string, known []string) error {
	if slices.Contains(known, by) {
		return nil
	}
	text := fmt.Sprintf("in %s a processor is a %s, not %q", format, strings.Join(known, ", a "), by)
	if near := nearest.Names(by, known); len(near) > 0 {
		text += ": did you mean " + near[0] + "?"
	}
	return errors.New(text)
}

// ErrTooLong is in the error for a file that has more than a profile can have.
var ErrTooLong = errors.New("it has too much for a profile")

// ReadAll reads all that there is, up to a bound in bytes. What came before an error is returned with it.
func ReadAll(r io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if len(data) > most {
		return nil, TooLong(most)
	}
	return data, err
}

// TooLong is the error for a file that has more bytes than it may.
func TooLong(most int) error {
	return fmt.Errorf("%w: more than %d MiB unpacked", ErrTooLong, most>>20)
}
