package live

// A gate is what Await has been given.
type gate struct {
	open    func() bool
	stalled func()
}

// yield waits while somebody has the world stopped.
func (c *Crew) yield() {
	for c.stops() {
		c.leave()
		for c.stops() {
			c.resume.Wait()
		}
		c.running++
	}
}

func (c *Crew) stops() bool { return c.stop || c.held }

// leave counts a worker out that goes to sleep or stops. The last one looks after those who wait at the gate.
func (c *Crew) leave() {
	if c.running--; c.running <= 1 {
		c.stopped.Broadcast()
	}
	if c.running == 0 && c.waiting > 0 && !c.held {
		if c.gate.open() {
			c.resume.Broadcast()
		} else {
			c.gate.stalled()
		}
	}
}

// Hold stops the world for somebody who is no worker, until Release. It returns when no worker runs.
func (c *Crew) Hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = true
	c.press()
	for c.running > 0 {
		c.stopped.Wait()
	}
}

// press has the workers look what there is at their next safe points.
func (c *Crew) press() {
	for i := range c.workers {
		c.workers[i].pressed.Store(true)
	}
}

// Release lets the world go on after Hold.
func (c *Crew) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = false
	c.resume.Broadcast()
}

// Await is a safe point at which a worker waits for something that comes from outside of the crew, or for its end: until open is true, which
// is asked again after Release and when no worker runs any more. Where it is still false then, stalled is called. Both are called under the
// crew's lock, and are the same for all workers.
func (w *Worker) Await(open func() bool, stalled func()) {
	c := w.crew
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gate = gate{open, stalled}
	for !open() && !c.ended.Load() {
		c.waiting++
		c.leave()
		if !open() { // it would not hear of what it has found itself
			c.resume.Wait()
		}
		c.running++
		c.waiting--
		c.yield()
	}
}

// Done counts a worker out for good. It is the last that a worker calls.
func (w *Worker) Done() {
	w.crew.mu.Lock()
	defer w.crew.mu.Unlock()
	w.crew.leave()
}

// Alone calls f while no other worker runs, at a safe point of this one. Somebody else may have been alone before it is f's turn.
func (w *Worker) Alone(f func()) {
	c := w.crew
	c.mu.Lock()
	defer c.mu.Unlock()
	c.yield()
	c.stop = true
	c.press()
	for c.running > 1 {
		c.stopped.Wait()
	}
	c.mu.Unlock() // whoever wakes meanwhile goes no further than yield
	defer func() {
		c.mu.Lock()
		c.stop = false
		c.resume.Broadcast()
	}()
	f()
}
