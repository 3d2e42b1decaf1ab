package script

import (
	"fmt"
	"slices"
	"strings"

	"whorl/internal/nearest"
)

// check checks the settings that need no run.
func (p *parser) check() {
	f := &p.Front
	if strings.TrimSpace(f.Title) == "" {
		p.fail(0, "the lesson has no title", `title = "..."`)
	}
	if f.Minutes < 1 || f.Minutes > 180 {
		p.fail(p.InFront("minutes"), fmt.Sprintf("minutes = %d", f.Minutes), "the minutes that the lesson takes, from 1 to 180")
	}
	if strings.TrimSpace(f.Summary) == "" {
		p.fail(0, "the lesson has no summary", `summary = "..."`)
	}
	if n := max(len(f.Parameters), len(f.Sets), len(f.Runs), len(f.Series), len(f.Values)); n > mostTables {
		p.fail(0, fmt.Sprintf("%d tables of one kind", n), fmt.Sprintf("at most %d", mostTables))
	}
	taken := map[string]bool{"first": true, "each": true, "x": true}
	name := func(kind, name string) {
		at := p.InFront(`"` + name + `"`)
		switch {
		case !namePattern.MatchString(name):
			p.fail(at, kind+" "+nearest.Quote(name), "a name of letters, digits and _")
		case taken[name]:
			p.fail(at, "the name "+name+" is taken", "another name for this "+kind)
		}
		taken[name] = true
	}
	for i := range f.Parameters {
		name("parameter", f.Parameters[i].Name)
		if err := f.Parameters[i].check(); err != nil {
			p.fail(p.InFront(`"`+f.Parameters[i].Name+`"`), "parameter "+f.Parameters[i].Name+": "+err.Error(), "")
		}
	}
	for _, run := range f.Runs {
		text, _ := run["name"].(string)
		name("run", text)
	}
	if len(f.Runs) == 0 {
		p.fail(0, "the lesson has no run", "a table [[run]] in the settings")
	}
	points := 0
	for i := range f.Series {
		s := &f.Series[i]
		name("series", s.Name)
		points += len(s.Points)
		p.needRun("series "+s.Name, s.Run, f.begin, f.end)
		if len(s.Points) < 2 || len(s.Points) > 64 {
			p.fail(p.InFront(`"`+s.Name+`"`), fmt.Sprintf("series %s has %d values", s.Name, len(s.Points)), "at = [...] with 2 to 64 values in ascending order")
		}
	}
	if points > mostPoints {
		p.fail(p.InFront("[[series]]"), fmt.Sprintf("the series have %d values together", points), fmt.Sprintf("at most %d: each is a run", mostPoints))
	}
	for i := range f.Values {
		v := &f.Values[i]
		name("value", v.Name)
		p.checkValue(v)
	}
	for _, set := range f.Sets {
		p.checkSet(set)
	}
	if f.Shows != "" {
		p.needRun("shows", f.Shows, f.begin, f.end)
	}
	p.checkParts()
}

// RunNames returns the names of the runs.
func (f *Front) RunNames() (names []string) {
	for _, run := range f.Runs {
		text, _ := run["name"].(string)
		names = append(names, text)
	}
	return names
}

func (p *parser) needRun(where, run string, begin, end int) {
	if known := p.Front.RunNames(); !slices.Contains(known, run) {
		p.fail(p.place(begin, end, `"`+run+`"`), where+": "+nearest.Unknown("run", run, known).Error(), "")
	}
}

func (p *parser) checkValue(v *Value) {
	at := p.InFront(`"` + v.Name + `"`)
	if v.Is != "" {
		if v.Run+v.Rows != "" {
			p.fail(at, "value "+v.Name+" has an expression and a run", "either is = \"...\", or run, of and a measure")
		}
		return
	}
	p.needRun("value "+v.Name, v.Run, p.Front.begin, p.Front.end)
	if of := []string{"tasks", "pes", "events", "functions", "lines"}; !slices.Contains(of, v.Rows) {
		p.fail(at, "value "+v.Name+": "+nearest.Unknown("rows", v.Rows, of).Error(), "")
	}
	if names, _ := v.Measures(); len(names) != 1 {
		p.fail(at, fmt.Sprintf("value %s has %d measures", v.Name, len(names)), "one of max, min, sum, mean, first with by, and count = true")
	}
	if (v.First != "") != (v.By != "") {
		p.fail(at, "value "+v.Name+": first and by belong together", `first = "procedure" and by = "time"`)
	}
}

func (p *parser) checkSet(set map[string]any) {
	title, _ := set["name"].(string)
	at := p.InFront(`"` + title + `"`)
	if title == "" {
		p.fail(at, "a set has no name", `name = "Another seed"`)
	}
	var known []string
	for i := range p.Front.Parameters {
		known = append(known, p.Front.Parameters[i].Name)
	}
	for _, key := range sortedKeys(set) {
		if key == "name" {
			continue
		}
		q := p.Front.Parameter(key)
		if q == nil {
			p.fail(at, "set "+title+": "+nearest.Unknown("parameter", key, known).Error(), "")
			continue
		}
		if _, err := q.Parse(fmt.Sprint(set[key])); err != nil {
			p.fail(at, "set "+title+": "+err.Error(), "")
		}
	}
}
