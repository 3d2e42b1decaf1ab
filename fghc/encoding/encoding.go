// Package encoding reads the texts of programs in UTF-8 and in EUC-JP, in which many KL1 programs are written.
package encoding

import "unicode/utf8"

// An Encoding is how a file holds its text.
type Encoding uint8

// The encodings.
const (
	UTF8 Encoding = iota
	EUCJP
)

// Decode returns a text in UTF-8. What is neither UTF-8 nor EUC-JP stays as it is, and counts as UTF-8.
func Decode(text string) (string, Encoding) {
	if utf8.ValidString(text) {
		return text, UTF8
	}
	if decoded, ok := fromEUC(text); ok {
		return decoded, EUCJP
	}
	return text, UTF8
}

// Encode returns a text in an encoding; false where it has characters that the encoding lacks.
func Encode(text string, e Encoding) (string, bool) {
	if e == EUCJP {
		return toEUC(text)
	}
	return text, true
}
