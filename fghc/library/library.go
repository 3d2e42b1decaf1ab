// Package library has the modules that come with the language and are written in it: pools (stacks, queues, bags, sets), splay trees,
// timers and others, with the interfaces that KLIC's have. A module becomes part of a program that calls it and has none of that name.
package library

import (
	"embed"
	"slices"
	"strings"
)

// A Module is the text of one module.
type Module struct{ Name, File, Text string }

//go:embed *.kl1
var files embed.FS

// All are the modules, by name.
var All = func() (all []Module) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // they are part of the binary
	}
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		all = append(all, Module{strings.TrimSuffix(e.Name(), ".kl1"), "library/" + e.Name(), string(text)})
	}
	return all
}()

// Find returns the module of a name.
func Find(name string) (Module, bool) {
	i := slices.IndexFunc(All, func(m Module) bool { return m.Name == name })
	if i < 0 {
		return Module{}, false
	}
	return All[i], true
}
