// Whorl runs parallel programs on simulated processing elements and draws what happened: whorl help.
package main

import (
	"os"

	"whorl/cmd/whorl/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
