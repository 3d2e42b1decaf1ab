package dts_test

import (
	"context"
	"math/big"
	"strings"
	"testing"

	"whorl/dts"
)

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

// A result comes back from another host unchanged. A result that cannot be encoded is a panic of its thread.
func TestFarResults(t *testing.T) {
	if got, failed := far(t, big.NewInt(1<<40)); failed != "" || got.Cmp(big.NewInt(1<<40)) != 0 {
		t.Errorf("%v, %s", got, failed)
	}
	if _, failed := far(t, func() {}); !strings.Contains(failed, "cannot encode the result for another host") || !strings.Contains(failed, "func()") {
		t.Errorf("failed: %q", failed)
	}
}
