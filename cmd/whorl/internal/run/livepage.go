package run

import (
	"errors"
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/serve"
)

// A livePage is a display in browsers: any number of pages show the run, each from its beginning.
type livePage struct {
	listener net.Listener
	audience *session.Audience // nil before the run
	served   chan error        // receives the error of the server
}

// openPage returns a page for a run that no window can show, for the reason why.
func openPage(cmd *cobra.Command, why error) (*livePage, error) {
	if err := serve.Built(); err != nil {
		return nil, command.Exit(command.ExitFailed, fmt.Errorf("%w, and no page in its place: %w", why, err))
	}
	l, err := serve.Listen(defaultAddr, true)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %v; the run is served as a page: open %s in a browser\n", why, serve.URL(l))
	return &livePage{listener: l, served: make(chan error, 1)}, nil
}

func (p *livePage) show(cmd *cobra.Command, s *session.Session, description experiment.Run) (*experiment.Result, error) {
	var err error
	if p.audience, err = session.NewAudience(s, description); err != nil {
		return nil, err
	}
	handler, err := serve.RunHandler(p.audience.Feed)
	if err != nil {
		return nil, err
	}
	go func() { p.served <- serve.Run(cmd.Context(), p.listener, handler) }()
	return watchRun(cmd, s, nil, nil)
}

// stay serves the run that has ended until the user interrupts it.
func (p *livePage) stay(cmd *cobra.Command) error {
	fmt.Fprintln(cmd.ErrOrStderr(), "whorl: the run has ended; Ctrl-C ends the server")
	return <-p.served
}

// Close frees what the page uses. The run has ended.
func (p *livePage) Close() error {
	p.listener.Close()
	if p.audience == nil {
		return nil
	}
	return p.audience.Close()
}

// runServed makes a run that a page shows, and goes on serving it when it has ended. why is the reason why no window shows it.
func runServed(cmd *cobra.Command, r experiment.Run, out string, stats bool, why error) error {
	p, err := openPage(cmd, why)
	if err != nil {
		return err
	}
	defer p.Close()
	ended := run(cmd, r, out, stats, func() (display, error) { return p, nil })
	if s := (*command.StatusError)(nil); ended != nil && !errors.As(ended, &s) || cmd.Context().Err() != nil {
		return ended
	}
	return thenShow(cmd, ended, func() error { return p.stay(cmd) })
}

// complete returns the description of a run with the text of its program, so that a viewer elsewhere can run it again.
func complete(p *experiment.Prepared) experiment.Run {
	d := p.Description
	if files, _, ok := p.FGHC(); ok && len(files) == 1 && files[0].Name == d.Program {
		d.Text = files[0].Text
	}
	return d
}
