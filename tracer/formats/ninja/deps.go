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

// readDeps adds the inputs that compilers reported to the graph, if they are outputs of edges, such as generated headers.
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
	d := deps{graph: g, inputs: map[int32][]int32{}}
	if err := d.head(r); err != nil {
		return err
	}
	buf := make([]byte, mostRecord)
	for at := int64(headLen); ; {
		if _, err := io.ReadFull(r, buf[:4]); err != nil {
			if !errors.Is(err, io.EOF) {
				return fmt.Errorf("%s: cut at byte %d", depsFile, at)
			}
			break
		}
		n := binary.LittleEndian.Uint32(buf)
		ofInputs, n := n>>31 == 1, n&(1<<31-1)
		if n > mostRecord || n < 4 || n%4 != 0 || ofInputs && int(n) < d.skip {
			return fmt.Errorf("%s: a record of %d bytes at byte %d: expected 4 to %d", depsFile, n, at, mostRecord)
		}
		at += 4 + int64(n)
		b := buf[:n]
		if _, err := io.ReadFull(r, b); err != nil {
			return fmt.Errorf("%s: cut at byte %d", depsFile, at)
		}
		if ofInputs {
			d.record(b)
		} else {
			d.path(b[:n-4])
		}
	}
	for _, out := range d.order {
		if inputs := d.inputs[out]; len(inputs) > 0 {
			g.extend(out, inputs, nil)
		}
	}
	return nil
}

// deps holds the part of .ninja_deps that has been read.
type deps struct {
	graph   *graph
	skip    int               // bytes of a record before the inputs
	numbers []int32           // of the graph, by the numbers of the file; -1 for paths that are no outputs
	inputs  map[int32][]int32 // by output
	order   []int32           // of the outputs
}

const headLen = len(depsMagic) + 4

// head reads the beginning of the file.
func (d *deps) head(r io.Reader) error {
	var head [headLen]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || !bytes.HasPrefix(head[:], []byte(depsMagic)) {
		return fmt.Errorf("%s: expected %q", depsFile, depsMagic)
	}
	switch v := binary.LittleEndian.Uint32(head[len(depsMagic):]); v {
	case 3:
		d.skip = 8
	case 4:
		d.skip = 12
	default:
		return fmt.Errorf("%s: version %d: expected 3 or 4", depsFile, v)
	}
	return nil
}

// path adds a path, which may be padded.
func (d *deps) path(b []byte) {
	number := int32(-1)
	if k, ok := d.graph.paths[string(bytes.TrimRight(b, "\x00"))]; ok {
		if _, ok := d.graph.maker[k]; ok {
			number = k
		}
	}
	d.numbers = append(d.numbers, number)
}

// record adds the inputs of an output.
func (d *deps) record(b []byte) {
	out := d.number(b)
	if out < 0 {
		return
	}
	var inputs []int32
	for b = b[d.skip:]; len(b) > 0; b = b[4:] {
		if in := d.number(b); in >= 0 && in != out {
			inputs = append(inputs, in)
		}
	}
	if _, ok := d.inputs[out]; !ok {
		d.order = append(d.order, out)
	}
	d.inputs[out] = inputs
}

// number returns the number of the graph for the number of the file that b begins with, -1 for none.
func (d *deps) number(b []byte) int32 {
	if k := binary.LittleEndian.Uint32(b); int64(k) < int64(len(d.numbers)) {
		return d.numbers[k]
	}
	return -1
}
