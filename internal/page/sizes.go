package main

import (
	"bytes"
	"cmp"
	"compress/flate"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

const codeSection = 10

// sizes lists how many bytes of the packed module and of the module the functions of each package take, and the parts of the memory, the largest first.
// The linker writes the functions package by package, in the order of the table of functions.
func sizes(w io.Writer, module []byte) error {
	p := newPacker()
	var code []byte
	var data segment
	if len(module) < 8 {
		return errModule
	}
	for rest := (reader{bytes: module[8:]}); len(rest.bytes) > 0; {
		id := rest.next(1)
		body := rest.next(int(rest.uleb()))
		if rest.failed {
			return errModule
		}
		switch id[0] {
		case codeSection:
			code = body
		case dataSection:
			segments, ok := readSegments(body)
			if !ok {
				return errModule
			}
			for _, s := range join(segments) {
				if bytes.Contains(s.bytes, []byte(headerStart)) {
					data = s
				} else {
					p.add(fmt.Sprintf("memory: constants and variables at %d", s.address), s.bytes)
				}
			}
		default:
			p.add("section "+fmt.Sprint(id[0]), body)
		}
	}
	t, found, err := findFunctions(data)
	if !found || err != nil {
		return errLines
	}
	r := reader{bytes: code}
	bodies := int(r.uleb())
	for i := range bodies {
		body := r.next(int(r.uleb()))
		name := "functions without a name"
		if i := i - (bodies - t.count); i >= 0 {
			r, err := t.record(i)
			if err != nil {
				return err
			}
			name = packageOf(string(t.name(r)))
		}
		p.add(name, body)
	}
	if r.failed {
		return errModule
	}
	p.add("memory: names of functions", t.names)
	p.add("memory: files", t.units)
	p.add("memory: tables by pc", t.byPC)
	p.add("memory: functions and what follows them", t.functions)
	p.write(w)
	return nil
}

// packageOf returns the package of a function, and for an instance of a generic function the package that declares it.
func packageOf(function string) string {
	path, _, _ := strings.Cut(function, "[")
	slash := strings.LastIndexByte(path, '/') + 1
	name, _, _ := strings.Cut(path[slash:], ".")
	return path[:slash] + name
}

// A packer packs parts one after the other, and counts the bytes of each name.
type packer struct {
	out    counter
	flate  *flate.Writer
	name   string
	before int
	sizes  map[string][2]int // bytes, packed bytes
}

type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

func newPacker() *packer {
	p := &packer{sizes: map[string][2]int{}}
	p.flate, _ = flate.NewWriter(&p.out, flate.BestCompression)
	return p
}

func (p *packer) add(name string, part []byte) {
	if name != p.name {
		p.flush()
		p.name = name
	}
	_, _ = p.flate.Write(part) // into memory
	s := p.sizes[name]
	p.sizes[name] = [2]int{s[0] + len(part), s[1]}
}

func (p *packer) flush() {
	p.flate.Flush()
	s := p.sizes[p.name]
	p.sizes[p.name] = [2]int{s[0], s[1] + int(p.out) - p.before}
	p.before = int(p.out)
}

func (p *packer) write(w io.Writer) {
	p.flush()
	for _, name := range slices.SortedFunc(maps.Keys(p.sizes), func(a, b string) int {
		return cmp.Or(p.sizes[b][1]-p.sizes[a][1], strings.Compare(a, b))
	}) {
		fmt.Fprintf(w, "%9d %9d  %s\n", p.sizes[name][1], p.sizes[name][0], name)
	}
	fmt.Fprintf(w, "%9d            all\n", int(p.out))
}
