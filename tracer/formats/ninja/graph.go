//go:build !js

package ninja

import (
	"errors"
	"io/fs"
	"slices"

	"whorl/tracer/formats/actions"
)

// A graph is the graph of a build in its manifest: the inputs of each output. Paths are numbers.
type graph struct {
	paths      map[string]int32
	edges      int
	maker      map[int32]int32   // the edge that makes an output
	inputs     []span            // by edge
	all        []int32           // inputs of all edges
	more       map[int32][]int32 // further inputs, by edge
	dynamic    []string          // files with dynamic dependencies
	cut        string            // the first of those without the end of a line
	unreadable int64             // those of them, and those included, that cannot be read
	size       int64             // bytes of the files and of the values of variables
}

// A span is a part of graph.all.
type span struct{ from, to int }

const (
	mostBytes = 1 << 30 // of the files of a graph and of the values of its variables
	mostFiles = 1 << 16 // that files of a graph include
	mostDepth = 100     // of files that include files
)

var errLarge = errors.New("the graph is larger than 1 GB")

func newGraph() *graph {
	return &graph{paths: map[string]int32{}, maker: map[int32]int32{}, more: map[int32][]int32{}}
}

// path returns the number of a path.
func (g *graph) path(p string) int32 {
	n, ok := g.paths[p]
	if !ok {
		n = int32(len(g.paths))
		g.paths[p] = n
	}
	return n
}

// edge adds an edge.
func (g *graph) edge(outputs, inputs []int32) {
	from := len(g.all)
	g.all = append(g.all, inputs...)
	n := int32(len(g.inputs))
	g.inputs = append(g.inputs, span{from, len(g.all)})
	g.edges++
	for _, o := range outputs {
		if _, ok := g.maker[o]; !ok {
			g.maker[o] = n
		}
	}
}

// extend adds inputs and further outputs to the edge of an output, if there is one.
func (g *graph) extend(output int32, inputs, outputs []int32) {
	e, ok := g.maker[output]
	if !ok {
		return
	}
	g.more[e] = append(g.more[e], inputs...)
	for _, o := range outputs {
		if _, ok := g.maker[o]; !ok {
			g.maker[o] = e
		}
	}
}

// read reads the graph of a folder.
func (g *graph) read(folder fs.FS, manifest string) error {
	p := parser{g: g, folder: folder}
	err := p.file(manifest, newScope(nil), 0)
	if g.edges == 0 {
		if errors.Is(err, fs.ErrNotExist) {
			return errors.New("there is no " + manifest + " beside the log")
		}
		if err == nil {
			err = errors.New("no edges in " + manifest)
		}
		return err
	}
	p.dynamic = true
	slices.Sort(g.dynamic)
	for _, file := range slices.Compact(g.dynamic) {
		if p.file(file, newScope(nil), 0) != nil {
			g.unreadable++
		}
	}
	return errors.Join(err, g.readDeps(folder))
}

// connect gives the actions of a build their dependencies. Edges without an action, such as those of the rule phony and those that did not run, become
// actions without times.
func (g *graph) connect(b *actions.Build, byOutput map[int32]*actions.Action) {
	byEdge := make([]*actions.Action, len(g.inputs))
	ran := make([]int32, 0, len(byOutput))
	for o := range byOutput {
		ran = append(ran, o)
	}
	slices.Sort(ran)
	for _, o := range ran {
		if e, ok := g.maker[o]; ok && byEdge[e] == nil {
			byEdge[e] = byOutput[o]
		}
	}
	for e := range byEdge {
		if byEdge[e] == nil {
			byEdge[e] = &actions.Action{}
		}
	}
	for e, a := range byEdge {
		s := g.inputs[e]
		for _, inputs := range [][]int32{g.all[s.from:s.to], g.more[int32(e)]} {
			for _, in := range inputs {
				if k, ok := g.maker[in]; ok && byEdge[k] != a {
					a.Deps = append(a.Deps, byEdge[k])
				}
			}
		}
	}
}
