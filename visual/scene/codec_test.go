package scene

import (
	"slices"
	"strings"
	"testing"
)

func dumped(l *List) string {
	var b strings.Builder
	_ = l.Dump(&b) // a Builder takes all
	return b.String()
}

func TestCodec(t *testing.T) {
	want := every()
	b := want.Encode()
	got, err := Decode(b)
	if err != nil || dumped(got) != dumped(want) {
		t.Fatalf("%v\n%s", err, dumped(got))
	}
	for i := range b { // none of these panics, here or when it is drawn
		for _, v := range []byte{0, 1, 0x7f, 0xff} {
			changed := slices.Clone(b)
			changed[i] = v
			if l, err := Decode(changed); err == nil {
				_ = dumped(l)
			}
		}
		if _, err := Decode(b[:i]); err == nil {
			t.Errorf("%d of %d bytes are a list", i, len(b))
		}
	}
}

// TestAppendFitted: fitting into a rectangle of twice the size doubles all lengths, and back again gives the list.
func TestAppendFitted(t *testing.T) {
	src := every()
	from, to := Rect{X0: 10, Y0: 10, X1: 60, Y1: 50}, Rect{X0: 100, Y0: 200, X1: 200, Y1: 280}
	large, back := New(80, 60), New(80, 60)
	large.AppendFitted(src, from, to)
	back.AppendFitted(large, to, from)
	if dumped(back) != dumped(src) {
		t.Errorf("%s\nwant\n%s", dumped(back), dumped(src))
	}
	for i := range large.Len() {
		if op := large.Op(i); op.Kind == OpCircle {
			if x, y, r := op.Circle(); x != 100 || y != 200 || r != 2 {
				t.Errorf("the circle is at %v, %v with radius %v", x, y, r)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(every().Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := Decode(b)
		if err != nil {
			return
		}
		if _, err := Decode(l.Encode()); err != nil {
			t.Error(err)
		}
		_ = dumped(l)
	})
}
