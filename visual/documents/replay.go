//go:build !js

package documents

import (
	"cmp"
	"context"

	"whorl/experiment"
)

// replayed returns the replay of the program in the trace.
func (d *Document) replayed() (experiment.Run, error) {
	if d.recorded == nil {
		r := &recorded{done: make(chan struct{})}
		d.recorded = r
		source, name := d.Source, cmp.Or(d.Path, d.Name)
		go func() {
			defer close(r.done)
			program, err := experiment.ReadRecorded(source)
			if err == nil {
				err = program.MeasureOwn(context.Background())
			}
			if err != nil {
				r.err = err
				return
			}
			r.run = program.Run(name)
		}()
	}
	select {
	case <-d.recorded.done:
		return d.recorded.run, d.recorded.err
	default:
		return experiment.Run{}, ErrReading
	}
}
