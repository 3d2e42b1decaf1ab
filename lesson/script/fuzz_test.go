package script_test

import (
	"testing"

	"whorl/lesson"
	"whorl/lesson/script"
	"whorl/lessons"
	"whorl/testdata/must"
)

// FuzzParse checks that no text makes the parser panic, that errors have places in the text, and that what it accepts has its parts.
func FuzzParse(f *testing.F) {
	for _, name := range lessons.Names {
		s, err := script.Load(must.Get(lessons.Folder(name))(f), name, name, script.English)
		must.Do(f, err)
		f.Add(s.Text)
	}
	f.Add("+++\ntitle = \"\"\n+++\n> - {{ a }}\n\n```hint\ntext = \"*a* `b`\"\n```\n")
	f.Add("+++\n[[run]]\nname = 1\n+++\n|a|b|\n|-|-|\n|{{|}}|\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := script.Parse("lesson.md", "x", "en", text)
		if err != nil {
			if err.Error() == "" {
				t.Error("an empty error")
			}
			return
		}
		lesson.Walk(s.Blocks, func(b *lesson.Block) {
			if b.Kind == lesson.Hint && b.Level >= len(s.Parts) {
				t.Errorf("part %d of %d", b.Level, len(s.Parts))
			}
		})
	})
}
