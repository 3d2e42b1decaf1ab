package panes

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/visual/documents"
	"whorl/visual/network"
	"whorl/visual/network/modules"
)

// sourcePrefix begins the names of the documents that are sources of networks.
const sourcePrefix = "module "

// errWaiting reports a source that has no value yet.
var errWaiting = errors.New("the value is not there yet")

// sourceName returns the name of the document of a source. Sources with the same parameters share one.
func sourceName(o *network.Output) string {
	var b strings.Builder
	b.WriteString(sourcePrefix + o.Module.Name)
	for _, p := range o.Module.Params {
		fmt.Fprintf(&b, " %s=%v", p.Name, o.Values[p.Name])
	}
	return b.String()
}

// value returns the value of a source for a pane that shows the trace d, with a number that changes when the value does.
func (n *Networks) value(o *network.Output, d *documents.Document) (v any, revision uint64, err error) {
	name, path := sourceName(o), documents.ModuleFile(o.Values, n.folder())
	switch {
	case o.Module.Name == modules.TraceName && path == "":
		other, err := n.input(o, d)
		if err != nil {
			return nil, 0, err
		}
		return other.Source, other.Revision(), nil
	case n.failed[name] != nil:
		return nil, 0, n.failed[name]
	case o.Module.Name != modules.RunName && runtime.GOOS == "js":
		return nil, 0, errors.New("a page cannot read files by their paths: open the file, and use the module trace with its number")
	case o.Module.Name == modules.SweepName:
		if n.tables[path] == nil {
			if n.tables[path], err = documents.ModuleTable(path); err != nil {
				n.failed[name] = err
				return nil, 0, err
			}
		}
		return n.tables[path], 1, nil
	}
	made := n.model.Docs.Get(name)
	if made == nil {
		return nil, 0, n.begin(o, name, path)
	}
	if l := made.Live; l != nil && l.Over && l.Status.Err != "" {
		return nil, 0, errors.New(l.Status.Err)
	} else if l != nil && !l.Over {
		return nil, 0, fmt.Errorf("%w: the run of %s goes on", errWaiting, o.Values.Text("program"))
	}
	return whole(made.Source), made.Revision(), nil
}

// whole returns a trace with all of its recorded events.
func whole(src tracer.Source) tracer.Source {
	if g, ok := src.(*store.Growing); ok {
		return g.Merged()
	}
	return src
}

// begin starts the run of a source, or begins to read its file. The error says that, or why it cannot.
func (n *Networks) begin(o *network.Output, name, path string) error {
	if o.Module.Name != modules.RunName {
		if !n.model.Docs.Awaits(name) {
			n.model.Docs.Load(&documents.File{Name: filepath.Base(path), Path: path, Size: -1, Format: o.Values.Text("format")}, name, documents.Search{})
		}
		return fmt.Errorf("%w: reading %s", errWaiting, filepath.Base(path))
	}
	made, err := n.model.Docs.Start(documents.ModuleRun(o.Values, n.folder()))
	if err != nil {
		n.failed[name] = err
		return err
	}
	made.Module = true
	n.model.Docs.Add(name, made)
	return fmt.Errorf("%w: the run of %s begins", errWaiting, o.Values.Text("program"))
}

// Loaded takes the file of a source of a network. It reports whether the file is one.
func (n *Networks) Loaded(got documents.Loaded) bool {
	if !strings.HasPrefix(got.As, sourcePrefix) {
		return false
	}
	switch {
	case got.Err == nil && got.Trace == nil:
		got.Err = fmt.Errorf("%s is no trace", got.File.Name)
		fallthrough
	case got.Err != nil:
		n.failed[got.As] = got.Err
	default:
		got.Trace.Module = true
		n.model.Docs.Add(got.As, got.Trace)
	}
	n.out.Redraw()
	return true
}

// folder returns the folder of the workspace. Relative paths begin there.
func (n *Networks) folder() string {
	if n.Workspace == nil || n.Workspace() == "" {
		return "."
	}
	return filepath.Dir(n.Workspace())
}

// sources adds the names of the documents that are sources of networks of panes.
func (m *Model) sources(names map[string]bool) map[string]bool {
	for _, p := range m.Panes {
		if p.wired.plan == nil {
			continue
		}
		for _, o := range p.wired.plan.Outputs {
			if o.Supplied() {
				names[sourceName(o)] = true
			}
		}
	}
	return names
}
