package glyph

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// ordered is a line of text with its characters in the order in which they stand from left to right: those of Hebrew, Arabic and other scripts that are
// written from the right are turned around, numbers among them are not. It is the bidirectional algorithm of Unicode (UAX 9) for a line that begins on the
// left, without embeddings; text without such characters is returned as it is. Arabic letters are not joined.
func ordered(text []byte) []byte {
	if !slices.ContainsFunc(text, func(b byte) bool { return b >= 0xd6 }) || !hasRight(text) {
		return text
	}
	runes := []rune(string(text))
	of := classes(runes)
	last := left // the last letter
	for i, c := range of {
		switch c {
		case left, right:
			last = c
		case number:
			if last == left { // UAX 9, W7
				of[i] = left
			}
		}
	}
	level := make([]uint8, len(of))
	for i := 0; i < len(of); i++ {
		switch of[i] {
		case right:
			level[i] = 1
		case number:
			level[i] = 2
		case neutral: // UAX 9, N1 and N2: between what goes from the right they do, too
			end := i
			for end < len(of) && of[end] == neutral {
				end++
			}
			if i > 0 && end < len(of) && of[i-1] != left && of[end] != left {
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

// Classes of characters.
type class uint8

const (
	neutral class = iota
	left
	right
	number
)

// writes says whether a character is of a script that is written from the right.
func writes(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00 || r >= 0x10800 && r < 0x11000 || r >= 0x1e800 && r < 0x1f000
}

func hasRight(text []byte) bool {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if writes(r) {
			return true
		}
		text = text[n:]
	}
	return false
}

// classes are those of a line: marks go with what they stand on, separators within a number with that.
func classes(runes []rune) []class {
	of := make([]class, len(runes))
	for i, r := range runes {
		switch {
		case r >= '0' && r <= '9', r >= 0x660 && r <= 0x669, r >= 0x6f0 && r <= 0x6f9:
			of[i] = number
		case unicode.Is(unicode.Mn, r):
			if i > 0 {
				of[i] = of[i-1]
			}
		case writes(r) && !unicode.IsPunct(r) || r == 0x200f:
			of[i] = right
		case unicode.IsLetter(r):
			of[i] = left
		}
	}
	for i := 1; i+1 < len(runes); i++ {
		if r := runes[i]; (r == '.' || r == ',' || r == ':' || r == '/') && of[i-1] == number && of[i+1] == number {
			of[i] = number
		}
	}
	return of
}

// turn turns characters around, each with the marks on it; brackets are mirrored.
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
