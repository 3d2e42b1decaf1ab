package dts_test

import (
	"errors"
	"strings"
	"testing"

	"whorl/dts"
	"whorl/tracer"
	"whorl/tracer/derive/totals"
)

var errWrong = errors.New("wrong")

func fails(w *dts.Worker, n int) int {
	if n == 0 {
		panic(errWrong)
	}
	return dts.Fork(w, fails, n-1).Join(w)
}

// A panic passes through all joins to Run, with the stack of the panic.
func TestPanic(t *testing.T) {
	each(t, func(t *testing.T, o dts.Options) {
		_, err := dts.Run(t.Context(), o, func(w *dts.Worker) int { return fails(w, 5) })
		var p *dts.PanicError
		if !errors.As(err, &p) || !errors.Is(err, errWrong) || p.Thread != "dts_test.fails" || !strings.Contains(string(p.Stack), "dts_test.fails") {
			t.Fatalf("error %v", err)
		}
		got := result(t, o, func(w *dts.Worker) (got int) {
			h := dts.Fork(w, fails, 3)
			defer func() {
				if p, ok := recover().(*dts.PanicError); ok && errors.Is(p, errWrong) {
					got = fib(w, 7)
				}
			}()
			return h.Join(w)
		})
		if got != 13 {
			t.Errorf("after a panic that was caught: %d", got)
		}
	})
}

// Run reports the panic of a thread that was never joined.
func TestUnjoinedPanic(t *testing.T) {
	each(t, func(t *testing.T, o dts.Options) {
		wrong := errors.New("wrong")
		for _, broken := range []bool{true, false} {
			rec := tracer.NewMemory()
			o.Recorder = rec
			_, err := dts.Run(t.Context(), o, func(w *dts.Worker) int {
				dts.Fork(w, func(_ *dts.Worker, broken bool) int {
					if broken {
						panic(wrong)
					}
					return 1
				}, broken)
				return 2
			})
			var loose *dts.UnjoinedError
			if !errors.As(err, &loose) || errors.Is(err, wrong) != broken || strings.Contains(err.Error(), "panicked: wrong") != broken {
				t.Fatalf("panics %v: %v", broken, err)
			}
			if sums, err := totals.Grow(rec, nil, nil); err != nil || (sums.Status == 1) != broken {
				t.Errorf("panics %v: %v, the run ends with %+v", broken, err, sums)
			}
		}
	})
}
