package dts_test

import (
	"context"
	"fmt"
	"time"

	"whorl/dts"
)

func ExampleRegister() {
	var reg dts.Registry
	square := dts.Register(&reg, "square", func(_ *dts.Worker, x int) int { return x * x })
	fmt.Println(run(dts.Options{Funcs: &reg}, func(w *dts.Worker) int { return square.Fork(w, 12).Join(w) }))
	// Output: 144
}

func ExampleFunc_Name() {
	var reg dts.Registry
	fmt.Println(dts.Register(&reg, "fib", fib).Name())
	// Output: fib
}

func ExampleFunc_Run() {
	var reg dts.Registry
	fmt.Println(dts.Register(&reg, "fib", fib).Run(context.Background(), dts.Options{}, 10))
	// Output: 55 <nil>
}

func ExampleFunc_Call() {
	var reg dts.Registry
	f := dts.Register(&reg, "fib", fib)
	fmt.Println(run(dts.Options{}, func(w *dts.Worker) int { return f.Call(w, 10) }))
	// Output: 55
}

// Without a Remote there is no other host, and the name has no effect.
func ExampleFunc_ForkOn() {
	var reg dts.Registry
	f := dts.Register(&reg, "fib", fib)
	fmt.Println(run(dts.Options{}, func(w *dts.Worker) int { return f.ForkOn(w, "somewhere", 10).Join(w) }))
	// Output: 55
}

// Arguments and results are encoded for other hosts.
func ExampleFunc_Encode() {
	var reg dts.Registry
	greet := dts.Register(&reg, "greet", func(_ *dts.Worker, name string) string { return "hello " + name })
	arg, err := greet.Encode("world")
	fmt.Println(len(arg) > 0, err)
	// Output: true <nil>
}

func ExampleFunc_Decode() {
	var reg dts.Registry
	same := dts.Register(&reg, "same", func(_ *dts.Worker, x int) int { return x })
	b, _ := same.Encode(7) // it encodes its results in the same way
	fmt.Println(same.Decode(b))
	// Output: 7 <nil>
}

// beside is a Remote whose other host is another run in this process.
type beside struct{ host *dts.Host }

func (r beside) Accept(c *dts.Call) bool {
	request := c.Request
	request.Arg = c.Encode()
	return r.host.Do(request, func(reply dts.Reply) { c.Done(reply) }) == nil
}

// A Remote passes threads to a Host, which runs them.
func ExampleNewHost() {
	var reg dts.Registry
	f := dts.Register(&reg, "fib", fib)
	host, err := dts.NewHost(context.Background(), dts.Options{PEs: 2, Funcs: &reg})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run(dts.Options{Remote: beside{host}}, func(w *dts.Worker) int { return f.Fork(w, 10).Join(w) }))
	waiting, _ := host.Load()
	fmt.Println(host.PEs(), waiting, host.Now() > 0, host.Close())
	// Output:
	// 55
	// 2 0 true <nil>
}

// choosy is a Remote that keeps threads of less than a millisecond on this host.
type choosy struct{ beside }

func (r choosy) Accept(c *dts.Call) bool {
	if c.Takes < time.Millisecond {
		fmt.Println("stays:", c.Takes)
		return false
	}
	fmt.Println("goes: ", c.Takes)
	return r.beside.Accept(c)
}

// An estimate of the duration of a call keeps short threads on this host.
func ExampleFunc_Takes() {
	var reg dts.Registry
	sum := dts.Register(&reg, "sum", func(_ *dts.Worker, span [2]int) (n int) {
		for i := span[0]; i < span[1]; i++ {
			n += i
		}
		return n
	}).Takes(func(span [2]int) time.Duration { return time.Duration(span[1]-span[0]) * time.Nanosecond })
	host, err := dts.NewHost(context.Background(), dts.Options{PEs: 1, Funcs: &reg})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run(dts.Options{PEs: 1, Remote: choosy{beside{host}}}, func(w *dts.Worker) int {
		a := sum.Fork(w, [2]int{0, 1000})
		b := sum.Fork(w, [2]int{1000, 2_000_000})
		return b.Join(w) + a.Join(w)
	}))
	_ = host.Close()
	// Output:
	// stays: 1µs
	// goes:  1.999ms
	// 1999999000000
}

// A host ends when it exceeds a limit, and reports which.
func ExampleHost_Context() {
	var reg dts.Registry
	dts.Register(&reg, "fib", fib)
	host, err := dts.NewHost(context.Background(), dts.Options{Funcs: &reg, Limits: dts.Limits{Time: time.Millisecond}})
	if err != nil {
		fmt.Println(err)
		return
	}
	<-host.Context().Done()
	fmt.Println(context.Cause(host.Context()))
	_ = host.Close()
	// Output: stopped after 1ms
}

// Each of several hosts has its own range of PEs in the trace.
func ExampleHost_Next() {
	var reg dts.Registry
	host, err := dts.NewHost(context.Background(), dts.Options{PEs: 1, FirstPE: 100, Funcs: &reg})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Next(), host.Close())
	// Output: 100 <nil>
}

// fickle takes threads and returns them.
type fickle struct{}

func (fickle) Accept(c *dts.Call) bool {
	go func() {
		if c.Context().Err() == nil {
			c.Return()
		}
	}()
	return true
}

func ExampleCall_Return() {
	var reg dts.Registry
	f := dts.Register(&reg, "fib", fib)
	fmt.Println(run(dts.Options{Remote: fickle{}}, func(w *dts.Worker) int { return f.Fork(w, 10).Join(w) }))
	// Output: 55
}

func ExampleID() {
	fmt.Println(dts.ID{1, 2})
	// Output: 00000000000000010000000000000002
}
