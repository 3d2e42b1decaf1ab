//go:build js

package documents

import "errors"

// digestOf returns an error: a page has no paths of files.
func digestOf(string) (Digest, error) { return Digest{}, errors.ErrUnsupported }
