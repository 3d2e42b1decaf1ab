package check

import (
	"slices"

	"whorl/fghc/library"
	"whorl/fghc/syntax"
)

// WithLibrary returns the files followed by the library modules that a query calls and that are not among them.
func (fs Files) WithLibrary(query string) Files {
	goals, _ := syntax.ParseGoals("", query)
	return fs.withLibrary(goals)
}

// withLibrary adds the library modules that the goals, the files and the added modules call.
func (fs Files) withLibrary(goals []syntax.Goal) Files {
	have := map[string]bool{}
	for _, f := range fs {
		for _, m := range f.Modules {
			have[m.Name] = true
		}
	}
	all := slices.Clone(fs)
	call := func(goals []syntax.Goal) {
		for _, g := range goals {
			var modules []string
			name, args := g.Name()
			if _, ok := find(g.Module, name, args); !ok {
				modules = append(modules, g.Module)
			}
			for _, p := range constants(g.Term, nil) {
				modules = append(modules, p.module)
			}
			for _, name := range modules {
				m, ok := library.Find(name)
				if !ok || have[name] {
					continue
				}
				have[name] = true
				f, _ := syntax.Parse(m.File, m.Text) // tests check that modules have no errors
				f, _ = syntax.Expand(f)
				f.Library = true
				all = append(all, f)
			}
		}
	}
	call(goals)
	for i := 0; i < len(all); i++ {
		for _, cl := range all[i].Clauses {
			call(cl.Body)
		}
	}
	return all
}
