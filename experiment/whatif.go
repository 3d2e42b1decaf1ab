package experiment

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"whorl/internal/figures"
	"whorl/sim"
	"whorl/tracer"
)

// A Gain is the time that a recorded program gains if a part of it takes less time.
type Gain struct {
	Kind    string  // procedure, function, wait or message
	Name    string  // of the function, the reason or the class
	Work    int64   // ns that the function or the procedure computes
	Count   int64   // waits or messages
	Elapsed []int64 // ns of the replay at each of Savings; -1 where it was not made: for gains below a thousandth, and parts beyond the first detailed
	Least   int64   // ns that no schedule falls below when everything is saved; 0 if that is not known
}

// Savings are the shares of its time that a part saves. Waits and messages are saved altogether or not at all.
var Savings = []float64{0.1, 0.25, 0.5, 1}

// MostRanked is the usual number of functions, and of locks, that are tried.
const MostRanked = 200

// Faster returns how many times as fast a function runs that saves a share of its time, with as few digits as people want to read.
func Faster(saving float64) float64 {
	if saving >= 1 {
		return sim.MaxSpeed
	}
	return math.Round(1e5/(1-saving)) / 1e5
}

// Best returns the time in ns when everything is saved.
func (g *Gain) Best() int64 { return g.Elapsed[len(g.Elapsed)-1] }

// detailed is the number of parts, those with the largest gains, that are measured at all of Savings.
const detailed = 32

// WhatIf makes a run again with each of some parts of its program faster: the Parts of a recorded program, which it replays, or the Procedures of one in
// FGHC. It returns the time of the program as it is, and the gains, largest first. watch, which may be nil, gets the progress.
func WhatIf(ctx context.Context, r Run, gains []*Gain, watch func(over, all int)) (int64, []*Gain, error) {
	elapsed, _, err := r.replayed(ctx)
	if err != nil {
		return 0, nil, err
	}
	var mu sync.Mutex
	over, all := 0, len(gains)
	each := func(gains []*Gain, measure func(ctx context.Context, g *Gain) error) error {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(min(runtime.GOMAXPROCS(0), runtime.NumCPU())) // a window has a thread more
		for _, g := range gains {
			group.Go(func() error {
				if err := measure(ctx, g); err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				if over++; watch != nil {
					watch(over, all)
				}
				return nil
			})
		}
		return group.Wait()
	}
	most := len(Savings) - 1
	if err := each(gains, func(ctx context.Context, g *Gain) error { return g.measure(ctx, r, most) }); err != nil {
		return 0, nil, err
	}
	slices.SortStableFunc(gains, func(a, b *Gain) int { return cmp.Compare(a.Best(), b.Best()) })
	large := slices.DeleteFunc(slices.Clone(gains), func(g *Gain) bool { return !g.Computes() || (elapsed-g.Best())*1000 < elapsed })
	large = large[:min(detailed, len(large))]
	all += len(large)
	err = each(large, func(ctx context.Context, g *Gain) (err error) {
		for i := 0; i < most && err == nil; i++ {
			err = g.measure(ctx, r, i)
		}
		return err
	})
	return elapsed, gains, err
}

// Procedures lists the procedures of a recorded program in FGHC, those that compute longest first.
func Procedures(src tracer.Source) (gains []*Gain, err error) {
	codes := src.Dict().Codes()
	var work []int64 // by code
	err = src.Scan(tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail), func(es []tracer.Event) error {
		for i := range es {
			owner := int(tracer.Owner(codes, es[i].Code))
			work = append(work, make([]int64, max(0, owner+1-len(work)))...)
			work[owner] += es[i].Value
		}
		return nil
	})
	for code, ns := range work {
		if codes[code].Type == tracer.Procedure {
			gains = append(gains, &Gain{Kind: "procedure", Name: codes[code].Name, Work: ns})
		}
	}
	slices.SortFunc(gains, longest)
	return gains, err
}

func longest(a, b *Gain) int { return cmp.Or(cmp.Compare(b.Work, a.Work), cmp.Compare(a.Name, b.Name)) }

// Parts lists the parts of a recorded program that may take less time: up to most functions, those that compute longest first, as many locks, all
// reasons for waits and all classes of messages.
func (d *Recorded) Parts(most int) (gains []*Gain) {
	names := map[string]*Gain{}
	for code, ns := range d.Graph.WorkBy() {
		name := d.Names.Functions[code]
		if name == "" || ns == 0 {
			continue
		}
		if names[name] == nil {
			names[name] = &Gain{Kind: "function", Name: name}
			gains = append(gains, names[name])
		}
		names[name].Work += ns
	}
	slices.SortFunc(gains, longest)
	gains = gains[:min(most, len(gains))]
	codes := d.dict.Codes()
	var waits []*Gain
	for code, n := range d.Graph.Reasons() {
		kind := "wait"
		switch codes[code].Type {
		case tracer.MessageClass:
			kind = "message"
		case tracer.Reason:
		default:
			continue // of a damaged trace
		}
		waits = append(waits, &Gain{Kind: kind, Name: codes[code].Name, Count: n})
	}
	var locks []*Gain
	for id, n := range d.Graph.Locks() {
		locks = append(locks, &Gain{Kind: "wait", Name: lockNamed(id), Count: n})
	}
	frequent := func(a, b *Gain) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) }
	slices.SortFunc(locks, frequent)
	waits = append(waits, locks[:min(most, len(locks))]...)
	slices.SortFunc(waits, frequent)
	return append(gains, waits...)
}

// Computes reports whether the part takes time of processors, so that it can be faster by shares.
func (g *Gain) Computes() bool { return g.Kind == "function" || g.Kind == "procedure" }

// measure makes the replay in which the part has one of Savings.
func (g *Gain) measure(ctx context.Context, r Run, saving int) (err error) {
	if g.Elapsed == nil {
		g.Elapsed = slices.Repeat([]int64{-1}, len(Savings))
	}
	if g.Computes() {
		r.Speeds = append(slices.Clip(r.Speeds), sim.Speed{Part: g.Name, Factor: Faster(Savings[saving])}.String())
	} else {
		r.Zero = append(slices.Clip(r.Zero), g.Name)
	}
	var p *Prepared
	if g.Elapsed[saving], p, err = r.replayed(ctx); err != nil || r.Recorded == nil || Savings[saving] < 1 {
		return err
	}
	paths, err := p.Paths()
	g.Least = paths.Bound(r.PEs)
	return err
}

// yieldEvery is how long a replay in a page lets no messages arrive.
const yieldEvery = 25 * time.Millisecond

// replayed makes a replay without a trace and returns its time.
func (r Run) replayed(ctx context.Context) (elapsed int64, p *Prepared, err error) {
	if p, err = r.Resolve(); err != nil {
		return 0, nil, err
	}
	yielded := time.Now()
	result, err := p.Run(ctx, nil, func(Progress) {
		if runtime.GOOS == "js" && time.Since(yielded) > yieldEvery {
			time.Sleep(time.Microsecond) // messages arrive in a worker only while no goroutine runs
			yielded = time.Now()
		}
	})
	if err == nil && result.Err != nil {
		err = fmt.Errorf("on %s: %w", figures.Counted(int64(r.PEs), "PE"), result.Err)
	}
	if err != nil {
		return 0, nil, err
	}
	return result.Machine.Elapsed, p, nil
}
