// Package shell writes command lines that a POSIX shell reads as the words that they are made of, and reads them.
package shell

import (
	"fmt"
	"strings"

	"whorl/internal/nearest"
)

// Line returns a command line of some words.
func Line(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, " ")
}

// quote returns a word as a shell reads it.
func quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Words divides a text into words as a shell does, with single quotes and backslashes. It is the inverse of Line.
func Words(text string) (words []string, err error) {
	var word strings.Builder
	inWord, quote := false, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\'':
			quote, inWord = !quote, true
		case c == '\\' && !quote && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			inWord = true
		case c == ' ' && !quote:
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote {
		return nil, fmt.Errorf("%s: a quotation mark is not closed", nearest.Quote(text))
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
