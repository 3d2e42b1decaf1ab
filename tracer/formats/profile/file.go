package profile

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// A File is the profile of a process, or one of the files of such a profile.
type File struct {
	Name    string // for errors
	Host    string // where the process ran; "" if unknown
	Process string // name of the process; if "", Name is used
	R       io.Reader
}

// A Reopener is the reader of a file that can be read several times.
type Reopener interface {
	Reopen() (io.ReadCloser, error) // at its beginning
	Size() (int64, error)           // of the file, in bytes
}

// Each reads files in order and stops at the first error, which names the file. With several files, Dropped names the file of each entry.
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

// CheckProcessor returns an error unless by is one of known, the choices of a processor in a format.
func CheckProcessor(format, by string, known []string) error {
	if slices.Contains(known, by) {
		return nil
	}
	return nearest.Unknown("processor of "+format, by, known)
}

// ErrTooLong is the error for files that exceed the bounds of a profile, which other errors wrap.
var ErrTooLong = errors.New("profile too large")

// ReadAll reads r to its end. More than most bytes are an error. Data read before an error of r is returned with it.
func ReadAll(r io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if len(data) > most {
		return nil, TooLong(most)
	}
	return data, err
}

// TooLong returns the error for a file of more than most bytes. It wraps ErrTooLong.
func TooLong(most int) error {
	return fmt.Errorf("%w: more than %s unpacked", ErrTooLong, figures.Size(int64(most)))
}
