package lessons

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whorl/lesson"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// parameters draws the numbers and choices with which the runs of the lesson are made: fields, and a button as soon as one has changed. Where the lessons
// are there for the sets of their parameters only, it writes them.
func (d *drawing) parameters(r *ui.Rect) {
	all := d.t.l.Parameters
	if len(all) == 0 {
		return
	}
	if d.p.fixed() {
		var parts []string
		for _, q := range all {
			parts = append(parts, q.Label+": "+q.Value)
		}
		d.plain(r, strings.Join(parts, " · "), ui.Type{Color: d.Theme.Muted, Size: ui.Small}, ui.RoleParagraph)
		return
	}
	for i := range all {
		row := r.CutTop(d.Px(d.Theme.Ctl))
		d.parameter(row.CutRight(d.Px(150)), &all[i])
		d.Label(row, all[i].Label, ui.Type{Color: d.Theme.Muted})
		r.CutTop(d.Px(4))
	}
	if len(d.t.changed) > 0 {
		row := r.CutTop(d.Px(d.Theme.Ctl))
		again := d.button(&row, "make", widget.ButtonOptions{Label: "Make the runs", Look: widget.Primary, Tip: "The questions have the answers of these runs"})
		if d.button(&row, "as before", widget.ButtonOptions{Label: "As before", Look: widget.Quiet}) {
			clear(d.t.changed)
			d.Again()
		}
		if again || d.t.made {
			d.p.choose(d.t.l.Name, d.t.l.Set, d.values(d.t.changed))
			d.Again()
		}
	}
	d.t.made = false
	r.CutTop(d.Px(4))
}

// parameter draws the field of a number, or the list of choices.
func (d *drawing) parameter(r ui.Rect, q *lesson.Parameter) {
	value, ok := d.t.changed[q.Name]
	if !ok {
		value = q.Value
	}
	was := value
	name := "parameter " + q.Name
	if len(q.Choices) > 0 {
		at := slices.Index(q.Choices, value)
		if widget.Dropdown(d.Context, r, name, q.Choices, &at) && at >= 0 {
			value = q.Choices[at]
		}
		d.Tip(r, q.Doc)
	} else {
		text := value
		o := widget.FieldOptions{Hint: fmt.Sprintf("%d to %d", q.Min, q.Max), Wrong: !q.Accepts(value)}
		if widget.Field(d.Context, r, name, &text, o).Done {
			d.t.made = len(d.t.changed) > 0
		}
		value = text
		d.Tip(r, strings.TrimSpace(fmt.Sprintf("%s %d to %d", q.Doc, q.Min, q.Max)))
	}
	if value == was {
		return
	}
	if d.t.changed == nil {
		d.t.changed = map[string]string{}
	}
	d.t.changed[q.Name] = value
	maps.DeleteFunc(d.t.changed, func(name, v string) bool { return name == q.Name && v == q.Value })
	d.Again()
}
