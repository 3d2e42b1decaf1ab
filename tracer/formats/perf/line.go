package perf

import (
	"strconv"
	"strings"
)

// A header is the first line of a sample: comm pid/tid [cpu] time: period event: and the rest. The fields depend on the -F option of perf script.
type header struct {
	comm     string
	pid, tid int64 // -1 for none
	cpu      int64 // -1 for none
	time     int64 // ns
	timed    bool
	period   int64 // 0 for none
	event    string
	rest     string
}

// A word is a word of a line with its position.
type word struct {
	text     string
	from, to int
}

func words(line string) (all []word) {
	for i := 0; i < len(line); {
		if blank(line[i]) {
			i++
			continue
		}
		from := i
		for i < len(line) && !blank(line[i]) {
			i++
		}
		if all = append(all, word{line[from:i], from, i}); len(all) == mostWords {
			break
		}
	}
	return all
}

const mostWords = 64 // examined in a header; names of threads have at most 15 characters

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// parseHeader parses the first line of a sample. A header without a time must not be indented.
func parseHeader(line string) (h header, ok bool) {
	h.pid, h.tid, h.cpu = -1, -1, -1
	ws := words(line)
	at := -1
	for i, w := range ws {
		if i > 0 {
			if h.time, h.timed = clock(w.text); h.timed {
				at = i
				break
			}
		}
	}
	end := at // the words before the time name the thread, those after it the event
	if at < 0 {
		if line == "" || blank(line[0]) {
			return h, false
		}
		end = len(ws)
	}
	who := -1
	for i := end - 1; i > 0; i-- {
		if pid, tid, isWho := ids(ws[i].text); isWho {
			who, h.pid, h.tid = i, pid, tid
			if at < 0 && i+1 < end && strings.HasSuffix(ws[i+1].text, ":") && i > 1 { // the period
				if pid, tid, isWho := ids(ws[i-1].text); isWho {
					who, h.pid, h.tid = i-1, pid, tid
				} else if _, isCPU := inBrackets(ws[i-1].text); isCPU && i > 2 {
					if pid, tid, isWho := ids(ws[i-2].text); isWho {
						who, h.pid, h.tid = i-2, pid, tid
					}
				}
			}
			break
		}
	}
	if who < 0 {
		return h, false
	}
	h.comm = strings.TrimSpace(line[:ws[who].from])
	i := who + 1
	if i < len(ws) {
		if cpu, isCPU := inBrackets(ws[i].text); isCPU {
			h.cpu = cpu
			i++
		}
	}
	if at >= 0 {
		i = at + 1
	}
	if i < len(ws) {
		if n, err := strconv.ParseInt(ws[i].text, 10, 64); err == nil {
			h.period = n
			i++
		}
	}
	if i < len(ws) {
		if event, isEvent := strings.CutSuffix(ws[i].text, ":"); isEvent && event != "" {
			h.event = event
			i++
		}
	}
	if i < len(ws) {
		h.rest = strings.TrimRight(line[ws[i].from:], " \t\r")
	}
	return h, at >= 0 || h.rest == ""
}

// clock parses the time of a sample, seconds with a fraction and a colon, and returns it in ns.
func clock(s string) (ns int64, ok bool) {
	s, ok = strings.CutSuffix(s, ":")
	whole, part, dot := strings.Cut(s, ".")
	if !ok || !dot || part == "" || len(part) > 9 || !digits(part) || !digits(whole) {
		return 0, false
	}
	sec, err := strconv.ParseInt(whole, 10, 34) // 272 years
	if err != nil {
		return 0, false
	}
	n, _ := strconv.ParseInt((part + "000000000")[:9], 10, 64)
	return sec*1e9 + n, true
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// ids parses pid/tid, or a single number, which is the tid.
func ids(s string) (pid, tid int64, ok bool) {
	a, b, both := strings.Cut(s, "/")
	if tid, ok = id(a); ok && !both {
		return -1, tid, true
	}
	pid = tid
	tid, isB := id(b)
	return pid, tid, ok && isB
}

func id(s string) (int64, bool) {
	if s == "-1" {
		return -1, true
	}
	n, err := strconv.ParseInt(s, 10, 32)
	return n, err == nil && digits(s)
}

// inBrackets parses a number in brackets, as in [003].
func inBrackets(s string) (int64, bool) {
	if len(s) < 3 || s[0] != '[' || s[len(s)-1] != ']' {
		return 0, false
	}
	return id(s[1 : len(s)-1])
}

// A frame is a line of a stack: address symbol+offset (module).
type frame struct {
	address uint64
	symbol  string // "" for none
	offset  uint64
	module  string // "" for none
	inlined bool
	file    string
	line    int32
}

// parseFrame parses a line of a stack.
func parseFrame(line string) (f frame, ok bool) {
	line = strings.Trim(line, " \t\r")
	hex, rest, _ := strings.Cut(line, " ")
	hex = strings.TrimPrefix(hex, "0x")
	f.address, ok = address(hex)
	if !ok {
		return f, false
	}
	rest = strings.TrimSpace(rest)
	if at := lastGroup(rest); at >= 0 {
		f.module, rest = rest[at+1:len(rest)-1], strings.TrimSpace(rest[:at])
	}
	if f.module == "inlined" {
		f.inlined, f.module = true, ""
	}
	f.module = strings.TrimSuffix(f.module, " (deleted)")
	if f.module == unknown {
		f.module = ""
	}
	if at := strings.LastIndex(rest, "+0x"); at > 0 {
		if n, err := strconv.ParseUint(rest[at+3:], 16, 64); err == nil {
			rest, f.offset = rest[:at], n
		}
	}
	if rest != unknown {
		f.symbol = rest
	}
	return f, true
}

const unknown = "[unknown]"

func address(hex string) (uint64, bool) {
	if hex == "" || len(hex) > 16 {
		return 0, false
	}
	n, err := strconv.ParseUint(hex, 16, 64)
	return n, err == nil && hex[0] != '+'
}

// lastGroup returns the index of the parenthesized group that ends s. The group must follow a blank or begin s. It returns -1 for none.
func lastGroup(s string) int {
	if !strings.HasSuffix(s, ")") {
		return -1
	}
	depth := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				if i == 0 || s[i-1] == ' ' || s[i-1] == '\t' {
					return i
				}
				return -1
			}
		}
	}
	return -1
}

// sourceLine parses file:line, which perf writes below a line of the stack, and ignores the rest of the line.
func sourceLine(line string) (file string, n int32, ok bool) {
	line, _, _ = strings.Cut(strings.Trim(line, " \t\r"), " (")
	at := strings.LastIndexByte(line, ':')
	if at <= 0 {
		return "", 0, false
	}
	k, err := strconv.ParseInt(line[at+1:], 10, 32)
	if err != nil || k < 0 || strings.HasPrefix(line, "??") {
		return "", 0, err == nil && k >= 0
	}
	return line[:at], int32(k), true
}
