package requests

import "encoding/binary"

// field appends a field of bytes.
func field(to []byte, number int, b []byte) []byte {
	to = binary.AppendUvarint(to, uint64(number)<<3|2)
	to = binary.AppendUvarint(to, uint64(len(b)))
	return append(to, b...)
}

func fixed(to []byte, number int, n uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(to, uint64(number)<<3|1), n)
}

func number(to []byte, number int, n uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(to, uint64(number)<<3), n)
}

func big(ns ...uint64) (b []byte) {
	for _, n := range ns {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return b
}

func wirePairs(to []byte, number int, as []Attribute) []byte {
	for _, a := range as {
		to = field(to, number, field(field(nil, 1, []byte(a.Key)), 2, field(nil, 1, []byte(a.Value))))
	}
	return to
}

// Messages returns the requests of OpenTelemetry in Protocol Buffers. One after the other they are one message.
func Messages(all []*Span) (list [][]byte) {
	for _, b := range batches(all) {
		scope := field(nil, 1, field(nil, 1, []byte("shop")))
		for _, s := range b {
			scope = field(scope, 2, s.wire())
		}
		list = append(list, field(nil, 1, field(field(nil, 1, wirePairs(nil, 1, resource(b[0].Instance))), 2, scope)))
	}
	return list
}

func (s *Span) wire() []byte {
	b := field(field(nil, 1, big(s.Trace[:]...)), 2, big(s.ID))
	if s.Parent != 0 {
		b = field(b, 4, big(s.Parent))
	}
	b = number(field(b, 5, []byte(s.Name)), 6, uint64(kinds[s.Kind]))
	b = fixed(fixed(b, 7, uint64(s.Start)*1000), 8, uint64(s.End)*1000)
	b = wirePairs(b, 9, s.Attributes)
	for _, e := range s.Events {
		b = field(b, 11, field(fixed(nil, 1, uint64(e.Time)*1000), 2, []byte(e.Name)))
	}
	for _, l := range s.Links {
		b = field(b, 13, field(field(nil, 1, big(l.Trace[:]...)), 2, big(l.ID)))
	}
	if s.Error != "" {
		b = field(b, 15, number(field(nil, 2, []byte(s.Error)), 3, 2))
	}
	return b
}

// Framed returns messages with their lengths before them, in four bytes or as varints.
func Framed(messages [][]byte, varints bool) (out []byte) {
	for _, m := range messages {
		if varints {
			out = binary.AppendUvarint(out, uint64(len(m)))
		} else {
			out = binary.BigEndian.AppendUint32(out, uint32(len(m)))
		}
		out = append(out, m...)
	}
	return out
}
