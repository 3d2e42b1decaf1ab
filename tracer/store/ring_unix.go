//go:build unix && !aix && !solaris && !illumos

package store

import (
	"encoding/binary"
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"

	"whorl/tracer"
)

// A ring is the ring file of a trace that is being recorded, mapped into memory. The mapped memory belongs to the system, so it survives
// when the process is killed.
type ring struct {
	file  *os.File
	size  int64
	areas [][]byte
}

func createRing(path string, mark uint64) (*ring, error) {
	// The old file is removed, not truncated, because another process that records to the same path may have it mapped.
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, err
	}
	ne := binary.NativeEndian
	head := append(make([]byte, 0, ringAlign), ringMark...)
	head = ne.AppendUint64(ne.AppendUint32(ne.AppendUint32(head, ringVersion), ringOrder), mark)
	if _, err := f.Write(head[:ringAlign]); err != nil {
		f.Close()
		return nil, err
	}
	return &ring{file: f, size: ringAlign}, nil
}

// area adds the area of a stream and returns its segments, nil on failure.
func (r *ring) area(stream uint32, segments, rows int) []segment {
	size := areaSize(segments, rows)
	// Zeros are written, not skipped, so that a full disk fails here and not at a store into the mapping.
	if _, err := r.file.WriteAt(make([]byte, size), r.size); err != nil {
		return nil
	}
	b, err := syscall.Mmap(int(r.file.Fd()), r.size, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil
	}
	r.size += int64(size)
	r.areas = append(r.areas, b)
	ring := make([]segment, segments)
	for i := range ring {
		s := b[ringHead+i*segmentSize(rows):]
		ring[i] = segment{
			tracer.Segment{
				Rows: unsafe.Slice((*tracer.Event)(unsafe.Pointer(&s[ringHead])), rows),
				Fill: (*tracer.Fill)(unsafe.Pointer(&s[8])),
			},
			(*uint64)(unsafe.Pointer(&s[0])),
		}
	}
	ne := binary.NativeEndian
	ne.PutUint32(b[4:], uint32(segments))
	ne.PutUint32(b[8:], uint32(rows))
	atomic.StoreUint32((*uint32)(unsafe.Pointer(&b[0])), stream+1)
	return ring
}

// close unmaps the ring, and removes its file if the trace no longer needs it.
func (r *ring) close(remove bool) error {
	var err error
	for _, b := range r.areas {
		if e := syscall.Munmap(b); err == nil {
			err = e
		}
	}
	mine, e := r.file.Stat()
	if now, e2 := os.Stat(r.file.Name()); remove && e == nil && e2 == nil && os.SameFile(mine, now) {
		e = os.Remove(r.file.Name())
	}
	if err == nil {
		err = e
	}
	if e := r.file.Close(); err == nil {
		err = e
	}
	return err
}

// The rows of the ring file are events as they lie in memory.
var (
	_ [rowSize - unsafe.Sizeof(tracer.Event{})]struct{}
	_ [unsafe.Sizeof(tracer.Event{}) - rowSize]struct{}
)
