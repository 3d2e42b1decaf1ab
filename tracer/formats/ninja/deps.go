//go:build !js

package ninja

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

const depsMagic = "# ninjadeps\n"

// mostRecord bounds a record of .ninja_deps, in bytes, as Ninja does.
const mostRecord = 1 << 19

// readDeps adds to the graph what compilers reported as inputs: those that are outputs of edges, such as generated headers.
//
// The file has a version, 3 or 4, and records. A record begins with its length in 4 bytes. The uppermost bit of the length is 0 for a path and 1 for
// the inputs of an output. A path is padded with zeros to 4 bytes and followed by the complement of its number. Inputs are the number of the output, the
// time of its file in 4 or 8 bytes, and the numbers of the inputs. The last record of an output counts.
func (g *graph) readDeps(folder fs.FS) error {
	f, err := folder.Open(depsFile)
	if err != nil {
		return nil // most builds without a compiler have none
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	var head [len(depsMagic) + 4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || !bytes.HasPrefix(head[:], []byte(depsMagic)) {
		return fmt.Errorf("%s: expected %q", depsFile, depsMagic)
	}
	skip := 0 // bytes before the inputs
	switch v := binary.LittleEndian.Uint32(head[len(depsMagic):]); v {
	case 3:
		skip = 8
	case 4:
		skip = 12
	default:
		return fmt.Errorf("%s: version %d: expected 3 or 4", depsFile, v)
	}
	var numbers []int32 // of the graph, by the numbers of the file; -1 for paths that are no outputs
	last := map[int32][]int32{}
	order := []int32{}
	buf := make([]byte, mostRecord)
	for at := int64(len(head)); ; {
		if _, err := io.ReadFull(r, buf[:4]); err != nil {
			if !errors.Is(err, io.EOF) {
				return fmt.Errorf("%s: cut at byte %d", depsFile, at)
			}
			break
		}
		n := binary.LittleEndian.Uint32(buf)
		ofDeps, n := n>>31 == 1, n&(1<<31-1)
		if n > mostRecord || n < 4 || n%4 != 0 || ofDeps && int(n) < skip {
			return fmt.Errorf("%s: a record of %d bytes at byte %d: expected 4 to %d", depsFile, n, at, mostRecord)
		}
		at += 4 + int64(n)
		b := buf[:n]
		if _, err := io.ReadFull(r, b); err != nil {
			return fmt.Errorf("%s: cut at byte %d", depsFile, at)
		}
		if !ofDeps {
			number := int32(-1)
			if k, ok := g.paths[string(bytes.TrimRight(b[:n-4], "\x00"))]; ok {
				if _, ok := g.maker[k]; ok {
					number = k
				}
			}
			numbers = append(numbers, number)
			continue
		}
		known := func(b []byte) int32 {
			if k := binary.LittleEndian.Uint32(b); int64(k) < int64(len(numbers)) {
				return numbers[k]
			}
			return -1
		}
		out := known(b)
		if out < 0 {
			continue
		}
		var inputs []int32
		for b = b[skip:]; len(b) > 0; b = b[4:] {
			if in := known(b); in >= 0 && in != out {
				inputs = append(inputs, in)
			}
		}
		if _, ok := last[out]; !ok {
			order = append(order, out)
		}
		last[out] = inputs
	}
	for _, out := range order {
		if inputs := last[out]; len(inputs) > 0 {
			g.extend(out, inputs, nil)
		}
	}
	return nil
}
