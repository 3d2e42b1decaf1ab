//go:build unix && !aix && !solaris && !illumos

package mapped

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// A Scratch is memory in a temporary file, which the system writes to the disk when memory is short. The file has no name. It and its memory go with the
// Scratch, which has to be kept as long as the memory is used.
type Scratch struct{ area *area }

type area struct {
	file *os.File
	data []byte
}

// NewScratch returns an empty Scratch.
func NewScratch() (*Scratch, error) {
	f, err := os.CreateTemp("", "whorl")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	s := &Scratch{&area{file: f}}
	runtime.AddCleanup(s, (*area).close, s.area)
	return s, nil
}

// Grow returns size bytes that begin with the bytes of the last call. The slice of that call becomes invalid. Grow writes zeros to the file before it maps
// the file, so that a full disk is an error and not a fault at a later write.
func (s *Scratch) Grow(size int) ([]byte, error) {
	a := s.area
	zeros := make([]byte, 1<<20)
	for at := len(a.data); at < size; at += len(zeros) {
		if _, err := a.file.WriteAt(zeros[:min(len(zeros), size-at)], int64(at)); err != nil {
			return nil, err
		}
	}
	data, err := syscall.Mmap(int(a.file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping: %w", err)
	}
	a.unmap()
	a.data = data
	return data, nil
}

func (a *area) unmap() {
	if a.data != nil {
		_ = syscall.Munmap(a.data) // on error the addresses stay
	}
}

func (a *area) close() {
	a.unmap()
	a.file.Close()
}
