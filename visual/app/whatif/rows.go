package whatif

import (
	"maps"
	"slices"
	"strings"

	"whorl/sim"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// rows draws the settings, cut off the top of r.
func (d *drawing) rows(r *ui.Rect, known *known) {
	group, chosen := "", false
	for i := range known.all {
		s := &known.all[i]
		if s.group != group && !chosen && (s.group == groupSpeed || s.group == groupZero) {
			if chosen = true; s.group == groupSpeed {
				group = s.group
			}
			d.choosePart(r)
		}
		if s.group != group {
			group = s.group
			r.CutTop(d.Px(4))
			d.Label(r.CutTop(d.Px(22)), group, ui.Type{Face: scene.Bold, Size: ui.Small})
		}
		row := r.CutTop(d.Px(d.Theme.Ctl))
		r.CutTop(d.Px(2))
		row.X1 -= d.Px(4)
		d.row(row, s, known.recorded[i], known.values[i])
	}
	if !chosen {
		d.choosePart(r)
	}
}

// parts returns the settings of parts of the program that are shown: those that differ from others, and the speed that was chosen last.
func (d *drawing) parts() []string {
	parts := partsOf(d.shown.Settings)
	for _, text := range d.shown.Base.Speeds {
		if s, err := sim.ParseSpeed(text); err == nil {
			parts = append(parts, speedPrefix+s.Part)
		}
	}
	if d.panel.part != "" {
		parts = append(parts, speedPrefix+d.panel.part)
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}

// choosePart draws the choice of a part of the program whose speed can be changed, cut off the top of r.
func (d *drawing) choosePart(r *ui.Rect) {
	if len(d.shown.Parts) == 0 {
		return
	}
	r.CutTop(d.Px(4))
	d.Label(r.CutTop(d.Px(22)), groupSpeed, ui.Type{Face: scene.Bold, Size: ui.Small})
	row := r.CutTop(d.Px(d.Theme.Ctl))
	r.CutTop(d.Px(2))
	row.X1 -= d.Px(4)
	label := row.CutLeft(d.Px(92))
	d.Label(label, "Part", ui.Type{Color: d.Theme.Muted})
	d.Tip(label, "A procedure, a function or a line that runs faster or slower than it did")
	labels := append([]string{"choose one"}, d.shown.Parts...)
	chosen := slices.Index(d.shown.Parts, d.panel.part) + 1
	if widget.Dropdown(d.Context, row, "part", labels, &chosen) {
		d.panel.part = ""
		if chosen > 0 {
			d.panel.part = labels[chosen]
		}
		d.Again()
	}
}

// row draws a setting. The name of one that differs from the recorded run is bold.
func (d *drawing) row(r ui.Rect, s *setting, recorded, value string) {
	typed, changed := d.shown.Settings[s.name]
	if changed {
		value = typed
	}
	label := r.CutLeft(d.Px(92))
	ty := ui.Type{Color: d.Theme.Muted}
	if changed {
		ty = ui.Type{Face: scene.Bold}
	}
	d.Label(label, s.label, ty)
	d.Tip(label, s.doc+". Recorded: "+recorded)
	if s.steps == nil {
		d.choice(r, s, recorded, value)
		return
	}
	field := r.CutRight(d.Px(86))
	r.CutRight(d.Px(6))
	steps, chosen := s.slide(recorded, value)
	at := float64(chosen)
	o := widget.SliderOptions{Range: widget.Range{Max: float64(len(steps) - 1), Step: 1}, Format: func(v float64) string { return steps[min(max(int(v), 0), len(steps)-1)] }}
	if widget.Slider(d.Context, r, s.name, &at, o) {
		e := d.Input()
		d.set(s, steps[int(at)], d.panel.moved == s.name && (e == nil || e.Kind != ui.Down))
	}
	d.Tip(r, s.doc)
	d.field(field, s, value)
}

// choice draws a setting that is one of a few values.
func (d *drawing) choice(r ui.Rect, s *setting, recorded, value string) {
	var labels []string
	for _, item := range s.choices {
		labels = append(labels, item.Name)
	}
	for _, v := range []string{recorded, value} {
		if !slices.Contains(labels, v) {
			labels = append(labels, v)
		}
	}
	chosen := slices.Index(labels, value)
	if widget.Dropdown(d.Context, r, s.name, labels, &chosen) {
		d.set(s, labels[chosen], false)
	}
	d.Tip(r, s.doc)
}

// field draws the value of a setting as a text that the user can type. Enter takes it, Escape brings the value back.
func (d *drawing) field(r ui.Rect, s *setting, value string) {
	texts := d.panel.texts
	text, typed := texts[s.name]
	if !typed {
		text = value
	}
	o := widget.FieldOptions{}
	if typed {
		if err := s.set(new(d.now), strings.TrimSpace(text)); err != nil {
			o.Error = err.Error()
		}
	}
	did := widget.Field(d.Context, r, s.name+" value", &text, o)
	switch {
	case did.Done && o.Error == "" && strings.TrimSpace(text) != value:
		d.set(s, strings.TrimSpace(text), false)
	case did.Done && o.Error == "":
		delete(texts, s.name)
	case did.Done:
		d.panel.wrong = s.label + ": " + o.Error
		d.Again()
	case did.Left:
		delete(texts, s.name)
		d.panel.wrong = ""
		d.TakeEvent()
		d.Again()
	case did.Changed:
		texts[s.name] = text
		d.Again()
	}
}

// set asks for a value of a setting. A value that the run has without the setting is none.
func (d *drawing) set(s *setting, value string, more bool) {
	delete(d.panel.texts, s.name)
	d.panel.wrong, d.panel.moved = "", s.name
	next := maps.Clone(d.shown.Settings)
	if next == nil {
		next = map[string]string{}
	}
	delete(next, s.name)
	if without, err := Apply(d.shown.Base, next); err != nil || s.value(&without) != value {
		next[s.name] = value
	}
	d.did.Set, d.did.Settings, d.did.More = true, next, more
	d.Again()
}

// restore asks for the recorded run.
func (d *drawing) restore() {
	d.panel.texts, d.panel.wrong, d.panel.moved = nil, "", ""
	d.did.Set, d.did.Settings, d.did.More = true, nil, false
	d.Again()
}
