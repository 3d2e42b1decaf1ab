//go:build browser

package handout_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"whorl/lesson"
	"whorl/lesson/script"
	"whorl/lesson/script/handout"
	"whorl/lesson/script/solve"
	"whorl/lessons"
	"whorl/testdata/must"
)

// TestBrowserAnswers answers every question of every page with the keys and the pointer, right, nearly and nonsensically, and expects the verdicts
// of package lesson. It shows the reveals after the predictions, in each set of parameters.
func TestBrowserAnswers(t *testing.T) {
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(4*time.Minute))
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			opts = append(opts, chromedp.ExecPath(path))
			break
		}
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	for _, name := range lessons.Names {
		s, err := script.Load(must.Get(lessons.Folder(name))(t), name, name, script.English)
		must.Do(t, err)
		all := solved(t, name, solve.Sets(s)...)
		file := filepath.Join(t.TempDir(), name+".html")
		must.Do(t, os.WriteFile(file, must.Get(handout.HTML(context.Background(), all))(t), 0o666))
		p := &tab{t, ctx}
		p.do(chromedp.EmulateViewport(1000, 800), chromedp.Navigate("file://"+file))
		for i, s := range all {
			p.answer(i, s.Lesson)
		}
		if dir := os.Getenv("WHORL_SCREENSHOTS"); dir != "" {
			p.eval(`document.getElementById("sets").value = "0", document.getElementById("sets").dispatchEvent(new Event("change")), 1`)
			picture := must.Get(chromedp.Run(ctx, chromedp.FullScreenshot(90)))(t)
			must.Do(t, os.WriteFile(filepath.Join(dir, name+".jpg"), picture, 0o666))
		}
	}
}

// A tab is a tab of the browser.
type tab struct {
	*testing.T
	ctx context.Context
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	must.Do(p, chromedp.Do(p.ctx, steps...))
}

func (p *tab) eval(expression string) string {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[any](expression))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return fmt.Sprint(v)
}

// answer answers the questions of a set.
func (p *tab) answer(set int, l *lesson.Lesson) {
	p.Helper()
	if len(l.Sets) > 1 {
		p.eval(fmt.Sprintf(`document.getElementById("sets").value = "%d", document.getElementById("sets").dispatchEvent(new Event("change")), 1`, set))
	}
	lesson.Walk(l.Blocks, func(b *lesson.Block) {
		q := b.Question
		if q == nil {
			return
		}
		article := fmt.Sprintf(`document.querySelector('.set[data-set="%d"]')`, set)
		section := article + fmt.Sprintf(`.querySelector('.ask[data-id="%s"]')`, b.ID)
		covered := fmt.Sprintf(`[...%s.querySelectorAll('.reveal[data-after="%s"] .cover')].filter(e => e.offsetHeight).length`, article, b.ID)
		if b.Kind == lesson.Predict && p.eval(covered) != "0" {
			p.Errorf("%s: shown before the prediction", b.ID)
		}
		submit := func(r lesson.Response) {
			p.Helper()
			want := q.Judge(r)
			if b.Kind == lesson.Predict {
				want = q.Compare(r)
			}
			if got := p.eval(section + `.querySelector("button").click(), ` + section + `.querySelector(".verdict").textContent`); got != want.Text && !strings.Contains(want.Text, "did you mean") {
				p.Errorf("%s of %s, set %d: %+v: %q, want %q", b.ID, l.Name, set, r, got, want.Text)
			}
		}
		write := func(text string) {
			p.Helper()
			p.eval(section + `.querySelector("input[type=text]").value = ` + string(must.Get(json.Marshal(text))(p)))
			submit(lesson.Response{Text: text})
		}
		switch q.Kind {
		case lesson.NumberAnswer:
			texts := []string{"", "?!", "12", "1,234", "2,5 ms", "2.5 us", "35 %", "0,35", "-3", "0", "1e3 s", "1.234,5", "12 %", "12 messages", "١٢", "1e400", "Infinity", "0x10", "- 5", "+5 ms", "5 parsec"}
			for _, n := range q.Number.Near {
				texts = append(texts, exactly(q.Number.Measure, n.Value))
			}
			for _, text := range append(texts, exactly(q.Number.Measure, q.Number.Value)) {
				write(text)
			}
		case lesson.TextAnswer:
			for _, text := range append([]string{"", "nonsense-name"}, q.Words.Accept...) {
				write(text)
			}
		case lesson.ChoiceAnswer:
			submit(lesson.Response{Choice: -1})
			for i := range q.Choices {
				p.eval(section + fmt.Sprintf(`.querySelectorAll("input[type=radio]")[%d].click(), 1`, i))
				submit(lesson.Response{Choice: i})
			}
		case lesson.CurveAnswer:
			p.curve(section, q)
		}
		if b.Kind == lesson.Predict && p.eval(covered) == "0" {
			p.Errorf("%s: hidden after the prediction", b.ID)
		}
	})
}

// curve draws a curve from the lower left to the upper right with the pointer, and then writes the true heights.
func (p *tab) curve(section string, q *lesson.Question) {
	p.Helper()
	if names := p.eval(`[...` + section + `.querySelectorAll("svg.draw text")].slice(-2).map(t => t.textContent).join("|")`); names != q.Curve.X+"|"+q.Curve.Y {
		p.Errorf("the axes are called %q, want %q", names, q.Curve.X+"|"+q.Curve.Y)
	}
	p.eval(section + `.querySelector("svg.draw").scrollIntoView({block: "center"}), 1`)
	var box [4]float64
	must.Do(p, json.Unmarshal([]byte(p.eval(`(r => JSON.stringify([r.left, r.top, r.right, r.bottom]))(`+section+`.querySelector("svg.draw").getBoundingClientRect())`)), &box))
	left := chromedp.Button("left")
	at := func(share, height float64) (x, y float64) {
		return box[0] + (box[2]-box[0])*(0.1+0.87*share), box[3] - (box[3]-box[1])*(0.15+0.8*height)
	}
	x, y := at(0, 0.1)
	p.do(chromedp.MouseEvent(chromedp.MousePressed, x, y, left, chromedp.ClickCount(1)))
	for i := range 11 {
		x, y = at(float64(i)/10, 0.1+0.07*float64(i))
		p.do(chromedp.MouseEvent(chromedp.MouseMoved, x, y, left))
	}
	p.do(chromedp.MouseEvent(chromedp.MouseReleased, x, y, left, chromedp.ClickCount(1)))
	drawn := p.eval(section + `.querySelector("polyline.mine").getAttribute("points")`)
	if n := len(strings.Fields(drawn)); n != len(q.Curve.Points) {
		p.Errorf("%d of %d points are drawn: %s", n, len(q.Curve.Points), drawn)
	}
	unit := 1.0
	if q.Curve.Unit == "%" {
		unit = 0.01
	}
	if q.Curve.Unit == "ns" {
		shown := p.eval(section + `.querySelector("svg.draw text:nth-of-type(5)").textContent`)
		for name, size := range map[string]float64{" s": 1e9, " ms": 1e6, " µs": 1e3, " ns": 1} {
			if strings.HasSuffix(shown, name) && (name != " s" || !strings.HasSuffix(shown, "s") || strings.HasSuffix(shown, " s")) {
				unit = size
			}
		}
	}
	for i, point := range q.Curve.Points {
		p.eval(fmt.Sprintf(`(i => { i.value = %g; i.dispatchEvent(new Event("input")); return 1; })(%s.querySelectorAll("input[data-x]")[%d])`, math.Round(point.Y/unit*1000)/1000, section, i))
	}
	want := q.Judge(lesson.Response{Curve: q.Curve.Points})
	if got := p.eval(section + `.querySelector("button").click(), ` + section + `.querySelector(".verdict").textContent`); got != want.Text {
		p.Errorf("the true curve: %q, want %q", got, want.Text)
	}
}

// exactly writes a number so that it is read as the same number.
func exactly(m lesson.Measure, x float64) string {
	switch m {
	case lesson.Time:
		return fmt.Sprintf("%.6f us", x/1e3)
	case lesson.Portion:
		return fmt.Sprintf("%.6f %%", 100*x)
	}
	return fmt.Sprintf("%.6f", x)
}
