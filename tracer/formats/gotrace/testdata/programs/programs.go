// Package programs has small parallel programs and records traces of them. It builds with Go 1.22 and later.
package programs

import (
	"bytes"
	"context"
	"net"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"time"
)

// All are the programs that can be recorded.
var All = map[string]func(){
	"forkjoin": func() { tree(6) }, "pipeline": pipeline, "mutex": mutex, "pool": pool, "sleep": sleep, "network": func() { network(2) }, "request": func() { network(1) }, "memory": memory,
	"regions": regions, "coroutines": coroutines, "small": small,
}

// Record returns the trace of a run.
func Record(run func()) []byte {
	var b bytes.Buffer
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	if err := trace.Start(&b); err != nil {
		panic(err)
	}
	run()
	trace.Stop()
	return b.Bytes()
}

var sink [16]struct {
	x atomic.Uint64
	_ [56]byte
}

// spin works for some microseconds.
//
//go:noinline
func spin(n, who int) {
	x := sink[who].x.Load()
	for range n * 500 {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sink[who].x.Store(x)
}

// tree is a binary tree of goroutines; its leaves work.
func tree(depth int) {
	if depth == 0 {
		spin(5, 0)
		return
	}
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			tree(depth - 1)
		}()
	}
	wg.Wait()
}

// pipeline has three stages with channels between them.
func pipeline() {
	a, b := make(chan int, 4), make(chan int)
	go func() {
		for i := range 200 {
			spin(1, 1)
			a <- i
		}
		close(a)
	}()
	go func() {
		for x := range a {
			spin(3, 2)
			b <- x
		}
		close(b)
	}()
	for range b {
	}
}

// mutex has workers that meet at a lock.
func mutex() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 30 {
				mu.Lock()
				spin(20, 3)
				if i == 0 {
					time.Sleep(10 * time.Microsecond)
				}
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
}

// pool has workers that take jobs from a channel and can be stopped.
func pool() {
	jobs, stop := make(chan int), make(chan bool)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go worker(&wg, i, jobs, stop)
	}
	for i := range 100 {
		jobs <- i
		if i%20 == 0 {
			runtime.Gosched()
		}
	}
	close(stop)
	wg.Wait()
}

func worker(wg *sync.WaitGroup, who int, jobs chan int, stop chan bool) {
	defer wg.Done()
	for {
		select {
		case <-jobs:
			spin(10, 4+who)
		case <-stop:
			return
		}
	}
}

// sleep waits for timers.
func sleep() {
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			time.Sleep(time.Duration(i+1) * time.Millisecond)
			<-time.After(time.Millisecond)
		}()
	}
	done := make(chan bool)
	time.AfterFunc(time.Millisecond, func() { close(done) })
	<-done
	wg.Wait()
}

// network is a server on loopback with clients that wait for its answers.
func network(clients int) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answer(c)
		}
	}()
	var wg sync.WaitGroup
	for range clients {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ask(l.Addr().String())
		}()
	}
	wg.Wait()
	l.Close()
}

func answer(c net.Conn) {
	defer c.Close()
	b := make([]byte, 16)
	for {
		n, err := c.Read(b)
		if err != nil {
			return
		}
		spin(20, 9)
		if _, err := c.Write(b[:n]); err != nil {
			return
		}
	}
}

func ask(address string) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		panic(err)
	}
	defer c.Close()
	b := make([]byte, 16)
	for range 20 {
		if _, err := c.Write([]byte("hello")); err != nil {
			return
		}
		if _, err := c.Read(b); err != nil {
			return
		}
	}
}

var kept [][]byte

// memory makes garbage until the collector has run a few times.
func memory() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 2000 {
				b := make([]byte, 4<<10)
				if i%50 == 0 {
					mu.Lock()
					kept = append(kept, b)
					mu.Unlock()
				}
			}
		}()
	}
	wg.Wait()
	runtime.GC()
	kept = nil
}

// regions marks what it does.
func regions() {
	ctx, task := trace.NewTask(context.Background(), "request")
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		trace.WithRegion(ctx, "load", func() {
			trace.Log(ctx, "file", "a.txt")
			trace.WithRegion(ctx, "parse", func() { spin(50, 10) })
		})
	}()
	pprof.Do(ctx, pprof.Labels("part", "main"), func(ctx context.Context) { trace.WithRegion(ctx, "store", func() { spin(50, 11) }) })
	wg.Wait()
	task.End()
}

// small is a goroutine that is created, waits and ends.
func small() {
	c := make(chan int)
	go func() { c <- 1 }()
	<-c
}
