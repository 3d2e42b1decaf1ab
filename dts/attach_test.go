package dts

import (
	"context"
	"strings"
	"testing"

	"whorl/dts/launch"
)

// TestRegistered runs a program on a host that knows all functions of the process. A name of two registries is refused
// when it is called.
func TestRegistered(t *testing.T) {
	t.Setenv(launch.EnvJoin, "nats://127.0.0.1:1")
	var one, two Registry
	twice := func(_ *Worker, n int) int { return 2 * n }
	for _, reg := range []*Registry{&one, &two} {
		Register(reg, "both", twice)
	}
	Register(&one, "first", twice)
	Register(&two, "second", twice)

	var host *Host
	left := false
	detach := Attach(func(ctx context.Context, o Options) (h *Host, leave func(), err error) {
		host, err = NewHost(ctx, o)
		return host, func() { left = true }, err
	})
	var failures []string
	got, err := Run(t.Context(), Options{PEs: 1}, func(w *Worker) int {
		arg, err := (Func[int, int]{}).Encode(1)
		if err != nil {
			panic(err)
		}
		for _, r := range []Request{{Name: "first", Arg: arg}, {Name: "second", Arg: arg}, {Name: "second"}, {Name: "both", Arg: arg}, {Name: "none"}} {
			if err := host.Do(r, func(Reply) {}); err != nil {
				failures = append(failures, err.Error())
			}
		}
		return twice(w, 4)
	})
	if err != nil || got != 8 || !left || !new(Registry).Empty() {
		t.Errorf("%d, %v, left: %v", got, err, left)
	}
	want := []string{`function "second": cannot decode the argument`, `function "both": two registries`, `unknown function "none"`}
	if len(failures) != len(want) {
		t.Fatalf("%q", failures)
	}
	for i, text := range want {
		if !strings.Contains(failures[i], text) {
			t.Errorf("%s, want %s", failures[i], text)
		}
	}
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	detach()
	defer Attach(func(context.Context, Options) (*Host, func(), error) { return host, func() {}, nil })()
	if _, err := Run(t.Context(), Options{}, func(*Worker) int { return 0 }); err == nil || !strings.Contains(err.Error(), "the host") {
		t.Errorf("on a closed host: %v", err)
	}
}

// A process is attached once at a time, whichever of several goroutines comes first.
func TestAttachTwice(t *testing.T) {
	detached := make(chan func(), 4)
	for range cap(detached) {
		go func() {
			var detach func()
			defer func() {
				_ = recover()
				detached <- detach
			}()
			detach = Attach(func(context.Context, Options) (*Host, func(), error) { return nil, nil, nil })
		}()
	}
	attached := 0
	for range cap(detached) {
		if detach := <-detached; detach != nil {
			attached++
			defer detach()
		}
	}
	if got, err := Run(t.Context(), Options{PEs: 1}, func(*Worker) int { return 1 }); attached != 1 || got != 1 || err != nil {
		t.Errorf("%d attached; %d, %v", attached, got, err)
	}
}
