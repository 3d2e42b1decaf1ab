package main

import (
	"context"
	"iter"
	"runtime/trace"
	"sync"

	"whorl/observe"
)

// A kit has what programs are made of: work, and the types of package sync or of package observe.
type kit struct {
	observe, regions bool
	scale            float64
	factors          map[string]float64 // of the work of functions
}

// times returns how often something is done that is done n times at scale 1.
func (k *kit) times(n int) int { return max(1, int(float64(n)*k.scale)) }

// Work is what a call of a named function does.
type work struct {
	function string // of its region, "" for none
	loops    int
}

// work returns the work of a function that takes some units.
func (k *kit) work(function string, units float64) work {
	if factor, ok := k.factors[function]; ok {
		units *= factor
	}
	w := work{loops: int(units * 1000)}
	if k.regions {
		w.function = function
	}
	return w
}

// do does the work. Its result depends on nothing but the number of loops.
func (w work) do() uint64 {
	if w.function != "" {
		defer trace.StartRegion(context.Background(), w.function).End()
	}
	x := uint64(1)
	for range w.loops {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

// mutex returns a lock.
func (k *kit) mutex() sync.Locker {
	if k.observe {
		return new(observe.Mutex)
	}
	return new(sync.Mutex)
}

type rwMutex interface {
	sync.Locker
	RLock()
	RUnlock()
}

// rwMutex returns a lock for readers and writers.
func (k *kit) rwMutex() rwMutex {
	if k.observe {
		return new(observe.RWMutex)
	}
	return new(sync.RWMutex)
}

type group interface {
	Go(f func())
	Wait()
}

// group returns a wait group.
func (k *kit) group() group {
	if k.observe {
		return new(observe.WaitGroup)
	}
	return new(sync.WaitGroup)
}

type channel[T any] interface {
	Send(value T)
	Close()
	All() iter.Seq[T]
}

// makeChannel returns a channel.
func makeChannel[T any](k *kit, capacity int) channel[T] {
	if k.observe {
		return observe.Make[T](capacity)
	}
	return plain[T](make(chan T, capacity))
}

// Plain is a channel of Go with the methods of observe.Chan.
type plain[T any] chan T

func (c plain[T]) Send(value T) { c <- value }
func (c plain[T]) Close()       { close(c) }
func (c plain[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for value := range c {
			if !yield(value) {
				return
			}
		}
	}
}
