package perf

import (
	"strconv"
	"strings"
)

// A header is the first line of a record: comm pid/tid [cpu] time: period event: and the rest. The fields depend on the -F option of perf script.
// ftrace and trace-cmd write comm-tid [cpu] flags time: event: and the rest.
type header struct {
	comm     string
	pid, tid int64 // -1 for none
	cpu      int64 // -1 for none
	time     int64 // ns
	timed    bool
	period   int64 // 0 for none
	event    string
	flags    string // of ftrace, "" for none
	rest     string
}

// A word is a word of a line with its position.
type word struct{ from, to int }

const mostWords = 64 // examined in a header; names of threads have at most 15 characters

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// next returns the word of a line that follows a position. It is empty at the end.
func next(line string, at int) word {
	for at < len(line) && blank(line[at]) {
		at++
	}
	from := at
	for at < len(line) && !blank(line[at]) {
		at++
	}
	return word{from, at}
}

// parseHeader parses the first line of a record. A header without a time must not be indented.
func parseHeader(line string) (h header, ok bool) {
	h.pid, h.tid, h.cpu = -1, -1, -1
	var few [mostWords]word
	n, at := 0, -1
	for w := next(line, 0); w.from < w.to && n < mostWords; w = next(line, w.to) {
		few[n] = w
		n++
		if n == 1 {
			continue
		}
		if h.time, h.timed = clock(line[w.from:w.to]); h.timed {
			at = n - 1
			break
		}
	}
	text := func(i int) string { return line[few[i].from:few[i].to] }
	if at < 0 && (line == "" || blank(line[0])) {
		return h, false
	}
	end := at // the words before the time name the thread, those after it the event
	if at < 0 {
		end = n
	}
	who := -1
	for i := end - 1; i > 0 && who < 0; i-- {
		if pid, tid, isWho := ids(text(i)); isWho {
			who, h.pid, h.tid = i, pid, tid
			if at < 0 && i+1 < end && strings.HasSuffix(text(i+1), ":") && i > 1 { // the period
				if pid, tid, isWho := ids(text(i - 1)); isWho {
					who, h.pid, h.tid = i-1, pid, tid
				} else if _, isCPU := inBrackets(text(i - 1)); isCPU && i > 2 {
					if pid, tid, isWho := ids(text(i - 2)); isWho {
						who, h.pid, h.tid = i-2, pid, tid
					}
				}
			}
		}
	}
	switch {
	case who >= 0:
		h.comm = strings.TrimSpace(line[:few[who].from])
	case at > 0:
		if who = h.traced(line, few[:at]); who < 0 {
			return h, false
		}
	default:
		return h, false
	}
	if who+1 < n {
		if cpu, isCPU := inBrackets(text(who + 1)); isCPU {
			h.cpu = cpu
		}
	}
	w := few[n-1] // before the event
	if at < 0 {
		if w = few[who]; h.cpu >= 0 {
			w = few[who+1]
		}
	}
	w = next(line, w.to)
	if p, err := strconv.ParseInt(line[w.from:w.to], 10, 64); err == nil {
		h.period = p
		w = next(line, w.to)
	}
	if event, isEvent := strings.CutSuffix(line[w.from:w.to], ":"); isEvent && event != "" {
		h.event = event
		w = next(line, w.to)
	}
	h.rest = strings.TrimRight(line[w.from:], " \t\r")
	return h, at >= 0 || h.rest == ""
}

// traced finds comm-tid, the CPU and flags among the words before the time of a line of ftrace. It returns the number of the word before the CPU, -1 for none.
func (h *header) traced(line string, ws []word) int {
	for i := len(ws) - 1; i > 0; i-- {
		if _, isCPU := inBrackets(line[ws[i].from:ws[i].to]); !isCPU {
			continue
		}
		if i+1 < len(ws) {
			h.flags = line[ws[i+1].from:ws[i+1].to]
		}
		name := strings.TrimSpace(line[:ws[i].from])
		if at := strings.LastIndexByte(name, '('); at > 0 && strings.HasSuffix(name, ")") { // the number of the process, or hyphens
			if pid, ok := id(strings.TrimSpace(name[at+1 : len(name)-1])); ok {
				h.pid = pid
			}
			name = strings.TrimSpace(name[:at])
		}
		at := strings.LastIndexByte(name, '-')
		if at < 0 {
			return -1
		}
		tid, ok := id(name[at+1:])
		if !ok {
			return -1
		}
		h.comm, h.tid = name[:at], tid
		return i - 1
	}
	return -1
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
