package live

// A gate holds the arguments of Await.
type gate struct {
	open    func() bool
	stalled func()
}

// yield waits while the world is stopped.
func (w *Worker) yield() {
	c := w.crew
	for c.stops() {
		w.stopped, w.held = true, w.held || c.held
		c.leave()
		for c.stops() {
			c.resume.Wait()
		}
		c.running++
	}
}

// Stopped reports whether the worker has waited, since the last call, while the world was stopped; held is set if it was stopped by Hold.
func (w *Worker) Stopped() (stopped, held bool) {
	stopped, held = w.stopped, w.held
	w.stopped, w.held = false, false
	return stopped, held
}

func (c *Crew) stops() bool { return c.stop || c.held }

// leave counts out a worker that sleeps or stops. The last one checks the gate for the workers that wait there.
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

// Hold stops the world until Release, for a goroutine that is not a worker. It returns when no worker runs.
func (c *Crew) Hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = true
	c.press()
	for c.running > 0 {
		c.stopped.Wait()
	}
}

// press makes all workers check for requests at their next safe points.
func (c *Crew) press() {
	for i := range c.workers {
		c.workers[i].pressed.Store(true)
	}
}

// Release restarts the world after Hold.
func (c *Crew) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = false
	c.resume.Broadcast()
}

// Await is a safe point at which a worker waits until open returns true or the crew ends. open is called again after
// Release and when no worker runs; if it is still false then, stalled is called. Both are called under the crew's lock
// and must be the same for all workers.
func (w *Worker) Await(open func() bool, stalled func()) {
	c := w.crew
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gate = gate{open, stalled}
	for !open() && !c.ended.Load() {
		c.waiting++
		c.leave()
		if !open() { // leave may have called open itself
			c.resume.Wait()
		}
		c.running++
		c.waiting--
		w.yield()
	}
}

// Done removes a worker from the crew. It is the last call of a worker.
func (w *Worker) Done() {
	w.crew.mu.Lock()
	defer w.crew.mu.Unlock()
	w.crew.leave()
}

// Alone is a safe point that calls f while no other worker runs. Other workers may have been alone before f is called.
func (w *Worker) Alone(f func()) {
	c := w.crew
	c.mu.Lock()
	defer c.mu.Unlock()
	w.yield()
	c.stop = true
	c.press()
	for c.running > 1 {
		c.stopped.Wait()
	}
	c.mu.Unlock() // a worker that wakes meanwhile stops at yield
	defer func() {
		c.mu.Lock()
		c.stop = false
		c.resume.Broadcast()
	}()
	f()
}
