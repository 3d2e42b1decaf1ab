package store

import (
	"bytes"
	"fmt"
	"io"
)

// A Scratch is a temporary file. What is written at some offset can be read there; a write beyond the end makes the file longer.
type Scratch interface {
	io.ReaderAt
	io.WriterAt
}

// A spill keeps the payloads of event blocks: the first ones in memory, the others in a Scratch. The zero spill keeps all in memory.
type spill struct {
	most   int64                   // bytes in memory
	create func() (Scratch, error) // nil for no limit
	held   int64                   // bytes in memory
	file   Scratch                 // nil while all are in memory
}

// keep keeps the payload of a block at an offset, which no other block has. It returns a copy, or nil if the payload is in the file.
func (s *spill) keep(payload []byte, offset int64) ([]byte, error) {
	if s.file == nil && s.create != nil && s.held+int64(len(payload)) > s.most {
		var err error
		if s.file, err = s.create(); err != nil {
			s.file = nil
			return nil, fmt.Errorf("the trace needs a temporary file: %w", err)
		}
	}
	if s.file == nil {
		s.held += int64(len(payload))
		return bytes.Clone(payload), nil
	}
	if _, err := s.file.WriteAt(payload, offset+frameSize); err != nil {
		return nil, fmt.Errorf("the temporary file of the trace: %w", err)
	}
	return nil, nil
}

// read reads the payload of a block from a Scratch into buffer, which may be too short, and returns it.
func read(file Scratch, b *eventBlock, buffer []byte) ([]byte, error) {
	n := int(b.size) - frameSize
	if cap(buffer) < n {
		buffer = make([]byte, n)
	}
	buffer = buffer[:n]
	if _, err := file.ReadAt(buffer, b.offset+frameSize); err != nil {
		return buffer, fmt.Errorf("the temporary file of the trace: %w", err)
	}
	return buffer, nil
}
