package pprof

import "encoding/binary"

// A message iterates over the fields of a message in the wire format of Protocol Buffers. After the last field its number is 0. bad reports
// that the rest of the message is invalid.
type message struct {
	rest   []byte
	offset int // offset of rest in the file

	number int
	value  uint64 // of a scalar field
	bytes  []byte // of a length-delimited field
	packed bool   // the field is length-delimited
	bad    bool
}

// next advances to the next field.
func (m *message) next() bool {
	if len(m.rest) == 0 {
		return false
	}
	key, ok := m.uvarint()
	m.number, m.value, m.packed, m.bytes = int(key>>3), 0, false, nil
	if !ok || key>>3 == 0 || key>>3 > 1<<29-1 {
		return m.fail()
	}
	switch key & 7 {
	case 0:
		if m.value, ok = m.uvarint(); !ok {
			return m.fail()
		}
	case 1, 5:
		size := 8
		if key&7 == 5 {
			size = 4
		}
		if len(m.rest) < size {
			return m.fail()
		}
		var word [8]byte
		copy(word[:], m.rest[:size])
		m.value = binary.LittleEndian.Uint64(word[:])
		m.skip(size)
	case 2:
		n, ok := m.uvarint()
		if !ok || n > uint64(len(m.rest)) {
			return m.fail()
		}
		m.packed, m.bytes = true, m.rest[:n:n]
		m.skip(int(n))
	default: // groups; profiles have none
		return m.fail()
	}
	return true
}

func (m *message) fail() bool {
	m.bad, m.number = true, 0
	return false
}

func (m *message) skip(n int) { m.rest, m.offset = m.rest[n:], m.offset+n }

func (m *message) uvarint() (uint64, bool) {
	if len(m.rest) > 1 {
		switch a, b := m.rest[0], m.rest[1]; {
		case a < 0x80:
			m.skip(1)
			return uint64(a), true
		case b < 0x80:
			m.skip(2)
			return uint64(a)&0x7f | uint64(b)<<7, true
		}
	}
	v, n := binary.Uvarint(m.rest)
	if n <= 0 {
		return 0, false
	}
	m.skip(n)
	return v, true
}

// numbers appends the numbers of a repeated field, packed or not.
func (m *message) numbers(to []uint64) []uint64 {
	if !m.packed {
		return append(to, m.value)
	}
	for b := m.bytes; len(b) > 0; {
		if len(b) > 1 && b[0]&b[1] < 0x80 { // most numbers take one or two bytes
			if b[0] < 0x80 {
				to, b = append(to, uint64(b[0])), b[1:]
			} else {
				to, b = append(to, uint64(b[0])&0x7f|uint64(b[1])<<7), b[2:]
			}
			continue
		}
		v, n := binary.Uvarint(b)
		if n <= 0 {
			m.bad = true
			break
		}
		to, b = append(to, v), b[n:]
	}
	return to
}
