package pprof

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"

	"whorl/internal/figures"
	"whorl/internal/protobuf"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/profile"
)

// Detect reports whether a file that begins with head may be a profile, compressed or not, or in an older form of gperftools or Go.
func Detect(head []byte) bool {
	head = gzipped.Head(head)
	return begins(head) || old(head)
}

// begins reports whether b may be the beginning of the message Profile. It must consist of fields of the message, the last possibly truncated,
// and contain a sample_type.
func begins(b []byte) bool {
	m := protobuf.Message{Rest: b}
	types := 0
	for m.Next() {
		table := m.Number <= 6 || m.Number == 11
		if m.Number > 15 || table != m.Packed && m.Number != 13 {
			return false
		}
		if m.Number == 1 {
			in := protobuf.Message{Rest: m.Bytes}
			for in.Next() {
				if in.Number > 2 || in.Packed {
					return false
				}
			}
			if in.Bad {
				return false
			}
			types++
		}
	}
	return types > 0
}

// beginnings are the prefixes of textual profiles.
var beginnings = []string{
	"heap profile: ", "goroutine profile: total", "threadcreate profile: total", "--- contention", "--- contentionz", "--- mutex", "--- heapz ",
	"--- growthz ", "--- threadz ",
}

// old reports whether b begins like a profile in an older form: the words 0, 3, 0 (1 of Java), the period and 0, or one of beginnings.
func old(b []byte) bool {
	for _, s := range beginnings {
		if bytes.HasPrefix(b, []byte(s)) {
			return true
		}
	}
	return oldWords(b, 8) || oldWords(b, 4)
}

// oldWords reports whether b begins with the five words of an older profile, of size bytes each, in either byte order.
func oldWords(b []byte, size int) bool {
	if len(b) < 6*size {
		return false
	}
	word := func(i int) (little, big uint64) {
		for k := range size {
			little |= uint64(b[i*size+k]) << (8 * k)
			big = big<<8 | uint64(b[i*size+k])
		}
		return little, big
	}
	for _, i := range []int{0, 4} {
		if n, _ := word(i); n != 0 {
			return false
		}
	}
	if java, swapped := word(2); java > 1 && swapped > 1 {
		return false
	}
	header, other := word(1)
	period, swapped := word(3)
	return header == 3 && period > 0 && period < 1<<31 || other == 3 && swapped > 0 && swapped < 1<<31
}

var errEmpty = errors.New("the file is empty")

// An unpacker decompresses files and reuses its memory.
type unpacker struct {
	file, unpacked bytes.Buffer
	z              gzip.Reader
}

// unpack reads a profile and returns its Protocol Buffers message. If it is compressed, it may have at most most bytes, else mostFile. cut reports
// that the file is truncated. The data is valid until the next call.
func (u *unpacker) unpack(r io.Reader, most int) (data []byte, cut bool, err error) {
	data, err = readInto(&u.file, r, mostFile)
	if err != nil {
		return nil, false, err
	}
	if gzipped.Is(data) {
		if err := u.z.Reset(bytes.NewReader(data)); err != nil {
			return nil, false, gzipped.ErrHeader
		}
		data, err = readInto(&u.unpacked, &u.z, most)
		if errors.Is(err, profile.ErrTooLong) || err != nil && len(data) == 0 {
			return nil, false, err
		}
		cut = err != nil
	}
	if len(data) == 0 {
		return nil, false, errEmpty
	}
	if old(data) {
		if len(data) > mostOld {
			return nil, false, errors.New("profile in this older format exceeds " + figures.Size(mostOld))
		}
		var short bool
		data, short, err = renewed(data)
		cut = cut || short
	}
	return data, cut, err
}

// mostFile bounds a file that can be read only once, in bytes.
const mostFile = 1 << 30

// mostOld bounds a profile in an older form, in bytes.
const mostOld = 1 << 26

// readInto replaces the contents of b by all of r, at most most bytes. Data read before an error is returned with it.
func readInto(b *bytes.Buffer, r io.Reader, most int) ([]byte, error) {
	b.Reset()
	_, err := b.ReadFrom(io.LimitReader(r, int64(most)+1))
	if b.Len() > most {
		b.Reset()
		return nil, profile.TooLong(most)
	}
	return b.Bytes(), err
}
