package widget

import "strings"

// Capitals returns words that begin with a capital, as the choices of dialogs do.
func Capitals(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return out
}
