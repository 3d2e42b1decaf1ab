// Package floors checks the import order of the packages of this module.
//
// Each package has a floor. It may import packages of lower floors and, on its own floor, packages of its family: those of the same row of the
// table. Go itself forbids cycles. Only the packages named in the table may import a module of others. The tests ask the go command for the
// imports of all packages on each platform, and report imports that go up. The package consists of tests alone.
package floors

import (
	"fmt"
	"slices"
	"strings"
)

// A Row puts packages on a floor. Its pattern is the path of a package below the module, or a path with "/..." for a package and all below it.
// If several rows match a package, the row with the longest pattern applies.
type Row struct {
	Pattern string
	Floor   int
	Apart   bool // packages of the family do not import each other; only the package of the folder imports those below it
	Native  bool // not for the browser: packages for the browser do not import it
}

// An Outside row names the packages that may import a module of others.
type Outside struct {
	Prefix string   // of the import path
	In     []string // patterns as in Row
}

// A Package is a package and its imports, as the go command lists them.
type Package struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

// A Checker checks the imports of one module.
type Checker struct {
	Module  string
	Rows    []Row
	Outside []Outside
}

// Check returns a line for each import that breaks a rule, in the order of pkgs. It skips packages of other modules. With browser set, no package
// may import a native one.
func (c *Checker) Check(pkgs []Package, browser bool) []string {
	standard := map[string]bool{"C": true, "unsafe": true}
	for _, p := range pkgs {
		if p.Standard {
			standard[p.ImportPath] = true
		}
	}
	var broken []string
	for _, p := range pkgs {
		name, ours := c.inside(p.ImportPath)
		if !ours {
			continue
		}
		row := c.row(name)
		if row == nil {
			broken = append(broken, name+" has no floor: add a row to internal/floors/table_test.go")
			continue
		}
		for _, imp := range p.Imports {
			target, ours := c.inside(imp)
			var why string
			switch {
			case ours:
				why = c.between(name, row, target, browser)
			case standard[imp]:
			default:
				why = c.outside(name, imp)
			}
			if why != "" {
				broken = append(broken, fmt.Sprintf("%s imports %s: %s", name, imp, why))
			}
		}
	}
	return broken
}

// between returns the reason why name may not import target, "" if it may.
func (c *Checker) between(name string, row *Row, target string, browser bool) string {
	to := c.row(target)
	switch {
	case slices.Contains(strings.Split(target, "/"), "testdata"):
		return "only tests import packages of testdata"
	case to == nil:
		return "it has no floor"
	case browser && to.Native && !row.Native:
		return "it is not for the browser"
	case to.Floor > row.Floor:
		return fmt.Sprintf("up from floor %d to %d", row.Floor, to.Floor)
	case to.Floor == row.Floor && to != row:
		return fmt.Sprintf("another family on the same floor %d", row.Floor)
	case to == row && row.Apart && name != strings.TrimSuffix(row.Pattern, "/..."):
		return "packages of this family do not import each other"
	}
	return ""
}

// outside returns the reason why name may not import imp, a package of another module, "" if it may.
func (c *Checker) outside(name, imp string) string {
	for _, o := range c.Outside {
		if imp == o.Prefix || strings.HasPrefix(imp, o.Prefix+"/") {
			if slices.ContainsFunc(o.In, func(p string) bool { return match(p, name) }) {
				return ""
			}
			return "this module is used only in " + strings.Join(o.In, ", ")
		}
	}
	return "this module has no row in internal/floors/table_test.go"
}

// row returns the row with the longest pattern that matches name, nil for none.
func (c *Checker) row(name string) *Row {
	var best *Row
	for i := range c.Rows {
		r := &c.Rows[i]
		if match(r.Pattern, name) && (best == nil || len(r.Pattern) > len(best.Pattern)) {
			best = r
		}
	}
	return best
}

// inside returns the path of a package below the module.
func (c *Checker) inside(path string) (name string, ok bool) {
	if path == c.Module {
		return ".", true
	}
	return strings.CutPrefix(path, c.Module+"/")
}

func match(pattern, name string) bool {
	base, all := strings.CutSuffix(pattern, "/...")
	return name == base || all && strings.HasPrefix(name, base+"/")
}

// Unused returns a line for each row that matches none of the packages, and for each module that none of them imports.
func (c *Checker) Unused(pkgs []Package) []string {
	used, imported := map[*Row]bool{}, map[string]bool{}
	for _, p := range pkgs {
		name, ours := c.inside(p.ImportPath)
		if !ours {
			continue
		}
		used[c.row(name)] = true
		for _, imp := range p.Imports {
			for _, o := range c.Outside {
				if imp == o.Prefix || strings.HasPrefix(imp, o.Prefix+"/") {
					imported[o.Prefix] = true
				}
			}
		}
	}
	var unused []string
	for i := range c.Rows {
		if !used[&c.Rows[i]] {
			unused = append(unused, c.Rows[i].Pattern+" matches no package")
		}
	}
	for _, o := range c.Outside {
		if !imported[o.Prefix] {
			unused = append(unused, o.Prefix+" is imported by no package")
		}
	}
	return unused
}
