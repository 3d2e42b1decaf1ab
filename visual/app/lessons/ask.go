package lessons

import (
	"whorl/lesson"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// frame draws a box around what draw draws, cut off the top of r.
func (d *drawing) frame(r *ui.Rect, name string, border scene.Color, draw func(in *ui.Rect)) {
	pad, told := d.Px(10), d.p.replied == name
	height := ui.Data[float32](d.Context, d.ID("height of "+name))
	box := ui.Rect{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: r.Y0 + *height}
	d.Box(box, d.Px(ui.Corner), d.Theme.Raised, border)
	in := ui.Rect{X0: r.X0 + pad, Y0: r.Y0 + pad, X1: r.X1 - pad, Y1: r.Y1}
	d.Scope(name)
	draw(&in)
	d.Unscope()
	if h := in.Y0 + pad - r.Y0; h != *height {
		*height = h
		d.Again()
	}
	if told {
		d.reply = ui.Rect{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: in.Y0 + pad}
	}
	r.Y0 = in.Y0 + pad
}

// border returns the colour of the border of a question.
func (d *drawing) border(id string) scene.Color {
	if v, ok := d.t.verdicts[id]; ok && v.Right {
		return d.Theme.Good
	}
	return d.Theme.Border
}

// caption names what a block is.
func (d *drawing) caption(r *ui.Rect, text string, done bool) {
	row := r.CutTop(d.line(ui.Type{Size: ui.Small}))
	if done {
		d.Icon(row.CutLeft(d.Px(20)), icon.Check, d.Theme.Good)
	}
	d.spoken(ui.RoleHeading, row, text)
	d.Label(row, text, ui.Type{Size: ui.Small, Face: scene.Bold, Color: d.Theme.Muted})
	r.CutTop(d.Px(2))
}

// task draws something to do, which is ticked when it is done.
func (d *drawing) task(r *ui.Rect, b *lesson.Block) {
	done := d.t.state.Completed(b.ID)
	border := d.Theme.Border
	if done {
		border = d.Theme.Good
	}
	d.frame(r, b.ID, border, func(in *ui.Rect) {
		name := "To do"
		if done {
			name = "Done"
		}
		d.caption(in, name, done)
		d.blocks(in, b.Task.Do)
		if !done && d.t.missing[b.ID] != "" {
			d.plain(in, d.t.missing[b.ID], ui.Type{Color: d.Theme.Muted, Size: ui.Small}, ui.RoleStatus)
		}
		d.hints(in, b.ID, b.Task.Hints, done)
	})
}

// ask draws a question or a prediction.
func (d *drawing) ask(r *ui.Rect, b *lesson.Block) {
	q := b.Question
	v, answered := d.t.verdicts[b.ID]
	predicts := b.Kind == lesson.Predict
	d.frame(r, b.ID, d.border(b.ID), func(in *ui.Rect) {
		name, button := "Question", "Check"
		if predicts {
			name, button = "Prediction", "Predict"
		}
		done := answered && (v.Right || predicts && !v.Invalid)
		d.caption(in, name, done)
		d.blocks(in, q.Ask)
		answers := false
		switch q.Kind {
		case lesson.ChoiceAnswer:
			d.choices(in, b)
		case lesson.CurveAnswer:
			answers = d.curve(in, b, predicts && d.t.state.Completed(b.ID))
		}
		row := in.CutTop(d.Px(d.Theme.Ctl))
		o := widget.ButtonOptions{Label: button, Look: widget.Primary}
		if done {
			o.Look = widget.Plain
		}
		if q.Kind == lesson.NumberAnswer || q.Kind == lesson.TextAnswer {
			field := row.CutLeft(max(row.W()-widget.ButtonWidth(d.Context, o)-d.Px(ui.Gap), d.Px(60)))
			row.CutLeft(d.Px(ui.Gap))
			answers = d.field(field, b)
		}
		answers = d.button(&row, "answer", o) || answers
		in.CutTop(d.Px(6))
		if answers {
			d.p.respond(b)
			d.p.replied = b.ID
			d.Again()
		}
		if answered {
			d.verdict(in, v, predicts)
		}
		d.crowd(in, b)
		if done {
			d.blocks(in, q.Explain)
			return
		}
		d.hints(in, b.ID, q.Hints, false)
	})
}

// verdict says whether an answer is right.
func (d *drawing) verdict(in *ui.Rect, v lesson.Verdict, predicts bool) {
	ink := d.Theme.Danger
	switch {
	case v.Right:
		ink = d.Theme.Good
	case v.Invalid:
		ink = d.Theme.Warn
	case predicts:
		ink = d.Theme.Ink
	}
	d.plain(in, v.Text, ui.Type{Color: ink}, ui.RoleStatus)
}

// field draws the field for a number or a name. It reports whether Enter was pressed.
func (d *drawing) field(r ui.Rect, b *lesson.Block) bool {
	text := d.t.texts[b.ID]
	o := widget.FieldOptions{Hint: "a name"}
	if n := b.Question.Number; n != nil {
		o.Hint = map[lesson.Measure]string{lesson.Time: "a time, such as 2.5 ms", lesson.Portion: "a share, such as 35 %"}[n.Measure]
		if o.Hint == "" {
			o.Hint = "a number"
		}
	}
	if v, ok := d.t.verdicts[b.ID]; ok && !v.Right && b.Kind == lesson.Ask {
		o.Wrong = true
	}
	did := widget.Field(d.Context, r, "your answer", &text, o)
	if did.Changed {
		d.t.texts[b.ID] = text
		delete(d.t.verdicts, b.ID)
		d.Again()
	}
	return did.Done
}

// choices draws the answers among which one is chosen.
func (d *drawing) choices(in *ui.Rect, b *lesson.Block) {
	for i := range b.Question.Choices {
		text := b.Question.Choices[i].Text
		id, pad := d.ID("choice").Part(i), d.Px(6)
		left := d.Px(26)
		height := max(d.ParagraphHeight(in.W()-left-pad, text, ui.Type{})+2*pad, d.Px(d.Theme.Ctl))
		box := in.CutTop(height)
		t := d.Touch(id, box, ui.WantsFocus, "")
		on := d.t.chosen[b.ID] == i
		d.Describe(id, box, ui.Accessible{Role: ui.RoleRadio, Name: text, On: on})
		if t.Hot {
			d.Round(box, d.Px(ui.Corner), d.Theme.Hover)
		}
		x, y := box.X0+d.Px(13), box.Y0+pad+d.Px(9)
		d.Out().Ring(x, y, d.Px(6), d.Px(1), d.Theme.Border)
		if on {
			d.Out().Circle(x, y, d.Px(4), d.Theme.Accent)
		}
		d.Paragraph(ui.Rect{X0: box.X0 + left, Y0: box.Y0 + pad, X1: box.X1 - pad, Y1: box.Y1}, text, ui.Type{})
		if t.Ring {
			d.FocusRing(box, d.Px(ui.Corner))
		}
		if d.Fired(t) {
			if !on {
				delete(d.t.verdicts, b.ID)
			}
			d.t.chosen[b.ID] = i
			d.Again()
		}
		in.CutTop(d.Px(2))
	}
	in.CutTop(d.Px(4))
}

// hints draws the hints that were asked for, and the button for the next one.
func (d *drawing) hints(in *ui.Rect, id string, hints [][]lesson.Block, done bool) {
	n := min(d.t.state.Hints[id], len(hints))
	for _, h := range hints[:n] {
		d.quoted(in, h, d.Theme.Warn)
	}
	if n == len(hints) || done {
		return
	}
	row := in.CutTop(d.Px(d.Theme.Ctl))
	label := "Hint"
	if n > 0 {
		label = "Another hint"
	}
	if d.button(&row, "hint", widget.ButtonOptions{Label: label, Icon: icon.Info, Look: widget.Quiet}) {
		if d.t.state.Hints == nil {
			d.t.state.Hints = map[string]int{}
		}
		d.t.state.Hints[id]++
		d.p.replied = id
		d.p.keep()
		d.Again()
	}
	in.CutTop(d.Px(4))
}
