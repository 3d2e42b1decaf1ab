package goroutine

import (
	"strings"
	"testing"
)

// Goroutines of a dump are threads of this host, goroutines of the program, or neither.
func TestBlocked(t *testing.T) {
	const (
		asleep  = "goroutine 5 [sync.Cond.Wait]:\nsync.runtime_notifyListWait(0x1)\n\tsema.go:1 +0x1\nwhorl/dts.(*queued).sleep(0x1, 0x2)\n\tqueued.go:1 +0x1\nwhorl/dts.(*queued).hold(0x1)\n\tqueued.go:2 +0x1\ncreated by whorl/dts.(*queued).run in goroutine 1\n\tqueued.go:3 +0x1"
		joining = "goroutine 6 [chan receive]:\nwhorl/dts.(*queued).join(0x1)\n\tqueued.go:4 +0x1\nmain.f(...)\n\tmain.go:1 +0x1\nwhorl/dts.(*queued).hold(0x1)\n\tqueued.go:2 +0x1"
		blocked = "goroutine 7 [chan receive (nil chan), 2 minutes, locked to thread]:\nmain.f({0x1, 0x2})\n\t/x/main.go:9 +0x1\nwhorl/dts.(*queued).hold(0x1)\n\tqueued.go:2 +0x1\ncreated by whorl/dts.(*queued).run in goroutine 1\n\tqueued.go:3 +0x1"
		sleeps  = "goroutine 8 [sleep]:\ntime.Sleep(0x1)\n\ttime.go:1 +0x1\nmain.f()\n\tmain.go:1 +0x1\nwhorl/dts.(*queued).hold(0x1)\n\tqueued.go:2 +0x1"
		network = "goroutine 9 [IO wait]:\nnet.Read()\n\tnet.go:1 +0x1\ncreated by github.com/nats-io/nats.go.Connect in goroutine 1\n\tnats.go:1 +0x1"
		reader  = "goroutine 10 [IO wait]:\nos.Read()\n\tos.go:1 +0x1\ncreated by main.main in goroutine 1\n\tmain.go:1 +0x1"
		nested  = "goroutine 11 [running]:\nmain.g()\n\tmain.go:1 +0x1\nwhorl/dts.(*system).execute(0x1)\n\texecute.go:1 +0x1\ncreated by whorl/dts.(*stacked).run in goroutine 7\n\tstacked.go:1 +0x1"
	)
	for _, c := range []struct {
		name  string
		dump  []string
		waits string
		ok    bool
	}{
		{"all wait", []string{asleep, joining, blocked, network}, "main.f (/x/main.go:9): chan receive (nil chan)", true},
		{"a thread sleeps", []string{asleep, sleeps}, "", false},
		{"the program reads", []string{blocked, reader}, "", false},
		{"a run inside the run", []string{blocked, nested}, "", false},
		{"nothing", []string{"garbage", "goroutine 1 [", ""}, "", false},
	} {
		waits, ok := Blocked(strings.Join(c.dump, "\n\n"))
		text := ""
		for _, w := range waits {
			text += w.Function + " (" + w.Place + "): " + w.State
		}
		if ok != c.ok || text != c.waits {
			t.Errorf("%s: %q, %v", c.name, text, ok)
		}
	}
}
