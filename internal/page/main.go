// Command page reduces the size of the viewer's web page. Only tools/page.sh runs it, and whoever looks for what makes the page large.
//
//	page memory FILE.wasm   joins the data segments of a module, and removes line numbers and the hints of fonts
//	page font               writes the fallback font, character by character
//	page sizes FILE.wasm    lists the packages and parts of the memory, with their sizes packed and not
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "memory":
		module, err := os.ReadFile(args[1])
		if err != nil {
			return err
		}
		packed, err := memory(module)
		if err != nil {
			return fmt.Errorf("%s: %w", args[1], err)
		}
		return os.WriteFile(args[1], packed, 0o755)
	case len(args) == 2 && args[0] == "sizes":
		module, err := os.ReadFile(args[1])
		if err != nil {
			return err
		}
		return sizes(os.Stdout, module)
	case len(args) == 1 && args[0] == "font":
		_, err := os.Stdout.Write(columns())
		return err
	}
	return fmt.Errorf("usage: page memory FILE.wasm, page font, or page sizes FILE.wasm")
}
