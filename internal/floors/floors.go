// Package floors holds the order in which the packages of this module may import each other, as data, and a checker for it.
//
// Each package stands on a floor. It may import packages of lower floors and, on its own floor, packages of its own family: those under
// the same row of the table. Go itself forbids circles. What comes from outside the module and outside the standard library may be
// imported only where the table of outside modules says so. The test beside this file asks the go command for the imports of every
// package, for each of the platforms the module is built for, and fails with the import that goes up.
package floors

import (
	"fmt"
	"slices"
	"strings"
)

// A Row puts packages on a floor. A pattern is the path of a package below the module, or a path and "/..." for it and all below it.
// Of several rows that match a package the longest counts.
type Row struct {
	Pattern string
	Floor   int
	Apart   bool // packages of the family do not import each other, save that the folder's own package imports those below it
	Native  bool // not for the browser: no package that is built for it imports this one
}

// An Outside row says where a module of others may be imported.
type Outside struct {
	Prefix string   // of the import path
	In     []string // patterns as in Row
}

// A Package is one package with what it imports, as the go command lists it.
type Package struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

// A Checker holds the rules for one module.
type Checker struct {
	Module  string
	Rows    []Row
	Outside []Outside
}

// Check returns one line for each broken rule, in the order of the packages given; packages of other modules are not looked into. With
// browser set no package may import one that is native only.
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
			broken = append(broken, name+" stands on no floor: give it a row in internal/floors/table.go")
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

// between says why name may not import target, "" when it may.
func (c *Checker) between(name string, row *Row, target string, browser bool) string {
	to := c.row(target)
	switch {
	case slices.Contains(strings.Split(target, "/"), "testdata"):
		return "only tests import packages of testdata"
	case to == nil:
		return "which stands on no floor"
	case browser && to.Native && !row.Native:
		return "which is not for the browser"
	case to.Floor > row.Floor:
		return fmt.Sprintf("up from floor %d to %d", row.Floor, to.Floor)
	case to.Floor == row.Floor && to != row:
		return fmt.Sprintf("another family on the same floor %d", row.Floor)
	case to == row && row.Apart && name != strings.TrimSuffix(row.Pattern, "/..."):
		return "packages of this family stand apart"
	}
	return ""
}

// outside says why name may not import imp, a package of another module.
func (c *Checker) outside(name, imp string) string {
	for _, o := range c.Outside {
		if imp == o.Prefix || strings.HasPrefix(imp, o.Prefix+"/") {
			if slices.ContainsFunc(o.In, func(p string) bool { return match(p, name) }) {
				return ""
			}
			return "that module is used only in " + strings.Join(o.In, ", ")
		}
	}
	return "a module with no row in internal/floors/table.go"
}

// row returns the row with the longest pattern that matches name, nil where there is none.
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
