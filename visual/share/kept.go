package share

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"
)

// Kept returns what a browser or a user keeps of the person with a secret who has joined by a token, so that the person comes back when the program was
// killed. It does not tell the token.
func Kept(secret, token string) string { return keptOf(token) + " " + secret }

// ReadKept returns the secret in a text of Kept, "" if it is not of a person who has joined by this token.
func ReadKept(text, token string) string {
	of, secret, _ := strings.Cut(strings.TrimSpace(text), " ")
	if subtle.ConstantTimeCompare([]byte(of), []byte(keptOf(token))) != 1 || len(secret) > maxDevice {
		return ""
	}
	return secret
}

func keptOf(token string) string {
	sum := sha256.Sum256([]byte("whorl person " + token))
	return hex.EncodeToString(sum[:])
}
