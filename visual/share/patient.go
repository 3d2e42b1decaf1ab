package share

import (
	"errors"
	"io"
	"time"
)

// Patient returns a file that is read again when it cannot be read, for half a minute: a member whose connection breaks goes on looking at its traces.
func Patient(r io.ReaderAt) io.ReaderAt { return patient{r} }

type patient struct{ r io.ReaderAt }

func (p patient) ReadAt(b []byte, at int64) (int, error) {
	for wait := 250 * time.Millisecond; ; wait *= 2 {
		n, err := p.r.ReadAt(b, at)
		if err == nil || errors.Is(err, io.EOF) || wait > 16*time.Second {
			return n, err
		}
		time.Sleep(wait)
	}
}
