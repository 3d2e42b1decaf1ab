package dts_test

import (
	"testing"

	"whorl/dts"
)

// Slices are disjoint if no element belongs to two of them, whatever their capacity.
func TestDisjoint(t *testing.T) {
	x, y := make([]int32, 10), make([]int32, 5)
	for _, c := range []struct {
		name string
		a, b []int32
		want bool
	}{
		{"parts", x[:4], x[4:], true},
		{"parts in reverse", x[7:9], x[2:7], true},
		{"one common element", x[:5], x[4:], false},
		{"one inside", x, x[3:4], false},
		{"inside", x[3:4], x, false},
		{"other memory", x, y, true},
		{"nil", nil, x, true},
		{"the same", y, y, false},
	} {
		if got := dts.Disjoint(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if !dts.Disjoint(make([]struct{}, 3), make([]struct{}, 3)) {
		t.Error("elements without size share memory")
	}
}

// Rows are disjoint if no element belongs to two that are written, or to a written and a read one. Rows that are only
// read may share elements.
func TestDisjointRows(t *testing.T) {
	x, y := make([]int32, 12), make([]int32, 6)
	for _, c := range []struct {
		name    string
		written [][]int32
		read    [][]int32
		want    bool
	}{
		{"none", nil, nil, true},
		{"in order", [][]int32{x[:4], x[4:8], x[8:]}, nil, true},
		{"in another order", [][]int32{x[8:], y, x[:4], x[4:8]}, nil, true},
		{"one twice", [][]int32{x[:4], y, x[:4]}, nil, false},
		{"overlapping", [][]int32{x[6:], x[:7]}, nil, false},
		{"empty ones", [][]int32{x[:4], {}, x[2:2], nil}, nil, true},
		{"others read", [][]int32{x[:4], x[4:8]}, [][]int32{y, y, x[8:]}, true},
		{"one inside read", [][]int32{x[:4], x[6:8]}, [][]int32{y, x[3:7]}, false},
		{"read at the end", [][]int32{x[:4]}, [][]int32{x[3:]}, false},
		{"read before", [][]int32{x[4:]}, [][]int32{x[:5]}, false},
		{"between", [][]int32{x[:4], x[6:8]}, [][]int32{x[4:6], x[5:5]}, true},
	} {
		if got := dts.DisjointRows(c.written, c.read...); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
