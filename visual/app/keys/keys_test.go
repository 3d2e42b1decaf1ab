package keys

import (
	"slices"
	"strings"
	"testing"

	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
	"whorl/visual/view"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		key  Key
		want string
	}{
		{Key{0, "R"}, "Shift+R"},
		{Key{0, "h"}, "h"},
		{Key{0, "F1"}, "F1"},
		{Key{0, "|"}, "|"},
		{Key{0, " "}, "Space"},
		{Control("s")[0], "Ctrl+S"},
		{Key{ui.Control | ui.Shift | ui.Alt, "z"}, "Ctrl+Alt+Shift+Z"},
		{Key{ui.Shift, "Tab"}, "Shift+Tab"},
	} {
		if got := c.key.String(); got != c.want {
			t.Errorf("%+v is called %s, want %s", c.key, got, c.want)
		}
	}
}

// TestBlocks: keys of a view that do the same stand in one line, and every view has a block that says what it is for.
func TestBlocks(t *testing.T) {
	window := []Line{NewLine("show this help", Plain("h", "F1")...)}
	kinds := []*view.Kind{
		{Name: "still", Title: "Still", Doc: "the picture of one moment"},
		{Name: "disc", Title: "Disc", Keys: []view.Key{{Key: "w", Doc: "turn it"}, {Key: "r", Doc: "roll it"}, {Key: "W", Doc: "turn it"}}},
	}
	blocks := Blocks(window, kinds)
	var titles []string
	for _, b := range blocks {
		titles = append(titles, b.Title)
	}
	if want := []string{"Window", "Mouse", "In every view", "Still", "Disc", "Editing a program", "Controls"}; !slices.Equal(titles, want) {
		t.Errorf("the blocks are %q, want %q", titles, want)
	}
	if got := blocks[0].Lines[0].How; got != "h, F1" {
		t.Errorf("the keys of the help are %q", got)
	}
	if still := blocks[3]; still.Doc != kinds[0].Doc || len(still.Lines) > 0 {
		t.Errorf("the block of the view without keys is %+v", still)
	}
	disc := blocks[4]
	if len(disc.Lines) != 2 || disc.Lines[0].How != "w, Shift+W" || len(disc.Lines[0].Keys) != 2 || disc.View != "disc" {
		t.Errorf("the block of the view is %+v", disc)
	}
}

// TestHelpInColumns shows every line in windows of several sizes, in order from top to bottom and from left to right.
func TestHelpInColumns(t *testing.T) {
	var kinds []*view.Kind
	for _, name := range []string{"Ball", "Disc", "Tree"} {
		kinds = append(kinds, &view.Kind{Name: strings.ToLower(name), Title: name, Keys: []view.Key{{Key: "w", Doc: "turn the " + name}}})
	}
	blocks := Blocks([]Line{NewLine("show this help", Plain("h")...)}, kinds)
	for _, size := range [][2]float32{{1280, 800}, {700, 2000}, {360, 3000}, {300, 200}} {
		help := Help{Open: true}
		u := usertest.New(t, size[0], size[1], func(c *ui.Context) {
			if help.Open {
				help.Draw(c, blocks)
			}
		})
		text := strings.ReplaceAll(u.Texts(), "\n", " ")
		for _, b := range blocks {
			for _, l := range b.Lines {
				if size[1] > 500 && !strings.Contains(text, l.How+" "+l.Doc) {
					t.Errorf("%v: %q for %q is not shown:\n%s", size, l.How, l.Doc, u.Texts())
				}
			}
		}
		if u.Keys("Escape"); help.Open {
			t.Errorf("%v: Escape does not close the help", size)
		}
	}
}

// TestSearchHelp types into the help: lines and views with the text remain.
func TestSearchHelp(t *testing.T) {
	kinds := []*view.Kind{
		{Name: "disc", Title: "Disc", Doc: "a round picture of time", Keys: []view.Key{{Key: "w", Doc: "turn it"}}},
		{Name: "tree", Title: "Tree", Doc: "branches", Keys: []view.Key{{Key: "e", Doc: "cut a branch"}, {Key: "m", Doc: "a round cut"}}},
	}
	help := Help{Open: true}
	u := usertest.New(t, 1280, 800, func(c *ui.Context) { help.Draw(c, Blocks(nil, kinds)) })
	u.Type("ROUND")
	if text := u.Texts(); !help.Open || !strings.Contains(text, "turn it") || !strings.Contains(text, "a round cut") || strings.Contains(text, "cut a branch") || strings.Contains(text, "zoom") {
		t.Errorf("the search shows\n%s", text)
	}
	u.Type("x")
	if text := u.Texts(); strings.Contains(text, "Disc") {
		t.Errorf("nothing matches, but there is\n%s", text)
	}
}
