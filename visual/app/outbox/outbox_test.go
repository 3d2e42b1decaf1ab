package outbox

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// shown returns the texts of the messages among widgets.
func shown(widgets *ui.State, text *glyph.Set) string {
	var base, over scene.List
	ui.Run(widgets, ui.Input{W: 900, H: 600, Scale: 1}, ui.NewTheme(false), text, &base, &over, func(c *ui.Context) {
		rest := c.Window()
		c.PlaceMessage(rest.CutTop(40), &rest)
	})
	var all strings.Builder
	for _, l := range []*scene.List{&base, &over} {
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpText {
				_, _, s, _ := o.Text()
				all.Write(s)
			}
		}
	}
	return all.String()
}

// TestMessages: a message goes when its cause is mended, and a long one is cut between letters.
func TestMessages(t *testing.T) {
	var widgets ui.State
	text := glyph.New()
	o := New(&widgets)
	o.Changed = false
	o.Fail(AboutFile, errors.New("no such file"))
	if got := shown(&widgets, text); !strings.Contains(got, "no such file") || !o.Changed {
		t.Errorf("the message is %q, and changed is %v", got, o.Changed)
	}
	o.Check(AboutFile, nil)
	if got := shown(&widgets, text); strings.Contains(got, "no such file") {
		t.Errorf("the file is there, but the message is %q", got)
	}
	o.Check(AboutRun, errors.New("no such program"))
	o.Warn(AboutRun, "it is slow")
	if got := shown(&widgets, text); strings.Contains(got, "no such program") || !strings.Contains(got, "it is slow") {
		t.Errorf("after a newer message on its topic, there is %q", got)
	}
	o.Say(AboutRun, " a"+strings.Repeat("ß", maxNotice)+"Z")
	if got := shown(&widgets, text); !strings.Contains(got, "ß…") || strings.ContainsAny(got, "Z\ufffd") {
		t.Errorf("the long message is %q", got)
	}
}

// TestRequests: the shell gets each request once.
func TestRequests(t *testing.T) {
	o := New(&ui.State{})
	o.Ask(Ask{Do: CopyText, Text: "a"})
	o.Ask(Ask{Do: Quit})
	var got []AskKind
	for _, a := range o.Drain() {
		got = append(got, a.Do)
	}
	if !slices.Equal(got, []AskKind{CopyText, Quit}) || len(o.Drain()) > 0 {
		t.Errorf("the requests are %v, and are not taken", got)
	}
}
