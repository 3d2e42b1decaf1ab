package measures

import (
	"fmt"
	"strings"

	"whorl/visual/flow"
	"whorl/visual/view"
)

// comparedStage adds columns of another run to the tables.
var comparedStage = flow.Derive("comparedmeasures", "the tables, with columns of another run",
	flow.In(geometryStage, view.OtherName, otherGeometry), flow.Params{view.Against},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		own := geometryStage.In(c)
		if c.Params.Text(view.Against) != view.AgainstTrace {
			return own, nil
		}
		g := *own
		other, err := otherGeometry.In(c)
		g.compare(view.OtherName.In(c), other, err)
		return &g, nil
	})

// otherGeometry is geometryStage of the other run.
var otherGeometry = geometryStage.Mirrored(view.OfOther)

// compare gives each table the columns of another run, which is nil for none, or could not be read.
func (g *Geometry) compare(name string, other *Geometry, err error) {
	switch {
	case err != nil:
		g.wrong = fmt.Errorf("against %s: %w", name, err)
		return
	case other == nil:
		g.wrong = view.ErrAlone
		return
	}
	g.other = name
	tables := g.tables
	g.tables = nil
	for _, t := range tables {
		for _, u := range other.tables {
			if u.title == t.title {
				t = t.beside(&u, name)
				break
			}
		}
		g.tables = append(g.tables, t)
	}
}

// beside returns the table with three columns for each: of this run, of the other one, and their difference. Columns without numbers have two, and shares
// and bars are left out.
func (t table) beside(u *table, name string) table {
	twin := t.twins(u)
	columns := t.columns
	t.columns, t.bar = nil, nil
	for _, c := range columns {
		noun, _, _ := strings.Cut(c.title, ", ")
		var d *column
		for k := range u.columns {
			if other, _, _ := strings.Cut(u.columns[k].title, ", "); other == noun && (u.columns[k].value == nil) == (c.value == nil) {
				d = &u.columns[k]
				break
			}
		}
		switch {
		case c.percent:
		case c.value == nil:
			c.title = "this run"
			t.columns = append(t.columns, c)
			if d != nil {
				t.columns = append(t.columns, column{title: name, cell: func(i int) string {
					if k, ok := twin(i); ok {
						return d.cell(k)
					}
					return ""
				}})
			}
		default:
			theirs := func(i int) int64 {
				if k, ok := twin(i); ok && d != nil {
					return d.value(k)
				}
				return 0
			}
			t.columns = append(t.columns, c,
				column{title: name, cell: func(i int) string { return c.format(theirs(i)) }},
				column{title: "difference", cell: func(i int) string {
					n := c.value(i) - theirs(i)
					if n > 0 {
						return "+" + c.format(n)
					}
					return c.format(n)
				}})
		}
	}
	return t
}

// twins returns a function from a row to the row of another table with the same name. PEs have the same number.
func (t *table) twins(u *table) func(i int) (int, bool) {
	if t.states {
		return func(i int) (int, bool) { return i, i < u.n }
	}
	rows := make(map[string]int, u.n)
	for i := range u.n {
		rows[u.name(i)] = i
	}
	return func(i int) (int, bool) {
		if i < 0 {
			return i, u.sums
		}
		k, ok := rows[t.name(i)]
		return k, ok
	}
}

// Wrong returns the reason why the run is not compared with another, or nil.
func (g *Geometry) Wrong() error { return g.wrong }
