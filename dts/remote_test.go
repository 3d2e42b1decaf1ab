package dts_test

import (
	"context"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"whorl/dts"
)

// A touchy value panics when it is encoded.
type touchy struct{ N int }

func (touchy) GobEncode() ([]byte, error) { panic("not me") }
func (*touchy) GobDecode([]byte) error    { return nil }

// far returns the result of a thread that ran on another host, or the text of its panic.
func far[R any](t *testing.T, result R) (got R, failed string) {
	t.Helper()
	var reg dts.Registry
	f := dts.Register(&reg, "f", func(*dts.Worker, int) R { return result })
	host, err := dts.NewHost(t.Context(), dts.Options{PEs: 1, Funcs: &reg})
	if err != nil {
		t.Fatal(err)
	}
	got, err = dts.Run(context.Background(), dts.Options{Remote: beside{host}}, func(w *dts.Worker) R { return f.Fork(w, 1).Join(w) })
	if err != nil {
		failed = err.Error()
	}
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	return got, failed
}

// arrives checks that a result comes back unchanged from another host.
func arrives[R any](t *testing.T, result R) {
	t.Helper()
	if got, failed := far(t, result); failed != "" || !reflect.DeepEqual(got, result) {
		t.Errorf("%T: %v for %v, %s", result, got, result, failed)
	}
}

// TestFarResults covers the special cases of gob: pointers, nil pointers, methods that encode, interfaces, and values
// that it cannot encode.
func TestFarResults(t *testing.T) {
	n := 7
	arrives(t, big.NewInt(1<<40))
	arrives(t, (*big.Int)(nil))
	arrives(t, *big.NewInt(5))
	arrives(t, &n)
	arrives(t, (*int)(nil))
	arrives[any](t, nil)
	arrives[any](t, 3)
	arrives(t, []*big.Int{big.NewInt(3)})
	arrives(t, struct{}{})
	arrives(t, 0)
	for text, failed := range map[string]func() string{
		"not me":             func() string { _, f := far(t, touchy{1}); return f },
		"no exported fields": func() string { _, f := far(t, struct{ n int }{1}); return f },
		"func()":             func() string { _, f := far(t, func() {}); return f },
	} {
		if got := failed(); !strings.Contains(got, "cannot encode the result for another host") || !strings.Contains(got, text) {
			t.Errorf("want %q in %q", text, got)
		}
	}
}
