// Figure2 is a program like that of Figure 2 of the paper on TreVis.
package main

import (
	"context"
	"fmt"
	"os"

	"whorl/dts"
	"whorl/internal/fidelity/testdata/nested"
)

func main() {
	if _, err := dts.Run(context.Background(), dts.Options{}, nested.Main); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
