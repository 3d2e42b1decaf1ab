package glyph

import (
	"golang.org/x/image/font/sfnt"

	"whorl/visual/scene"
)

// File returns the TrueType file of a face, for documents that embed it.
func (s *Set) File(f scene.Face) []byte { return files[min(int(f), len(files)-1)] }

// Index returns the number of a character's glyph in the file of a face, false if the file lacks the character.
func (s *Set) Index(r rune, f scene.Face) (uint16, bool) {
	var buf sfnt.Buffer
	i, err := s.face(f).font.GlyphIndex(&buf, r)
	return uint16(i), err == nil && i != 0 && r < 1<<16
}
