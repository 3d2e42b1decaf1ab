//go:build js

// Whorl-runner runs a program in a Web Worker of the viewer's page. It is built for js; whorl-view, the page, asks it for
// a run and shows the trace.
package main

import (
	"fmt"
	"os"

	"whorl/experiment/session"
	"whorl/internal/webport"
)

func main() {
	if err := session.Serve(webport.Parent()); err != nil {
		fmt.Fprintln(os.Stderr, "whorl-runner:", err)
		os.Exit(1)
	}
}
