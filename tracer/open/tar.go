//go:build !js

package open

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"strings"
)

// untarred reads the files of a tar archive.
func untarred(r io.Reader) ([]archived, error) {
	in := tar.NewReader(r)
	var c collection
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return c.members, nil
		}
		if err != nil {
			return nil, fmt.Errorf("a tar archive that is cut or damaged: %s", strings.TrimPrefix(err.Error(), "archive/tar: "))
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := c.add(h.Name, in); errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("a tar archive that is cut within %s", h.Name)
		} else if err != nil {
			return nil, fmt.Errorf("%s in the archive: %w", h.Name, err)
		}
	}
}
