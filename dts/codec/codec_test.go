//go:build !js

package codec

import (
	"math/big"
	"reflect"
	"strings"
	"testing"

	"whorl/testdata/must"
)

// A touchy value panics when it is encoded and when it is decoded.
type touchy struct{ N int }

func (touchy) GobEncode() ([]byte, error) { panic("not me") }
func (*touchy) GobDecode([]byte) error    { panic("not me") }

// A lenient value is encoded as the bytes of gob for a touchy one.
type lenient struct{ N int }

func (lenient) GobEncode() ([]byte, error) { return []byte{1}, nil }
func (*lenient) GobDecode([]byte) error    { return nil }

// arrives checks that a value comes back unchanged, also into a variable that had another one.
func arrives[V any](t *testing.T, v, other V) {
	t.Helper()
	b, err := Encode(&v)
	if err != nil {
		t.Errorf("%T: %v", v, err)
		return
	}
	if err := Decode(b, &other); err != nil || !reflect.DeepEqual(other, v) {
		t.Errorf("%T: %v for %v, %v", v, other, v, err)
	}
}

// TestArrives covers the special cases of gob: pointers, nil pointers, methods that encode, and interfaces.
func TestArrives(t *testing.T) {
	n := 7
	arrives(t, big.NewInt(1<<40), nil)
	arrives(t, (*big.Int)(nil), big.NewInt(2))
	arrives(t, *big.NewInt(5), big.Int{})
	arrives(t, &n, nil)
	arrives(t, (*int)(nil), &n)
	arrives[any](t, nil, 3)
	arrives[any](t, 3, nil)
	arrives(t, []*big.Int{big.NewInt(3)}, nil)
	arrives(t, struct{}{}, struct{}{})
	arrives(t, 0, 0)
}

// Values that gob cannot encode and bytes that it cannot decode are errors, never panics.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		want   string // in the error
		encode func() ([]byte, error)
	}{
		{"not me", func() ([]byte, error) { return Encode(&touchy{1}) }},
		{"no exported fields", func() ([]byte, error) { return Encode(&struct{ n int }{1}) }},
		{"func()", func() ([]byte, error) { f := func() {}; return Encode(&f) }},
	} {
		if _, err := c.encode(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q in %v", c.want, err)
		}
	}
	b := must.Get(Encode(&lenient{1}))(t)
	if err := Decode(b, new(touchy)); err == nil || !strings.Contains(err.Error(), "panicked: not me") {
		t.Errorf("decoded: %v", err)
	}
	if err := Decode([]byte("none"), new(string)); err == nil {
		t.Error("decoded bytes that are no gob")
	}
}
