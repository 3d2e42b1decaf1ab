package observe

import (
	"iter"
	"runtime/trace"
	"sync/atomic"

	"whorl/tracer/observed"
)

// A Chan is a channel whose elements are in the trace. Send and Recv of the zero Chan wait forever, as those of a nil channel do.
type Chan[T any] struct {
	ch   chan element[T]
	sent atomic.Uint32 // elements numbered
	id   object
}

// An element has a number if it was sent while a trace was on, else 0.
type element[T any] struct {
	value  T
	number uint32
}

// Make returns a channel with room for a number of elements. As with make, that must not be negative.
func Make[T any](capacity int) *Chan[T] {
	return &Chan[T]{ch: make(chan element[T], capacity)}
}

// Send sends a value: c <- value.
func (c *Chan[T]) Send(value T) {
	e := element[T]{value: value}
	if trace.IsEnabled() {
		e.number = c.next()
		c.write(observed.Send, e.number)
	}
	c.ch <- e
}

// next numbers an element.
func (c *Chan[T]) next() uint32 {
	for {
		if n := c.sent.Add(1) & observed.MostNumber; n > 0 {
			return n
		}
	}
}

func (c *Chan[T]) write(op observed.Op, number uint32) {
	c.id.write(observed.Send, op, observed.Record{Op: op, Number: number}.Message(), cap(c.ch))
}

// Recv receives a value: value, ok := <-c. After the last element of a closed channel, ok is false.
func (c *Chan[T]) Recv() (value T, ok bool) {
	e, ok := <-c.ch
	if trace.IsEnabled() {
		op := observed.Receive
		if !ok {
			op = observed.Drained
		}
		c.write(op, e.number)
	}
	return e.value, ok
}

// All returns the values until the channel is closed: for value := range c.All().
func (c *Chan[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			if value, ok := c.Recv(); !ok || !yield(value) {
				return
			}
		}
	}
}

// Close closes the channel.
func (c *Chan[T]) Close() {
	if trace.IsEnabled() {
		c.write(observed.Close, 0)
	}
	close(c.ch)
}

// Len returns the number of elements in the channel.
func (c *Chan[T]) Len() int { return len(c.ch) }

// Cap returns the number of elements for which the channel has room.
func (c *Chan[T]) Cap() int { return cap(c.ch) }
