package glyph

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// ordered returns a line of text in visual order from left to right: runs of Hebrew, Arabic and other right-to-left
// scripts are reversed, except for numbers in them. It is the Unicode bidirectional algorithm (UAX 9) for a
// left-to-right line without embeddings. Text without such characters is returned unchanged. Arabic letters are not
// joined.
func ordered(text []byte) []byte {
	if !slices.ContainsFunc(text, func(b byte) bool { return b >= 0xd6 }) || !hasRight(text) {
		return text
	}
	runes := []rune(string(text))
	kinds := classes(runes)
	last := left // class of the last letter
	for i, c := range kinds {
		switch c {
		case left, right:
			last = c
		case number:
			if last == left { // UAX 9, W7
				kinds[i] = left
			}
		}
	}
	level := make([]uint8, len(kinds))
	for i := 0; i < len(kinds); i++ {
		switch kinds[i] {
		case right:
			level[i] = 1
		case number:
			level[i] = 2
		case neutral: // UAX 9, N1 and N2: neutrals between right-to-left characters become right-to-left
			end := i
			for end < len(kinds) && kinds[end] == neutral {
				end++
			}
			if i > 0 && end < len(kinds) && kinds[i-1] != left && kinds[end] != left {
				for k := i; k < end; k++ {
					level[k] = 1
				}
			}
			i = end - 1
		}
	}
	for least := uint8(2); least > 0; least-- { // UAX 9, L2
		for i := 0; i < len(level); i++ {
			end := i
			for end < len(level) && level[end] >= least {
				end++
			}
			if end > i {
				turn(runes[i:end], least == 1)
				i = end
			}
		}
	}
	return []byte(string(runes))
}

// A class is the bidirectional class of a character, simplified.
type class uint8

const (
	neutral class = iota
	left
	right
	number
)

// rightToLeft reports whether a character belongs to a right-to-left script.
func rightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00 || r >= 0x10800 && r < 0x11000 || r >= 0x1e800 && r < 0x1f000
}

func hasRight(text []byte) bool {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if rightToLeft(r) {
			return true
		}
		text = text[n:]
	}
	return false
}

// classes returns the classes of the characters of a line. Marks have the class of their base, and separators within a
// number are part of it.
func classes(runes []rune) []class {
	kinds := make([]class, len(runes))
	for i, r := range runes {
		switch {
		case r >= '0' && r <= '9', r >= 0x660 && r <= 0x669, r >= 0x6f0 && r <= 0x6f9:
			kinds[i] = number
		case unicode.Is(unicode.Mn, r):
			if i > 0 {
				kinds[i] = kinds[i-1]
			}
		case rightToLeft(r) && !unicode.IsPunct(r) || r == 0x200f:
			kinds[i] = right
		case unicode.IsLetter(r):
			kinds[i] = left
		}
	}
	for i := 1; i+1 < len(runes); i++ {
		if r := runes[i]; (r == '.' || r == ',' || r == ':' || r == '/') && kinds[i-1] == number && kinds[i+1] == number {
			kinds[i] = number
		}
	}
	return kinds
}

// turn reverses characters, each with its marks, and mirrors brackets if mirror is set.
func turn(runes []rune, mirror bool) {
	slices.Reverse(runes)
	for i := 0; i < len(runes); i++ {
		end := i
		for end < len(runes)-1 && unicode.Is(unicode.Mn, runes[end]) {
			end++
		}
		slices.Reverse(runes[i : end+1])
		i = end
	}
	if !mirror {
		return
	}
	const pairs = "()[]{}<>«»‹›"
	all := []rune(pairs)
	for i, r := range runes {
		if k := slices.Index(all, r); k >= 0 {
			runes[i] = all[k^1]
		}
	}
}
