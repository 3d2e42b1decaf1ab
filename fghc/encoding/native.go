//go:build !js

package encoding

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

func fromEUC(text string) (string, bool) {
	decoded, err := japanese.EUCJP.NewDecoder().String(text)
	return decoded, err == nil && !strings.ContainsRune(decoded, utf8.RuneError)
}

func toEUC(text string) (string, bool) {
	encoded, err := japanese.EUCJP.NewEncoder().String(text)
	return encoded, err == nil
}
