//go:build !js

package documents

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// digestOf reads a file.
func digestOf(path string) (d Digest, err error) {
	f, err := os.Open(path)
	if err != nil {
		return d, err
	}
	defer f.Close()
	h := sha256.New()
	if d.Size, err = io.Copy(h, f); err != nil {
		return Digest{}, err
	}
	d.SHA256 = hex.EncodeToString(h.Sum(nil))
	return d, nil
}
