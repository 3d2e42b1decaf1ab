package lesson

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/nearest"
)

// A Response is the answer of a learner: Text for a number or a name, Choice for a choice, Curve for a curve.
type Response struct {
	Text   string  `json:"text,omitempty"`
	Choice int     `json:"choice,omitempty"` // the index of the choice
	Curve  []Point `json:"curve,omitempty"`
}

// A Verdict is the result of checking a Response.
type Verdict struct {
	Right   bool   `json:"right"`
	Invalid bool   `json:"invalid"` // the response is no answer to this question: Text describes an answer
	Text    string `json:"text"`    // a sentence to the learner

	near bool // the response is a near miss, and Text its reason
}

// Judge checks a response to a question.
func (q *Question) Judge(r Response) Verdict {
	switch q.Kind {
	case NumberAnswer:
		return q.Number.judge(q.Lang, r.Text)
	case ChoiceAnswer:
		if r.Choice < 0 || r.Choice >= len(q.Choices) {
			return invalid(Say(q.Lang, "Choose one of the %d answers.", len(q.Choices)))
		}
		c := &q.Choices[r.Choice]
		return Verdict{Right: c.Right, Text: c.Why}
	case TextAnswer:
		return q.Words.judge(q.Lang, r.Text)
	}
	return q.compareCurve(r.Curve)
}

func invalid(text string) Verdict { return Verdict{Invalid: true, Text: text} }

// Compare compares a prediction with the outcome. Right reports whether it was near; no prediction is wrong.
func (q *Question) Compare(r Response) Verdict {
	v := q.Judge(r)
	if v.Invalid || q.Kind == CurveAnswer {
		return v
	}
	said := strings.TrimSpace(r.Text)
	switch {
	case q.Kind == ChoiceAnswer:
		for _, c := range q.Choices {
			if c.Right && !v.Right {
				v.Text += " " + Say(q.Lang, "The answer is: %s", c.Text)
			}
		}
	case v.near:
		v.Text = Say(q.Lang, "You said %s. %s The answer is %s.", said, v.Text, q.answer())
	case q.Kind == NumberAnswer:
		v.Text = Say(q.Lang, "You said %s; it is %s.", said, q.answer())
	default:
		v.Text = Say(q.Lang, "You said %s; it is called %s.", said, q.answer())
	}
	return v
}

// answer returns the number or the name that is right.
func (q *Question) answer() string {
	if q.Kind == NumberAnswer {
		return q.Number.Shown
	}
	return q.Words.Accept[0]
}

// judge checks a number as people write it. Where a comma can be read in two ways, the answer is right if it is so in one of them.
func (n *Number) judge(lang, text string) Verdict {
	readings, problem := readNumber(text, n.Measure)
	if problem != "" {
		return invalid(Say(lang, problem))
	}
	for _, x := range readings {
		if math.Abs(x-n.Value) <= n.Tolerance {
			return Verdict{Right: true, Text: Say(lang, "Right: %s.", n.Shown)}
		}
	}
	for _, near := range n.Near {
		for _, x := range readings {
			if math.Abs(x-near.Value) <= near.Tolerance {
				return Verdict{Text: near.Why, near: true}
			}
		}
	}
	x := readings[0]
	switch {
	case n.Measure == Portion && (x < 0 || x > 1):
		return Verdict{Text: Say(lang, "A share lies between 0 and 100 %.")}
	case x < 0 && n.Value >= 0:
		return Verdict{Text: Say(lang, "This cannot be less than 0.")}
	case x == 0:
		return Verdict{Text: Say(lang, "It is more than 0.")}
	}
	side := "less"
	if x < n.Value {
		side = "more"
	}
	if r := x / n.Value; r > 10 || r < 0.1 {
		side = "much " + side
	}
	return Verdict{Text: Say(lang, "It is "+side+" than that.")}
}

// judge checks a name. Case, spaces at its ends and the arity of a procedure do not matter.
func (w *Words) judge(lang, text string) Verdict {
	key := wordKey(text)
	if key == "" {
		return invalid(Say(lang, "Write a name."))
	}
	for _, accept := range w.Accept {
		if wordKey(accept) == key {
			return Verdict{Right: true, Text: Say(lang, "Right: %s.", w.Accept[0])}
		}
	}
	for _, n := range w.Near {
		if wordKey(n.Text) == key {
			return Verdict{Text: n.Why, near: true}
		}
	}
	var known []string
	for _, name := range w.Known {
		if wordKey(name) == key {
			return Verdict{Text: Say(lang, "It is not %s.", strings.TrimSpace(text))}
		}
		if name = withoutArity(name); !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	if len(known) > 0 {
		text = strings.TrimSpace(text)
		if near := nearest.Names(text, known); near != nil {
			return invalid(Say(lang, "There is no %s here; did you mean %s?", nearest.Quote(text), strings.Join(near, ", ")))
		}
		const most = 12
		return invalid(Say(lang, "There is no %s here; known are %s.", nearest.Quote(text), strings.Join(known[:min(most, len(known))], ", ")))
	}
	return Verdict{Text: Say(lang, "It is not %s.", nearest.Quote(strings.TrimSpace(text)))}
}

// wordKey returns what two equal names have in common.
func wordKey(text string) string {
	return withoutArity(strings.ToLower(strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "`'\""))))
}

// withoutArity returns the name of a procedure of a logic program without its arity.
func withoutArity(text string) string {
	if i := strings.LastIndexByte(text, '/'); i > 0 && i+1 < len(text) && strings.Trim(text[i+1:], "0123456789") == "" {
		text = text[:i]
	}
	return text
}

// compareCurve compares a drawn curve with the true one at the points of the true one.
func (q *Question) compareCurve(drawn []Point) Verdict {
	if len(drawn) < 2 {
		return invalid(Say(q.Lang, "Draw a curve from the left to the right."))
	}
	for _, p := range drawn {
		if math.IsNaN(p.X+p.Y) || math.IsInf(p.X+p.Y, 0) {
			return invalid(Say(q.Lang, "Draw a curve from the left to the right."))
		}
	}
	off, worst, at := 0.0, 0.0, 0.0
	for _, p := range q.Curve.Points {
		d := Height(drawn, p.X) - p.Y
		off += math.Abs(d)
		if math.Abs(d) > math.Abs(worst) {
			worst, at = d, p.X
		}
	}
	share := off / float64(max(len(q.Curve.Points), 1)) / math.Max(q.Most, 1e-12)
	v := Verdict{Right: share <= 0.1}
	switch where := strconv.FormatFloat(at, 'g', -1, 64); {
	case share <= 0.1:
		v.Text = Say(q.Lang, "Your curve is near the measured one.")
	case worst > 0:
		v.Text = Say(q.Lang, "Your curve is too high, most at %s.", where)
	default:
		v.Text = Say(q.Lang, "Your curve is too low, most at %s.", where)
	}
	return v
}

// Height returns the height of a curve at x: on the line between the two points beside it, and at the ends that of the first or the last point.
func Height(curve []Point, x float64) float64 {
	for i, p := range curve {
		if p.X < x {
			continue
		}
		if i == 0 || p.X == x {
			return p.Y
		}
		o := curve[i-1]
		return o.Y + (p.Y-o.Y)*(x-o.X)/(p.X-o.X)
	}
	return curve[len(curve)-1].Y
}
