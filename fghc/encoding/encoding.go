// Package encoding converts program texts between UTF-8 and EUC-JP, the encoding of many KL1 programs.
package encoding

import "unicode/utf8"

// An Encoding is a character encoding of a file.
type Encoding uint8

// The encodings.
const (
	UTF8 Encoding = iota
	EUCJP
)

// Decode converts a text to UTF-8 and returns its encoding. Text that is neither UTF-8 nor EUC-JP is returned unchanged as UTF8.
func Decode(text string) (string, Encoding) {
	if utf8.ValidString(text) {
		return text, UTF8
	}
	if decoded, ok := fromEUC(text); ok {
		return decoded, EUCJP
	}
	return text, UTF8
}

// Encode converts a UTF-8 text to an encoding. It returns false if the encoding lacks a character of the text.
func Encode(text string, e Encoding) (string, bool) {
	if e == EUCJP {
		return toEUC(text)
	}
	return text, true
}
