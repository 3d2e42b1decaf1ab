package makes

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer/formats/actions"
)

// key identifies the recipe of a target: the line that runs its make, the process of make, and the target.
type key struct {
	parent *job
	make   int
	target string
}

// prerequisites are those of the targets of each process of make.
type prerequisites map[int]map[string][]string

// Build returns the recorded build, after Stop. program is the command that ran make. Build returns an error if no line of a recipe ran.
func (r *Recording) Build(program string) (*actions.Build, error) {
	oneshell, _ := os.Stat(filepath.Join(r.dir, "oneshell"))
	if len(r.jobs) == 0 {
		if oneshell != nil {
			return nil, errors.New("no recipe was recorded: the makefile has .ONESHELL, or a SHELL that is none of POSIX; --samples has perf sample the build")
		}
		return nil, errors.New("no recipe has run: the build had nothing to do, or its make is not GNU make 4")
	}
	graph, cut := r.graph()
	b := build(program, r.jobs, graph, r.ended)
	b.PEs = r.most
	if cut {
		b.Dropped.Once("prerequisites beyond " + figures.Size(mostGraph))
	}
	b.Dropped.Add("lines of recipes", r.lost)
	if oneshell != nil {
		b.Dropped.Once("recipes of makefiles with .ONESHELL, or a SHELL that is none of POSIX")
	}
	return b, nil
}

// build makes a build of lines of recipes: the lines of a target are one action, and the lines that run make have those of that make as parts. The whole
// build is an action too.
func build(program string, jobs []*job, graph prerequisites, ended int64) *actions.Build {
	whole := &actions.Action{Name: program, Ran: true, To: ended}
	b := &actions.Build{Program: program, Process: program, Actions: []*actions.Action{whole}}
	top := ""
	if len(jobs) > 0 {
		top = jobs[0].dir
	}
	byJob, byKey := map[*job]*actions.Action{}, map[key]*actions.Action{}
	var keys []key
	for _, j := range jobs {
		k := key{j.parent, j.make, j.target}
		a := byKey[k]
		if a == nil {
			a = &actions.Action{Name: name(top, j.dir, j.target), Ran: true, From: j.from, Parent: whole}
			if p := byJob[j.parent]; p != nil {
				a.Parent = p
			}
			byKey[k] = a
			b.Actions = append(b.Actions, a)
			keys = append(keys, k)
		}
		a.To = max(a.To, j.to)
		whole.To = max(whole.To, j.to)
		byJob[j] = a
	}
	for _, k := range keys {
		a := byKey[k]
		for _, name := range graph[k.make][k.target] {
			if d := byKey[key{k.parent, k.make, name}]; d != nil && d != a {
				a.Deps = append(a.Deps, d)
			}
		}
	}
	return b
}

// name returns the name of a target in a folder. Names of files are those from the first folder of the build on.
func name(top, dir, target string) string {
	if filepath.IsAbs(target) {
		dir, target = target, ""
	}
	rel, err := filepath.Rel(top, dir)
	switch {
	case err != nil || strings.HasPrefix(rel, ".."):
		return filepath.Join(dir, target)
	case rel == ".":
		return target
	}
	return filepath.Join(rel, target)
}

// graph reads the prerequisites that the processes of make have written. cut reports that there are more than can be read.
func (r *Recording) graph() (graph prerequisites, cut bool) {
	graph = prerequisites{}
	left := int64(mostGraph)
	for _, j := range r.jobs {
		if graph[j.make] != nil {
			continue
		}
		graph[j.make] = map[string][]string{}
		f, err := os.Open(filepath.Join(r.dir, fmt.Sprint("graph.", j.make)))
		if err != nil {
			continue
		}
		left = parse(io.LimitReader(f, left), graph[j.make], left)
		f.Close()
	}
	return graph, left <= 0
}

// parse reads lines with a target, its prerequisites and its order-only prerequisites, between tabs, and returns what it leaves of a number of bytes.
func parse(r io.Reader, of map[string][]string, left int64) int64 {
	b := bufio.NewReader(r)
	for {
		line, err := b.ReadBytes('\n')
		left -= int64(len(line))
		target, rest, ok := bytes.Cut(bytes.TrimRight(line, "\n"), []byte{'\t'})
		if ok {
			for _, p := range bytes.Fields(rest) {
				of[string(target)] = append(of[string(target)], string(p))
			}
		}
		if err != nil {
			return left
		}
	}
}
