package run

import (
	"fmt"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/serve"
)

// defaultAddr is the address of the page. It is on loopback, because traces may be private.
const defaultAddr = "127.0.0.1:7070"

func newServe() *cobra.Command {
	var addr string
	var shared sharing
	var reading *traces.Reading
	cmd := &cobra.Command{
		Use:   "serve [TRACE|WORKSPACE...]",
		Short: "Serve the viewer to browsers, or share a session",
		Long: `Serve the page of the viewer until Ctrl-C. The page opens the TRACEs and runs programs in the browser. The server only serves files; on a
loopback address it answers only this machine.

With --share the server hosts a session: everybody who opens one of the links that it prints looks at the same traces, and follows, presents or looks
around alone. With a WORKSPACE, which the viewer has saved, all begin with its panes and its traces. There is a link for each role: viewers look,
presenters also change what everybody sees, and the owner gives roles. At an address other than loopback the session uses TLS.

` + traces.ViewedHelp,
		Example: `  whorl serve pascal.whorl
  whorl serve --addr 127.0.0.1:0     # any free port; the address is printed
  whorl serve --share pascal.whorl   # for this machine
  whorl serve --share --addr :7070 --host lab.example pascal.whorl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := command.CheckScopes(cmd, serveScopes, &shared); err != nil {
				return err
			}
			traces, remove, err := reading.Viewable(cmd, args, false)
			if err != nil {
				return err
			}
			defer remove()
			if shared.on {
				return shareTraces(cmd, traces, addr, &shared)
			}
			return servePage(cmd, traces, addr, false, shared.hosts...)
		},
	}
	reading = traces.Flags(cmd)
	shared.flags(cmd)
	cmd.Flags().StringVar(&addr, "addr", defaultAddr, "`host:port` to listen on")
	return cmd
}

// servePage serves the traces until the user interrupts it. With other set it uses another port if that of addr is in use.
// hosts are names of this machine.
func servePage(cmd *cobra.Command, traces []string, addr string, other bool, hosts ...string) error {
	return servePageAt(cmd, "", traces, addr, other, hosts...)
}

// servePageAt is servePage with a query for the address that it prints.
func servePageAt(cmd *cobra.Command, query string, traces []string, addr string, other bool, hosts ...string) error {
	if err := serve.Built(); err != nil {
		return command.Exit(command.ExitFailed, err)
	}
	handler, err := serve.Handler(traces)
	if err != nil {
		return err
	}
	l, err := serve.Listen(addr, other)
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s%s\n", serve.URL(l), query)
	if !serve.Private(l) {
		fmt.Fprintln(cmd.ErrOrStderr(), "whorl: anyone on the network can open this page and read its traces; "+defaultAddr+" is for this machine alone")
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "whorl: open that address in a browser; Ctrl-C ends the server")
	return (&serve.Server{Handler: handler, Hosts: hosts}).Run(cmd.Context(), l)
}
