package perfetto

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"

	"whorl/internal/protobuf"
)

var errCut = errors.New("the file ends within a packet")

// An input counts the bytes that are read.
type input struct {
	*bufio.Reader
	read int64 // bytes
}

func (in *input) skip(n int) {
	n, _ = in.Discard(n)
	in.read += int64(n)
}

// frame returns the length of the head of the next packet, which is its tag and its size, and the length of its content. The error is io.EOF at the end of the
// file, and errCut where the file ends within a head.
func (in *input) frame() (head int, size int64, err error) {
	b, err := in.Peek(1 + binary.MaxVarintLen64)
	switch {
	case len(b) == 0:
		return 0, 0, err
	case b[0] != packetTag:
		return 0, 0, fmt.Errorf("a field of the number %d: expected a packet", b[0]>>3)
	}
	long, n := binary.Uvarint(b[1:])
	switch {
	case n == 0:
		return 0, 0, cut(err)
	case n < 0 || long > mostPacket:
		return 0, 0, fmt.Errorf("a packet of %d bytes: expected at most %d", long, mostPacket)
	}
	return 1 + n, int64(long), nil
}

// packetTag is the tag of a packet in a trace.
const packetTag = 1<<3 | 2

// ahead is the number of bytes that resume looks through at a time. It finds no packet that is longer.
const ahead = 1 << 16

// resume goes to the next packet that has known fields alone, and that another packet or the end of the file follows. It returns false if there is none.
func (in *input) resume() bool {
	for {
		b, err := in.Peek(ahead)
		for at := range b {
			if follows(b[at:], err != nil) {
				in.skip(at)
				return true
			}
			if err == nil && at >= ahead/2 {
				break
			}
		}
		if err != nil {
			in.skip(len(b))
			return false
		}
		in.skip(ahead/2 + 1)
	}
}

// follows reports whether b begins with a packet that has known fields alone, and goes on with another packet, or ends there with the file.
func follows(b []byte, ends bool) bool {
	if len(b) < 2 || b[0] != packetTag {
		return false
	}
	size, n := binary.Uvarint(b[1:])
	if n <= 0 || size == 0 || size > uint64(len(b)-1-n) {
		return false
	}
	m := protobuf.Message{Rest: b[1+n : 1+n+int(size)]}
	for m.Next() {
		if kind, known := kinds[m.Number]; !known || (kind == 'b') != m.Packed {
			return false
		}
	}
	rest := b[1+n+int(size):]
	return !m.Bad && (len(rest) == 0 && ends || len(rest) > 0 && rest[0] == packetTag)
}
