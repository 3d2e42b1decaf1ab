package cluster

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"whorl/dts"
	"whorl/testdata/must"
)

// A measure is the argument of the functions that the benchmarks run.
type measure struct {
	Host   string // node that runs the forks
	Count  int
	Window int // number of outstanding forks
}

var (
	roundTrips = dts.Register(&funcs, "roundTrips", func(w *dts.Worker, m measure) []time.Duration {
		var all []time.Duration
		for i := range m.Count {
			began := time.Now()
			h := echo.ForkOn(w, m.Host, i)
			h.Join(w)
			all = append(all, time.Since(began))
		}
		slices.Sort(all)
		return all
	})
	trickle = dts.Register(&funcs, "trickle", func(w *dts.Worker, m measure) time.Duration {
		began := time.Now()
		ring := make([]dts.Handle[int], m.Window)
		for i := range m.Count {
			h := &ring[i%m.Window]
			if i >= m.Window {
				h.Join(w)
			}
			*h = echo.ForkOn(w, m.Host, i)
		}
		for i := range ring {
			ring[i].Join(w)
		}
		return time.Since(began)
	})
	flood = dts.Register(&funcs, "flood", func(w *dts.Worker, m measure) time.Duration {
		began := time.Now()
		window := make([]dts.Handle[int], 0, m.Window)
		for i := 0; i < m.Count; i += len(window) {
			window = window[:0]
			for k := range m.Window {
				window = append(window, echo.ForkOn(w, m.Host, i+k))
			}
			for k := range window {
				window[k].Join(w)
			}
		}
		return time.Since(began)
	})
)

// twoProcesses returns a node of this process, in a cluster with a node called other in another process.
func twoProcesses(b *testing.B) *Node {
	b.Helper()
	s := must.Get(StartServer(Host{}))(b)
	b.Cleanup(s.Close)
	p := startNode(b, s.URL(), "other")
	b.Cleanup(p.kill)
	n := must.Get(Join(b.Context(), Options{Server: s, Name: "this", Local: dts.Options{Funcs: &funcs, PEs: 2}}))(b)
	b.Cleanup(n.Leave)
	for len(n.Nodes()) < 2 {
		time.Sleep(time.Millisecond)
	}
	return n
}

// do runs a function on this node.
func do[A, R any](b *testing.B, n *Node, f dts.Func[A, R], arg A) R {
	b.Helper()
	data := must.Get(f.Encode(arg))(b)
	done := make(chan result, 1)
	n.start(&call{id: rootID(NewJob()), from: -1, function: f.Name(), arg: data}, func(r result) { done <- r })
	r := <-done
	if r.failure != "" {
		b.Fatal(r.failure)
	}
	return must.Get(f.Decode(r.value))(b)
}

// BenchmarkRoundTrip forks on a node of another process and joins, one fork after the other.
func BenchmarkRoundTrip(b *testing.B) {
	n := twoProcesses(b)
	const count = 500
	do(b, n, roundTrips, measure{Host: "other", Count: count})
	var all []time.Duration
	for b.Loop() {
		all = append(all, do(b, n, roundTrips, measure{Host: "other", Count: count})...)
	}
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds()), "µs/trip")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "µs/p99")
}

// BenchmarkForks forks on a node of another process with up to 256 outstanding forks.
func BenchmarkForks(b *testing.B) {
	n := twoProcesses(b)
	const count = 25_600
	total := time.Duration(0)
	for b.Loop() {
		total += do(b, n, flood, measure{Host: "other", Count: count, Window: 256})
	}
	b.ReportMetric(float64(count*b.N)/total.Seconds(), "forks/s")
}

// BenchmarkTrickle keeps 64 forks outstanding on a node of another process. It forks after each join of the oldest.
func BenchmarkTrickle(b *testing.B) {
	n := twoProcesses(b)
	const count = 10_000
	total := time.Duration(0)
	for b.Loop() {
		total += do(b, n, trickle, measure{Host: "other", Count: count, Window: 64})
	}
	b.ReportMetric(float64(count*b.N)/total.Seconds(), "forks/s")
}

// BenchmarkJob submits jobs one after the other. The server stores each job and its result.
func BenchmarkJob(b *testing.B) {
	for _, durable := range []bool{false, true} {
		b.Run(fmt.Sprint("sync=", durable), func(b *testing.B) {
			s := must.Get(StartServer(Host{SyncAlways: durable}))(b)
			b.Cleanup(s.Close)
			p := startNode(b, s.URL(), "other")
			b.Cleanup(p.kill)
			c := must.Get(Dial(b.Context(), Options{Server: s}))(b)
			b.Cleanup(c.Close)
			awaitNodes(b, c, 1)
			for b.Loop() {
				must.Get(Do(b.Context(), c, "", echo, 1))(b)
			}
		})
	}
}
