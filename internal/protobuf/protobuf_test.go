package protobuf

import (
	"slices"
	"testing"
)

func TestMessage(t *testing.T) {
	// 1: 150; 2: "testing"; 3: 1 as fixed64; 4: [3, 270, 86942], packed; 5: 7 as fixed32
	m := Message{Rest: []byte("\x08\x96\x01\x12\x07testing\x19\x01\x00\x00\x00\x00\x00\x00\x00\x22\x06\x03\x8e\x02\x9e\xa7\x05\x2d\x07\x00\x00\x00")}
	var got []uint64
	for m.Next() {
		switch m.Number {
		case 2:
			got = append(got, uint64(len(m.Bytes)))
		case 4:
			got = m.Numbers(got)
		default:
			got = append(got, m.Value)
		}
	}
	if want := []uint64{150, 7, 1, 3, 270, 86942, 7}; m.Bad || !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, bad := range []string{"\x08", "\x12\x05abc", "\x19\x01", "\x00\x01", "\x0b", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		m := Message{Rest: []byte(bad)}
		for m.Next() {
		}
		if !m.Bad || m.Number != 0 {
			t.Errorf("%q: %+v", bad, m)
		}
	}
}
