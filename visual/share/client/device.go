package client

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"whorl/visual/share"
)

// Keep adds to the access of a session what the user keeps of the person who joined one last, and keeps it from then on.
func Keep(at share.Address, access *share.Access) {
	settings, err := os.UserConfigDir()
	if err != nil {
		return
	}
	keepIn(filepath.Join(settings, "whorl", "person"), at, access)
}

func keepIn(path string, at share.Address, access *share.Access) {
	if b, err := os.ReadFile(path); err == nil && len(b) < 1000 {
		access.Secret = share.ReadKept(string(b), at.Token)
		access.IfAway = access.Secret != ""
	}
	before := access.Keep
	access.Keep = func(name, secret string) {
		before(name, secret)
		if os.MkdirAll(filepath.Dir(path), 0o700) == nil {
			_ = os.WriteFile(path, []byte(share.Kept(secret, at.Token)+"\n"), 0o600) // without it the person joins anew next time
		}
	}
}

// Device returns a text that stands for this user at the server of a link, and that nobody can compare with that at another server. It is "" where the
// user has no folder for settings.
func Device(at share.Address) string {
	settings, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return deviceIn(filepath.Join(settings, "whorl", "device"), at)
}

// deviceIn makes the text from the random number in a file, which it writes if it is not there.
func deviceIn(path string, at share.Address) string {
	b, err := os.ReadFile(path)
	own := strings.TrimSpace(string(b))
	if err != nil || len(own) < 26 || len(own) > 100 {
		own = rand.Text()
		if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, []byte(own+"\n"), 0o600) != nil {
			return ""
		}
	}
	sum := sha256.Sum256([]byte(own + " " + at.URL))
	return hex.EncodeToString(sum[:16])
}
