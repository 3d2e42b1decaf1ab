package profile

import (
	"errors"
	"fmt"
	"io"
)

// A File is the profile of a process, or one of the files that together are one.
type File struct {
	Name    string // for errors
	Host    string // where it ran, "" where that is not known
	Process string // what the process is called; the name where that is ""
	R       io.Reader
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
