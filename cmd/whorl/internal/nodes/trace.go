package nodes

import (
	"context"
	"time"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/dts/cluster"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/store"
)

// collect writes the trace of all nodes, also after an interrupt.
func (c *crew) collect(conn *cluster.Conn, since time.Time, outcome tracer.Outcome) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.cmd.Context()), time.Minute)
	defer cancel()
	if c.options.Server == nil {
		time.Sleep(300 * time.Millisecond) // the nodes go on and send their traces a few times a second
	}
	w, err := open.Create(c.trace)
	if err != nil {
		return err
	}
	err = conn.Collect(ctx, w, since, outcome, func(m *tracer.Meta) {
		m.Program, m.Args = c.run.Program, c.run.Args
		switch {
		case c.bench != nil:
			m.Program, m.Args = c.bench.Name, c.bench.Args
		case c.sweep != nil:
			m.Args = []string{c.sweep.Grid.Name}
		default:
			m.Source = build.AddSources(m.Source, c.run.Program, w.Dict())
		}
	})
	return closeTrace(w, c.trace, err)
}

// closeTrace closes a trace file. It returns err, or else the error of closing.
func closeTrace(w *store.Writer, path string, err error) error {
	if e := w.Close(); e != nil && err == nil {
		return files.CannotWrite(path, e)
	}
	if err != nil {
		return command.Exit(command.ExitFailed, err)
	}
	return nil
}
