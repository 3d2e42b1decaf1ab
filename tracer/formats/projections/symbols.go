package projections

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"whorl/internal/lines"
)

// newest is the newest version of the logs that this package knows. Logs of later versions are read as far as they agree with it.
const newest = 11

// symbols holds the description of a program.
type symbols struct {
	cut        int    // the last line of a file without its end
	given      string // the version as the file has it
	version    float64
	processors int
	nodeSize   int // worker threads of a node, 0 if PEs are processes
	nodes      int
	counters   int // hardware counters

	machine, charm, command, host, recorded string

	chares       map[int32]chare
	entries      map[int32]entry
	events       map[int32]string
	stats        map[int32]string
	functions    map[int32]string
	counterNames map[int32]string
}

type chare struct {
	name       string
	dimensions int // of the array of chares, -1 for none
}

type entry struct {
	name  string // with its parameters
	chare int32
}

// node returns the node of a PE if PEs are threads of nodes. Those that communicate come after the others.
func (s *symbols) node(pe int) (n int, ok bool) {
	workers := s.nodeSize * s.nodes
	switch {
	case s.nodeSize <= 0 || s.nodes <= 0:
		return 0, false
	case pe >= workers:
		return min(pe-workers, s.nodes-1), true
	}
	return pe / s.nodeSize, true
}

// readSymbols reads the description of a program.
func readSymbols(folder fs.FS, name string) (*symbols, error) {
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := &symbols{
		version: newest, chares: map[int32]chare{}, entries: map[int32]entry{}, events: map[int32]string{}, stats: map[int32]string{},
		functions: map[int32]string{}, counterNames: map[int32]string{},
	}
	tail := lines.Tail{R: io.LimitReader(f, mostSymbols)}
	in := bufio.NewScanner(&tail)
	in.Buffer(make([]byte, 0, 1<<12), longestLine)
	n := 1
	for ; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "END" {
			s.cut = 0
			return s, nil
		}
		s.cut = n // a file that is cut has the names until there
		if err := s.line(line); err != nil && !tail.Cut(in) {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	err = in.Err()
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d: more than %d bytes", n, longestLine)
	case err != nil:
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	return s, nil
}

// line reads a line.
func (s *symbols) line(line string) error {
	key, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch key {
	case "VERSION":
		v, err := strconv.ParseFloat(rest, 64)
		if err != nil {
			return fmt.Errorf("VERSION %q; expected a number such as 11.0", rest)
		}
		s.given, s.version = rest, v
	case "PROCESSORS":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 {
			return fmt.Errorf("PROCESSORS %q; expected a number of PEs", rest)
		}
		s.processors = n
	case "SMPMODE":
		_, _ = fmt.Sscan(rest, &s.nodeSize, &s.nodes)
		s.nodes = min(s.nodes, 1<<20)
		s.nodeSize = min(s.nodeSize, 1<<20)
	case "TOTAL_PAPI_EVENTS":
		n, _ := strconv.Atoi(rest)
		s.counters = min(max(n, 0), mostCounters)
	case "MACHINE":
		s.machine = unquoted(rest)
	case "CHARMVERSION":
		s.charm = unquoted(rest)
	case "COMMANDLINE":
		s.command = unquoted(rest)
	case "HOSTNAME":
		s.host = unquoted(rest)
	case "TIMESTAMP":
		s.recorded = unquoted(rest)
	case "CHARE":
		id, name, after, ok := identified(rest, s.version >= 9)
		if ok && len(s.chares) < mostNames {
			dimensions := -1
			if n, err := strconv.Atoi(after); err == nil {
				dimensions = n
			}
			s.chares[id] = chare{name, dimensions}
		}
	case "ENTRY":
		_, rest, _ = strings.Cut(rest, " ") // CHARE or BOC
		id, name, numbers, ok := identified(rest, false)
		if !ok || len(s.entries) >= mostNames {
			break
		}
		of, _, _ := strings.Cut(numbers, " ") // the chare, then the message
		if numbers == "" {
			name, _, _ = lastWord(name)
			name, of, _ = lastWord(name)
		}
		if c, err := strconv.ParseInt(of, 10, 32); err == nil {
			s.entries[id] = entry{name, int32(c)}
		}
	case "EVENT":
		note(s.events, rest)
	case "STAT":
		note(s.stats, rest)
	case "FUNCTION":
		note(s.functions, rest)
	case "PAPI_EVENT":
		note(s.counterNames, rest)
	}
	return nil
}

// note enters the name of a number.
func note(names map[int32]string, rest string) {
	if id, name, _, ok := identified(rest, false); ok && len(names) < mostNames {
		names[id] = name
	}
}

// identified splits a text into a number, a name and the rest. A name without quotes extends to the end, or to the last word if followed is set.
func identified(rest string, followed bool) (id int32, name, after string, ok bool) {
	number, rest, _ := strings.Cut(rest, " ")
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		return 0, "", "", false
	}
	id = int32(n)
	rest = strings.TrimSpace(rest)
	if end := strings.LastIndexByte(rest, '"'); end > 0 && rest[0] == '"' {
		return id, rest[1:end], strings.TrimSpace(rest[end+1:]), true
	}
	if followed {
		name, after, ok = lastWord(rest)
		return id, name, after, ok
	}
	return id, rest, "", true
}

// lastWord splits off the last word.
func lastWord(s string) (before, word string, ok bool) {
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return s, "", false
	}
	return strings.TrimSpace(s[:i]), s[i+1:], true
}

func unquoted(s string) string { return strings.Trim(strings.TrimSpace(s), `"`) }

// short returns the name of an entry method without its parameters.
func (e entry) short() string {
	name, _, _ := strings.Cut(e.name, "(")
	return strings.TrimSpace(name)
}

// migrates reports whether an entry method is a constructor for chares that come from another PE, which each class has beside its own.
func (e entry) migrates() bool { return strings.Contains(e.name, "(CkMigrateMessage") }

// overloaded returns the names of entry methods that several of one chare have.
func (s *symbols) overloaded() map[entry]bool {
	seen, twice := map[entry]bool{}, map[entry]bool{}
	for _, e := range s.entries {
		if e.migrates() {
			continue
		}
		e.name = e.short()
		if seen[e] {
			twice[e] = true
		}
		seen[e] = true
	}
	return twice
}

// fullName returns the name of an entry method: Chare::method, with its parameters if the chare has others of this name.
func (s *symbols) fullName(id int32, twice map[entry]bool) string {
	e, ok := s.entries[id]
	if !ok {
		return fmt.Sprintf("entry %d", id)
	}
	short := e.short()
	if short == threadEntry || s.chares[e.chare].name == "" {
		return short
	}
	of := e
	of.name = short
	if twice[of] || e.migrates() {
		short = e.name
	}
	return s.chares[e.chare].name + "::" + short
}
