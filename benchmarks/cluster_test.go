package benchmarks

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"whorl/benchmarks/threads"
	"whorl/dts"
	"whorl/dts/cluster"
	"whorl/testdata/must"
	"whorl/tracer"
)

// TestThreeNodes runs every benchmark of threads on three nodes connected by a server on this machine. The answers must be right, and work must
// move between nodes.
func TestThreeNodes(t *testing.T) {
	spread := map[string]int{} // nodes that ran threads
	for _, b := range All {
		d, ok := b.Program.(DTS)
		if !ok {
			continue
		}
		t.Run(b.Bare(), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
			defer cancel()
			server := must.Get(cluster.StartServer(cluster.Host{Store: t.TempDir()}))(t)
			defer server.Close()
			var serving sync.WaitGroup
			var nodes []*cluster.Node
			program := func() (threads.Program, *dts.Registry) {
				env := &threads.Env{Funcs: &dts.Registry{}}
				return threads.Make(d.File, env), env.Funcs
			}
			serve, stop := context.WithCancel(ctx)
			var recorded []*tracer.Memory
			for i := range 3 {
				_, funcs := program()
				rec := tracer.NewMemory()
				n := must.Get(cluster.Join(ctx, cluster.Options{
					URL: server.URL(), Name: fmt.Sprintf("node%d", i), Version: "1", Policy: "random", Local: dts.Options{PEs: 2, Funcs: funcs, Recorder: rec},
				}))(t)
				nodes, recorded = append(nodes, n), append(recorded, rec)
				serving.Go(func() {
					if err := n.Serve(serve); err != nil {
						t.Error(err)
					}
				})
			}
			end := sync.OnceFunc(func() {
				stop()
				serving.Wait()
				for _, n := range nodes {
					n.Leave()
				}
			})
			defer end()
			conn := must.Get(cluster.Dial(ctx, cluster.Options{URL: server.URL(), Version: "1"}))(t)
			defer conn.Close()
			must.Do(t, conn.AwaitNodes(ctx, func() int { return 3 }))
			p := small[b.Name]
			prog, _ := program()
			answer, err := cluster.Do(ctx, conn, "", prog.Main, p)
			if err == nil {
				err = b.Check(p, answer)
			}
			if err != nil {
				t.Error(err)
			}
			end()
			for _, rec := range recorded {
				if rec.Counts()[tracer.Start] > 0 {
					spread[b.Name]++
				}
			}
		})
	}
	most := 0
	for name, n := range spread {
		t.Logf("%s: threads ran on %d nodes", name, n)
		most = max(most, n)
	}
	if most < 2 {
		t.Error("no thread left its node")
	}
}
