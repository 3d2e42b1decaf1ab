package lessons

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/lesson"
	"whorl/visual/ui"
)

// An Answer is somebody's answer to a question or a prediction, as others receive it in a shared session.
type Answer struct {
	lesson.Response
	Right bool `json:"right,omitempty"`
	Tries int  `json:"tries,omitempty"` // wrong answers to a question
}

// stuckAfter is the number of wrong answers after which somebody counts as stuck.
const stuckAfter = 2

// A Crowd lists the others' answers to one question.
type Crowd []Answer

// TakeAnswers returns what the learner has answered since the last call, by LESSON/QUESTION.
func (p *Panel) TakeAnswers() map[string]Answer {
	all := p.answered
	p.answered = nil
	return all
}

// tell notes an answer for the others.
func (p *Panel) tell(b *lesson.Block, r lesson.Response, v lesson.Verdict) {
	if v.Invalid {
		return
	}
	if p.answered == nil {
		p.answered = map[string]Answer{}
	}
	p.answered[p.taken.l.Name+"/"+b.ID] = Answer{r, v.Right, p.taken.state.Tries[b.ID]}
}

// crowd draws what the others have answered, for somebody who teaches: bars for choices and for ranges of numbers, and how many are stuck.
func (d *drawing) crowd(in *ui.Rect, b *lesson.Block) {
	c := d.p.Crowds[d.t.l.Name+"/"+b.ID]
	if len(c) == 0 {
		return
	}
	in.CutTop(d.Px(6))
	d.plain(in, c.summary(b.Kind == lesson.Predict), ui.Type{Size: ui.Small, Color: d.Theme.Muted}, ui.RoleStatus)
	bars := c.bars(b.Question)
	most := 1
	for _, bar := range bars {
		most = max(most, bar.n)
	}
	small := ui.Type{Size: ui.Small}
	for _, bar := range bars {
		row := in.CutTop(d.Px(18))
		label := row.CutLeft(row.W() * 0.5)
		d.spoken(ui.RoleStatus, row, fmt.Sprintf("%s: %d", bar.label, bar.n))
		d.Label(label, bar.label, small)
		count := row.CutRight(d.Px(28))
		row = row.Inset(0, d.Px(3))
		row.X1 = row.X0 + row.W()*float32(bar.n)/float32(most)
		d.Fill(row, d.Theme.Accent)
		d.Label(count, fmt.Sprint(bar.n), small)
	}
}

// summary says how many have answered.
func (c Crowd) summary(predicts bool) string {
	right, stuck := 0, 0
	for _, a := range c {
		if a.Right {
			right++
		} else if a.Tries >= stuckAfter {
			stuck++
		}
	}
	text := figures.Counted(int64(len(c)), "answer")
	if !predicts {
		text += fmt.Sprintf(", %d right", right)
	}
	if stuck > 0 {
		text += fmt.Sprintf(", %d stuck", stuck)
	}
	return text
}

// A bar is a row of a histogram.
type bar struct {
	label string
	n     int
}

// maxBars is the number of ranges of numbers, and of names.
const maxBars = 6

// bars divides the answers to a question: by choice, by range of numbers, or by name.
func (c Crowd) bars(q *lesson.Question) (all []bar) {
	switch q.Kind {
	case lesson.ChoiceAnswer:
		for i, choice := range q.Choices {
			all = append(all, bar{choice.Text, 0})
			for _, a := range c {
				if a.Choice == i {
					all[i].n++
				}
			}
		}
	case lesson.CurveAnswer: // by the height at the end
		var ends []float64
		for _, a := range c {
			if n := len(a.Curve); n > 0 {
				ends = append(ends, a.Curve[n-1].Y)
			}
		}
		return ranges(ends)
	default:
		counts := map[string]int{}
		for _, a := range c {
			counts[strings.ToLower(strings.TrimSpace(a.Text))]++
		}
		for text, n := range counts {
			all = append(all, bar{text, n})
		}
		slices.SortFunc(all, func(a, b bar) int {
			if a.n != b.n {
				return b.n - a.n
			}
			return strings.Compare(a.label, b.label)
		})
		if len(all) > maxBars {
			rest := bar{label: fmt.Sprintf("%d others", len(all)-maxBars+1)}
			for _, o := range all[maxBars-1:] {
				rest.n += o.n
			}
			all = append(all[:maxBars-1], rest)
		}
	}
	return all
}

// ranges divides numbers into ranges of the same width.
func ranges(values []float64) (all []bar) {
	if len(values) == 0 {
		return nil
	}
	least, most := slices.Min(values), slices.Max(values)
	if !(most > least) {
		return []bar{{fmt.Sprintf("ends at %.3g", least), len(values)}}
	}
	width := (most - least) / maxBars
	for i := range maxBars {
		all = append(all, bar{fmt.Sprintf("ends at %.3g to %.3g", least+float64(i)*width, least+float64(i+1)*width), 0})
	}
	for _, v := range values {
		all[min(int(math.Floor((v-least)/width)), maxBars-1)].n++
	}
	return all
}
