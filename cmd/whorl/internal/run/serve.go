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
	var reading *traces.Reading
	cmd := &cobra.Command{
		Use:   "serve [TRACE|WORKSPACE...]",
		Short: "Serve the viewer to a browser",
		Long: `Serve the page of the viewer until Ctrl-C. The page opens the TRACEs and runs programs in the browser. The server only serves files; on a
loopback address it answers only this machine.

` + traces.ViewedHelp,
		Example: `  whorl serve pascal.whorl
  whorl serve --addr 127.0.0.1:0     # any free port; the address is printed`,
		RunE: func(cmd *cobra.Command, args []string) error {
			traces, remove, err := reading.Viewable(cmd, args)
			if err != nil {
				return err
			}
			defer remove()
			return servePage(cmd, traces, addr, false)
		},
	}
	reading = traces.Flags(cmd)
	cmd.Flags().StringVar(&addr, "addr", defaultAddr, "`host:port` to listen on")
	return cmd
}

// servePage serves the traces until the user interrupts it. With other set it uses another port if that of addr is in use.
func servePage(cmd *cobra.Command, traces []string, addr string, other bool) error {
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
	fmt.Fprintf(cmd.OutOrStdout(), "%s\n", serve.URL(l))
	if !serve.Private(l) {
		fmt.Fprintln(cmd.ErrOrStderr(), "whorl: anyone on the network can open this page and read its traces; "+defaultAddr+" is for this machine alone")
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "whorl: open that address in a browser; Ctrl-C ends the server")
	return serve.Run(cmd.Context(), l, handler)
}
