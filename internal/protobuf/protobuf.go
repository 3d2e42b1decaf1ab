// Package protobuf reads the wire format of Protocol Buffers field by field, without schemas and without copying.
package protobuf

import "encoding/binary"

// A Message iterates over the fields of a message in the wire format of Protocol Buffers. After the last field its Number is 0. Bad reports
// that the rest of the message is invalid.
type Message struct {
	Rest   []byte
	Offset int // of Rest in the file

	Number int
	Value  uint64 // of a scalar field
	Bytes  []byte // of a length-delimited field
	Packed bool   // the field is length-delimited
	Bad    bool
}

// Next advances to the next field.
func (m *Message) Next() bool {
	if len(m.Rest) == 0 {
		return false
	}
	key, ok := m.uvarint()
	m.Number, m.Value, m.Packed, m.Bytes = int(key>>3), 0, false, nil
	if !ok || key>>3 == 0 || key>>3 > 1<<29-1 {
		return m.fail()
	}
	switch key & 7 {
	case 0:
		if m.Value, ok = m.uvarint(); !ok {
			return m.fail()
		}
	case 1, 5:
		size := 8
		if key&7 == 5 {
			size = 4
		}
		if len(m.Rest) < size {
			return m.fail()
		}
		var word [8]byte
		copy(word[:], m.Rest[:size])
		m.Value = binary.LittleEndian.Uint64(word[:])
		m.skip(size)
	case 2:
		n, ok := m.uvarint()
		if !ok || n > uint64(len(m.Rest)) {
			return m.fail()
		}
		m.Packed, m.Bytes = true, m.Rest[:n:n]
		m.skip(int(n))
	default: // groups; profiles have none
		return m.fail()
	}
	return true
}

func (m *Message) fail() bool {
	m.Bad, m.Number = true, 0
	return false
}

func (m *Message) skip(n int) { m.Rest, m.Offset = m.Rest[n:], m.Offset+n }

func (m *Message) uvarint() (uint64, bool) {
	if len(m.Rest) > 1 {
		switch a, b := m.Rest[0], m.Rest[1]; {
		case a < 0x80:
			m.skip(1)
			return uint64(a), true
		case b < 0x80:
			m.skip(2)
			return uint64(a)&0x7f | uint64(b)<<7, true
		}
	}
	v, n := binary.Uvarint(m.Rest)
	if n <= 0 {
		return 0, false
	}
	m.skip(n)
	return v, true
}

// Numbers appends the numbers of a repeated field, packed or not.
func (m *Message) Numbers(to []uint64) []uint64 {
	if !m.Packed {
		return append(to, m.Value)
	}
	for b := m.Bytes; len(b) > 0; {
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
			m.Bad = true
			break
		}
		to, b = append(to, v), b[n:]
	}
	return to
}
