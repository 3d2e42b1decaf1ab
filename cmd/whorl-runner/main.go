//go:build js

// Whorl-runner runs programs in a Web Worker of the viewer's page. It is built for js; whorl-view, the page, asks it for
// a run and shows the trace.
package main

import (
	"fmt"
	"os"
	"syscall/js"

	"whorl/experiment/session"
	"whorl/internal/webport"
)

func main() {
	var h session.Host
	js.Global().Set("serve", js.FuncOf(func(_ js.Value, args []js.Value) any { // called with a port for each run of a recorded program
		port := args[0]
		go func() { _ = h.Serve(webport.New(port, func() { port.Call("close") })) }() // its client sees the same error
		return nil
	}))
	if err := h.Serve(webport.Parent()); err != nil {
		fmt.Fprintln(os.Stderr, "whorl-runner:", err)
		os.Exit(1)
	}
}
