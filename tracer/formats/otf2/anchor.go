package otf2

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
)

// Detect reports whether a file begins as an anchor file does.
func Detect(head []byte) bool {
	_, ok := order(head)
	return ok && bytes.HasPrefix(head[2:], []byte("OTF2\x00"))
}

// An anchor describes an archive.
type anchor struct {
	version     [3]uint8
	format      uint8
	chunk       int64 // length of the chunks of events in bytes
	definitions int64 // length of the chunks of definitions
	locations   uint64
	machine     string
	creator     string
	description string
	properties  [][2]string
	cut         bool // it lacks its end
}

// Versions of the file formats that this package knows.
const (
	newestAnchor = 3
	newestTrace  = 2
)

// Values of the anchor file.
const (
	substratePOSIX  = 1
	substrateSION   = 2
	substrateNone   = 3
	compressionNone = 1
)

// mostAnchor bounds the length of an anchor file.
const mostAnchor = 16 << 20

// readAnchor reads an anchor file.
func readAnchor(fsys fs.FS, name string) (*anchor, error) {
	data, err := readFile(fsys, name, mostAnchor)
	if err != nil {
		return nil, err
	}
	if !Detect(data) {
		return nil, errors.New("no anchor file of an OTF2 archive")
	}
	big, _ := order(data)
	c := cursorOf(data, big)
	c.pos = 7
	a := &anchor{}
	format := c.u8()
	a.format = c.u8()
	for i := range a.version {
		a.version[i] = c.u8()
	}
	a.chunk = int64(c.full(8) & (1<<62 - 1))
	a.definitions = int64(c.full(8) & (1<<62 - 1))
	substrate, compression := c.u8(), c.u8()
	a.locations = c.full(8)
	c.full(8) // number of global definitions
	a.machine, a.creator, a.description = c.text(), c.text(), c.text()
	switch {
	case c.bad:
		return nil, fmt.Errorf("the anchor file ends after %d bytes", len(data))
	case substrate == substrateSION:
		return nil, errors.New("the archive keeps its files in SIONlib containers; expected files of its own for each location (substrate POSIX)")
	case substrate != substratePOSIX && substrate != substrateNone:
		return nil, fmt.Errorf("file substrate %d; expected %d (POSIX)", substrate, substratePOSIX)
	case compression != compressionNone:
		return nil, fmt.Errorf("compression %d; expected %d (none)", compression, compressionNone)
	case min(a.chunk, a.definitions) < 32:
		return nil, fmt.Errorf("chunks of %d bytes; expected 262144 to 16777216", min(a.chunk, a.definitions))
	}
	if format > 1 {
		for n := c.full(4); n > 0 && !c.bad; n-- {
			a.properties = append(a.properties, [2]string{c.text(), c.text()})
		}
	}
	a.cut = c.bad
	if format > newestAnchor {
		a.format = max(a.format, newestTrace+1)
	}
	return a, nil
}

// readFile reads a file of at most some bytes.
func readFile(fsys fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%s has %d bytes; expected at most %d", name, info.Size(), most)
	}
	return fs.ReadFile(fsys, name)
}
