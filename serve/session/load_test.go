package session

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"whorl/serve"
	"whorl/testdata/must"
	"whorl/visual/share"
	"whorl/visual/share/client"
)

// A crowd is many members over the network of this machine, each in a goroutine of its own.
type crowd struct {
	session *Session
	url     string
	stop    context.CancelFunc
	ended   chan error
	members sync.WaitGroup
	over    chan struct{}

	mu    sync.Mutex
	late  delays // from changes to their arrival
	fails []string
}

// Delays count durations by tenths of milliseconds, so that a session of hours needs no more memory than one of seconds.
type delays map[int64]int64

func (d delays) add(t time.Duration) { d[int64(t/(100*time.Microsecond))]++ }

// number returns how many there are.
func (d delays) number() (n int64) {
	for _, k := range d {
		n += k
	}
	return n
}

// quantile returns the duration in ms that a share of them does not exceed.
func (d delays) quantile(share float64) float64 {
	left := int64(share * float64(d.number()-1))
	for _, t := range slices.Sorted(maps.Keys(d)) {
		if left -= d[t]; left < 0 {
			return float64(t) / 10
		}
	}
	return 0
}

func gather(tb testing.TB, o Options) *crowd {
	tb.Helper()
	c := &crowd{late: delays{}, session: must.Get(New(o))(tb), ended: make(chan error, 1), over: make(chan struct{})}
	l := must.Get(serve.Listen("127.0.0.1:0", false))(tb)
	c.url = serve.URL(l)
	handler := must.Get(serve.SessionHandler(c.session))(tb)
	ctx, stop := context.WithCancel(context.Background())
	c.stop = stop
	go func() { c.ended <- (&serve.Server{Handler: handler}).Run(ctx, l) }()
	return c
}

// member takes part until the crowd is over. With every > 0 it writes the time to a register of its own as often; others measure when it arrives.
// The first time is after some while. With broken > 0 its connection breaks as often.
func (c *crowd) member(tb testing.TB, name string, first, every, broken time.Duration, ready *sync.WaitGroup) {
	var mu sync.Mutex
	var pipes []net.Conn
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, addr)
		if err == nil {
			mu.Lock()
			pipes = append(pipes, conn)
			mu.Unlock()
		}
		return conn, err
	}
	wake := make(chan struct{}, 1)
	access := client.New(share.Address{URL: c.url, Token: c.session.Token(share.Viewer)}, wake, dial).Access(name)
	m := share.NewMember(name, access.Token)
	line := share.NewLine(m, access.Dial)
	c.members.Go(func() {
		defer line.Close()
		began, joined := time.Now(), false
		next, snap := first, broken
		late := delays{}
		seen := map[string]int64{}
		calm, over, until := false, c.over, time.Time{}
		for {
			now := time.Since(began)
			line.Step(now)
			if m.Joined() && !joined {
				joined, snap = true, now+broken
				ready.Done()
			}
			for _, key := range m.Changes() {
				if stamp := int64(0); strings.HasSuffix(key, "/pointer") && m.Get(key, &stamp) && stamp > seen[key] {
					seen[key] = stamp
					late.add(time.Duration(time.Now().UnixNano() - stamp))
				}
			}
			if every > 0 && joined && now >= next {
				next = max(next+every, now)
				must.Do(tb, m.Put(share.PersonKey(m.Me(), "pointer"), time.Now().UnixNano()))
				line.Step(now)
			}
			if broken > 0 && joined && !calm && now >= snap {
				snap = now + broken
				mu.Lock()
				for _, p := range pipes {
					p.Close()
				}
				pipes = nil
				mu.Unlock()
			}
			due := line.Due(now)
			if every > 0 {
				due = min(due, next)
			}
			if broken > 0 && !calm {
				due = min(due, snap)
			}
			select {
			case <-wake:
			case <-time.After(max(due-time.Since(began), 0)):
			case <-over:
				calm, over = true, nil
				until = time.Now().Add(30 * time.Second)
			}
			if calm && (m.Joined() || m.Ended() != "" || time.Now().After(until)) { // whose connection has just broken comes back first
				c.mu.Lock()
				for t, n := range late {
					c.late[t] += n
				}
				if why := m.Ended(); why != "" || !m.Joined() {
					c.fails = append(c.fails, fmt.Sprintf("%s: %q, %v", name, why, line.Err()))
				}
				c.mu.Unlock()
				return
			}
		}
	})
}

// leave ends the members, the session and the server.
func (c *crowd) leave(tb testing.TB) {
	tb.Helper()
	close(c.over)
	c.members.Wait()
	must.Do(tb, c.session.Close())
	c.stop()
	must.Do(tb, <-c.ended)
	for _, f := range c.fails {
		tb.Error(f)
	}
}

// BenchmarkSession measures how long a change of a member takes to arrive at the others: 200 members, of whom 50 change a register each second, on 2
// cores that also run the members. An operation is a change.
func BenchmarkSession(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	c := gather(b, Options{})
	var ready sync.WaitGroup
	const people, writers = 200, 50
	for i := range people {
		every := time.Duration(0)
		if i < writers {
			every = time.Second
		}
		ready.Add(1)
		c.member(b, fmt.Sprint("p", i), time.Second+time.Duration(i)*time.Second/writers, every, 0, &ready)
	}
	ready.Wait()
	b.ResetTimer()
	for range b.N {
		time.Sleep(time.Second / writers)
	}
	b.StopTimer()
	c.leave(b)
	if n := c.late.number(); n > 0 {
		b.ReportMetric(c.late.quantile(0.5), "p50-ms")
		b.ReportMetric(c.late.quantile(0.99), "p99-ms")
		b.ReportMetric(c.late.quantile(1), "max-ms")
		b.ReportMetric(float64(n), "deliveries")
	}
}

// TestSoak keeps a session for a while whose members change registers, lose their connections and come back: two seconds, or 90 minutes with 50 members
// under WHORL_SOAK. Then all have joined, all copies agree, and memory has not grown without bound.
func TestSoak(t *testing.T) {
	people, lasts, every := 8, 2*time.Second, 50*time.Millisecond
	if os.Getenv("WHORL_SOAK") != "" {
		people, lasts, every = 50, 90*time.Minute, 500*time.Millisecond
	}
	c := gather(t, Options{})
	var ready sync.WaitGroup
	for i := range people {
		ready.Add(1)
		broken := time.Duration(0)
		if i%5 == 1 {
			broken = lasts/10 + time.Duration(i)*10*time.Millisecond
		}
		c.member(t, fmt.Sprint("p", i), 0, every+time.Duration(i)*time.Millisecond, broken, &ready)
	}
	ready.Wait()
	var before runtime.MemStats
	time.Sleep(lasts / 10)
	runtime.GC()
	runtime.ReadMemStats(&before)
	time.Sleep(lasts)
	var after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&after)
	if after.HeapAlloc > before.HeapAlloc+64<<20 {
		t.Errorf("the heap has grown from %d to %d bytes", before.HeapAlloc, after.HeapAlloc)
	}
	for end := time.Now().Add(30 * time.Second); c.session.People() < people && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond) // for those who have just lost the connection
	}
	c.session.mu.Lock()
	var all []json.RawMessage
	for _, r := range c.session.hub.Registers("person/") {
		all = append(all, r.Value)
	}
	c.session.mu.Unlock()
	if len(all) != 2*people { // each person, and its pointer
		t.Errorf("%d registers of %d people", len(all), people)
	}
	if c.late.number() > 0 {
		t.Error("members have left")
	}
	c.leave(t)
	if n := c.late.number(); n < int64(people) {
		t.Errorf("%d changes have arrived", n)
	} else {
		t.Logf("%d changes have arrived, 99 %% within %.1f ms", n, c.late.quantile(0.99))
	}
}
