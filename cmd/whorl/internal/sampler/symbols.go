package sampler

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// symbols name addresses that no binary names.
type symbols struct {
	root    string // of the file system; "" outside of tests
	kernels *table
	maps    map[int32]*compiledMap
}

func newSymbols(root string) symbols { return symbols{root: root, maps: map[int32]*compiledMap{}} }

// A table has functions in ascending order.
type table []function

// A function begins at an address. Its size is 0 if it lasts until the next one.
type function struct {
	from, size uint64
	name       string
}

// at returns the function around an address, "" for none.
func (t table) at(address uint64) (name string, offset uint64) {
	i := sort.Search(len(t), func(i int) bool { return t[i].from > address }) - 1
	if i < 0 || t[i].size > 0 && address-t[i].from >= t[i].size {
		return "", 0
	}
	return t[i].name, address - t[i].from
}

// read reads a table from a file of functions, one on each line.
func read(path string, parse func(fields []string) (function, bool)) (t table) {
	f, err := os.Open(path)
	if err != nil {
		return nil // the addresses have no names then
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) >= 3 {
			if s, ok := parse(fields); ok {
				t = append(t, s)
			}
		}
	}
	slices.SortStableFunc(t, func(a, b function) int { return cmp.Compare(a.from, b.from) })
	return t
}

// kernel returns the function of the kernel around an address. Linux shows them to root alone, unless it is told otherwise.
func (s *symbols) kernel(address uint64) (name string, offset uint64) {
	if s.kernels == nil {
		t := read(s.root+"/proc/kallsyms", func(fields []string) (f function, ok bool) {
			from, err := strconv.ParseUint(fields[0], 16, 64)
			return function{from: from, name: fields[2]}, err == nil && from > 0 && strings.Contains("tTwW", fields[1])
		})
		s.kernels = &t
	}
	return s.kernels.at(address)
}

// A compiledMap is the file in which a runtime that compiles at run time names its functions.
type compiledMap struct {
	table
	size int64 // of the file when it was read
}

// compiled returns the function around an address that the runtime of a process has compiled, such as that of Node with --perf-basic-prof or Java with its
// agent for perf.
func (s *symbols) compiled(pid int32, address uint64) (name string, offset uint64) {
	m := s.maps[pid]
	if m == nil {
		m = &compiledMap{}
		s.maps[pid] = m
	}
	if name, offset = m.at(address); name != "" {
		return name, offset
	}
	path := fmt.Sprintf("%s/tmp/perf-%d.map", s.root, pid)
	info, err := os.Stat(path)
	if err != nil || info.Size() == m.size {
		return "", 0
	}
	m.size = info.Size()
	m.table = read(path, func(fields []string) (f function, ok bool) {
		from, bad := strconv.ParseUint(strings.TrimPrefix(fields[0], "0x"), 16, 64)
		size, worse := strconv.ParseUint(strings.TrimPrefix(fields[1], "0x"), 16, 64)
		return function{from, size, strings.Join(fields[2:], " ")}, bad == nil && worse == nil && size > 0
	})
	return m.at(address)
}
