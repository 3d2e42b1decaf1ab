// Command programs runs one of ten small parallel programs whose bottleneck is known. Replays of their traces are compared with what they really take.
//
//	programs -program lock -procs 2                           prints how many ns the body took
//	programs -program lock -observe -trace lock.trace         records it, with the types of package observe in place of sync's
//	programs -program lock -procs 2 -faster critical=2        what a function gains that takes half as long
//
// Work is counted in iterations of a loop, so that it is the same in each run; a unit is 1,000 of them, about a
// microsecond. Each program works 100 to 300 ms in all.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/internal/nearest"
)

// A program is one of the ten. Its functions are those whose work -slower and -faster change; the first is the bottleneck.
type program struct {
	name, doc string
	functions []string
	run       func(k *kit) (uint64, error)
}

var programs = []program{
	{"forkjoin", "a balanced tree of goroutines: the processors limit it", []string{"leaf", "merge"}, forkjoin},
	{"pipeline", "three stages: the slow one limits it", []string{"slowStage", "quickStage"}, pipeline},
	{"pool", "workers that take jobs from one channel: the processors limit it", []string{"longJob", "shortJob"}, pool},
	{"lock", "one lock, held for two thirds of the work: the lock limits it", []string{"critical", "outside"}, lock},
	{"readers", "a table with readers and a few writers: the writers limit it on many processors", []string{"write", "read"}, readers},
	{"server", "HTTP with clients that wait for each answer: the handler limits it", []string{"handle", "lookup"}, server},
	{"mapreduce", "chunks that are mapped, sent by key and reduced, then one goroutine that collects: mapping limits it", []string{"mapChunk", "reduceKey"}, mapreduce},
	{"stencil", "workers that meet at a barrier after each step: the one with twice the work limits it", []string{"heavyBlock", "lightBlock"}, stencil},
	{"search", "a tree of which most lies below one child: its longest path limits it on many processors", []string{"visit", "improve"}, search},
	{"garbage", "trees that live for a while: allocation and the collector limit it", []string{"inspect"}, garbage},
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "programs:", err)
		}
		os.Exit(2)
	}
}

// run runs the program that the arguments name and writes how many ns its body took.
func run(args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("programs", flag.ContinueOnError)
	name := flags.String("program", "", "`NAME` of the program")
	procs := flags.Int("procs", runtime.GOMAXPROCS(0), "GOMAXPROCS")
	file := flags.String("trace", "", "write the execution trace of the body to a `FILE`; its region is \"body\"")
	samples := flags.Bool("samples", false, "take processor samples into the trace")
	k := kit{factors: map[string]float64{}}
	flags.BoolVar(&k.observe, "observe", false, "use the types of package observe")
	flags.BoolVar(&k.regions, "regions", false, "mark each call of a named function as a region of its name")
	flags.Float64Var(&k.scale, "scale", 1, "repeat everything so many times as often")
	flags.Func("slower", "`FUNCTION=FACTOR`: the function takes FACTOR times as long", func(s string) error { return k.factor(s, false) })
	flags.Func("faster", "`FUNCTION=FACTOR`: the function takes 1/FACTOR as long", func(s string) error { return k.factor(s, true) })
	if err := flags.Parse(args); err != nil {
		return err
	}
	p, err := find(*name)
	if err != nil {
		return err
	}
	for f := range k.factors {
		if !slices.Contains(p.functions, f) {
			return nearest.Unknown("function of "+p.name, f, p.functions)
		}
	}
	runtime.GOMAXPROCS(*procs)
	if *file != "" {
		var f *os.File
		if f, err = os.Create(*file); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		if err := trace.Start(f); err != nil {
			return err
		}
		defer trace.Stop()
		if *samples {
			if err := pprof.StartCPUProfile(io.Discard); err != nil {
				return err
			}
			defer pprof.StopCPUProfile()
		}
	}
	var elapsed time.Duration
	trace.WithRegion(context.Background(), "body", func() {
		began := time.Now()
		_, err = p.run(&k)
		elapsed = time.Since(began)
	})
	fmt.Fprintln(out, elapsed.Nanoseconds())
	return err
}

// find returns the program with a name.
func find(name string) (program, error) {
	var names []string
	for _, p := range programs {
		if p.name == name {
			return p, nil
		}
		names = append(names, p.name)
	}
	return program{}, nearest.Unknown("program", name, names)
}

// factor takes FUNCTION=FACTOR from a flag.
func (k *kit) factor(text string, inverse bool) error {
	function, factor, _ := strings.Cut(text, "=")
	x, err := strconv.ParseFloat(factor, 64)
	if err != nil || x <= 0 || x > 1e6 {
		return fmt.Errorf("factor %q of %q: expected FUNCTION=FACTOR with a number above 0", factor, function)
	}
	if inverse {
		x = 1 / x
	}
	k.factors[function] = x
	return nil
}
