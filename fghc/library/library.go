// Package library contains the standard library, written in KL1: pools (stacks, queues, bags, sets), splay trees, timers and others, with the
// interfaces of KLIC's library. A module becomes part of every program that calls it and does not define a module of that name.
package library

import (
	"embed"
	"slices"
	"strings"
)

// A Module is a module with its file name and text.
type Module struct{ Name, File, Text string }

//go:embed *.kl1
var files embed.FS

// All lists the modules by name.
var All = func() (all []Module) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the files are embedded
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

// Find returns the module with the given name.
func Find(name string) (Module, bool) {
	i := slices.IndexFunc(All, func(m Module) bool { return m.Name == name })
	if i < 0 {
		return Module{}, false
	}
	return All[i], true
}
