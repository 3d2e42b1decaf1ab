package wiring

import (
	"slices"
	"time"

	"whorl/internal/figures"
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/ui"
)

// box is a module or a stage of the view.
type box struct {
	use    *network.Use    // nil for a stage
	module *network.Module // nil for a stage or an unknown module
	title  string
	doc    string
	reads  []int
	ports  []string // the input of each link, "" for a stage
	note   string   // time and size of the output
	rect   ui.Rect
	layer  int
	down   bool      // links come from above
	pass   []ui.Rect // places between the boxes of the next layers that links from the box pass through
}

// boxes lists the uses of the network, each with a note about its output, and the stages of the view between them.
func (s *Scene) boxes(note func(info flow.Info) string) (all []box) {
	index := map[string]int{}
	for i := range s.Network.Uses {
		u := &s.Network.Uses[i]
		b := box{use: u, module: s.Catalog.ModuleOf(s.Network, *u), title: u.Name, doc: u.Module}
		if b.module != nil {
			b.doc = b.module.Title
		}
		index[u.Name] = i
		all = append(all, b)
	}
	at := s.outputs()
	for i := range all {
		u := all[i].use
		if b := all[i].module; b != nil {
			for _, port := range b.In {
				for _, from := range u.Links[port.Name] {
					if j, ok := index[from]; ok {
						all[i].reads, all[i].ports = append(all[i].reads, j), append(all[i].ports, port.Name)
					}
				}
			}
		}
		if k, ok := at[u.Name]; ok {
			all[i].note = note(s.Stages[k])
		}
	}
	return s.inner(all, at, note)
}

// outputs returns for the uses the stages of the picture that are their outputs.
func (s *Scene) outputs() map[string]int {
	at := map[string]int{}
	if len(s.Stages) > 0 && s.Display != "" {
		at[s.Display] = len(s.Stages) - 1
	}
	for k, info := range s.Stages {
		if s.Plan == nil {
			break
		}
		for _, o := range s.Plan.Outputs {
			if st := o.Stage; st != nil && info.Is(st) {
				at[o.Use.Name] = k
			}
		}
	}
	for i := range s.Network.Uses { // a picture of the trace itself reads the source
		if u := &s.Network.Uses[i]; u.Module == "trace" {
			if _, ok := at[u.Name]; !ok {
				if k := slices.IndexFunc(s.Stages, func(i flow.Info) bool { return i.Name == "trace" }); k >= 0 {
					at[u.Name] = k
				}
			}
		}
	}
	return at
}

// inner adds the stages of the view, which lie between what the display reads and the display.
func (s *Scene) inner(all []box, at map[string]int, note func(info flow.Info) string) []box {
	display := s.Network.Use(s.Display)
	if display < 0 || len(s.Stages) == 0 {
		return all
	}
	boxOf := map[int]int{len(s.Stages) - 1: display}
	for _, name := range names(s.Network) {
		if k, ok := at[name]; ok && name != s.Display {
			boxOf[k] = s.Network.Use(name)
		}
	}
	reads, ports := all[display].reads, all[display].ports
	last := s.Stages[len(s.Stages)-1]
	needed := map[int]bool{}
	var need func(k int)
	need = func(k int) {
		if _, known := boxOf[k]; known || needed[k] || len(s.Stages[k].In) == 0 {
			return
		}
		needed[k] = true
		for _, in := range s.Stages[k].In {
			need(in)
		}
	}
	for _, in := range last.In {
		need(in)
	}
	for k, info := range s.Stages {
		if needed[k] {
			boxOf[k] = len(all)
			all = append(all, box{title: info.Name, doc: info.Doc, note: note(info)})
		}
	}
	for k, info := range s.Stages {
		if !needed[k] {
			continue
		}
		b := &all[boxOf[k]]
		for _, in := range info.In {
			if j, ok := boxOf[in]; ok {
				b.reads, b.ports = append(b.reads, j), append(b.ports, "")
			}
		}
	}
	for _, in := range last.In {
		if j, ok := boxOf[in]; ok && needed[in] {
			reads, ports = append(reads, j), append(ports, "")
		}
	}
	all[display].reads, all[display].ports = reads, ports
	return all
}

func names(n *network.Network) (names []string) {
	for _, u := range n.Uses {
		names = append(names, u.Name)
	}
	return names
}

// between stands between the time and the size of a note.
const between = " · "

// note describes the last value of a stage and the time that it took.
func note(info flow.Info, size func(v any) string) string {
	switch {
	case info.Running:
		return "computing …"
	case info.Value == nil:
		return ""
	case info.Spent < 10*time.Microsecond:
		return size(info.Value)
	}
	return figures.Duration(int64(info.Spent)) + between + size(info.Value)
}

// Picture returns the picture of a scene with times and sizes.
func (p *Panels) Picture(s Scene) *Picture { return newPicture(s, p.note) }

// note is the function note with the sizes of the values that are known already.
func (p *Panels) note(info flow.Info) string {
	return note(info, func(v any) string {
		size, ok := p.sizes[info.Revision]
		if !ok {
			size = network.Describe(v)
			p.sizes[info.Revision] = size
		}
		return size
	})
}
