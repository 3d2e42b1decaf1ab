package syntax

import "strings"

// A formatReader reads format specifications.
type formatReader struct {
	text []byte
	i    int
	fail func(i int, want, msg string) // reports an error at character i and does not return
}

const maxRepeat = 1 << 20

func (q *formatReader) peek() byte {
	if q.i < len(q.text) {
		return q.text[q.i]
	}
	return 0
}

// integer reads digits. It returns -1 if there are none.
func (q *formatReader) integer() int {
	if !digit(q.peek()) {
		return -1
	}
	n := 0
	for digit(q.peek()) {
		if n = n*10 + int(q.peek()-'0'); n > maxRepeat {
			q.fail(q.i, "at most 1048576", "a number that is too large")
		}
		q.i++
	}
	return n
}

// group reads ( items ).
func (q *formatReader) group(depth int) []FormatItem {
	if depth > 20 {
		q.fail(q.i, "", "groups nest more than 20 deep")
	}
	if q.peek() != '(' {
		q.fail(q.i, "(", "a format begins with a parenthesis")
	}
	q.i++
	items := []FormatItem{}
	for {
		switch c := q.peek(); c {
		case ',':
			q.i++
		case ')':
			q.i++
			return items
		case 0:
			q.fail(q.i, ")", "a format is not terminated")
		case '/', ':':
			q.i++
			items = append(items, FormatItem{Edit: c, Width: -1, Digits: -1, Exponent: -1})
		case '\'', '"':
			items = append(items, q.constant(c))
		default:
			items = append(items, q.descriptor(depth))
		}
	}
}

func (q *formatReader) constant(quote byte) FormatItem {
	from := q.i
	var out []byte
	for q.i++; q.i < len(q.text); q.i++ {
		if q.text[q.i] != quote {
			out = append(out, q.text[q.i])
		} else if q.i+1 < len(q.text) && q.text[q.i+1] == quote {
			out = append(out, quote)
			q.i++
		} else {
			q.i++
			return FormatItem{Edit: '\'', Text: string(out)}
		}
	}
	q.fail(from, string(quote), "a text is not terminated")
	return FormatItem{}
}

// unlimited is the repeat count of a group that * repeats.
const unlimited = 1 << 30

// edits reports whether edit descriptors of items are among some.
func edits(items []FormatItem) bool {
	for _, it := range items {
		if strings.IndexByte("IFEDGLAZ", it.Edit) >= 0 || edits(it.Group) {
			return true
		}
	}
	return false
}

// descriptor reads one edit descriptor with its repeat count.
func (q *formatReader) descriptor(depth int) FormatItem {
	sign := 1
	if c := q.peek(); c == '-' || c == '+' {
		q.i++
		if c == '-' {
			sign = -1
		}
	}
	n := q.integer()
	from := q.i
	c := q.peek()
	if c == '*' && n < 0 && q.i+1 < len(q.text) && q.text[q.i+1] == '(' {
		q.i++
		it := FormatItem{Edit: '(', Repeat: unlimited, Width: -1, Digits: -1, Exponent: -1, Group: q.group(depth + 1)}
		if !edits(it.Group) {
			q.fail(from, "an edit descriptor such as I0 in the group", "an unlimited group without items")
		}
		return it
	}
	if sign < 0 && (n < 0 || c != 'P') {
		q.fail(from, "a scale factor, such as -2P", "a sign without a scale factor")
	}
	it := FormatItem{Repeat: max(n, 0), Edit: c, Width: -1, Digits: -1, Exponent: -1}
	if c == '(' {
		it.Group = q.group(depth + 1)
		return it
	}
	q.i++
	switch c {
	case 'X':
		it.Repeat, it.Count = 0, max(n, 1)
	case 'P':
		it.Repeat, it.Count = 0, sign*max(n, 0)
	case 'H':
		if n <= 0 {
			q.fail(from, "its length before it", "H without a length")
		}
		q.fail(from, "a text in quotes", "H editing lost its blanks: write texts in quotes")
	case 'T':
		if s := q.peek(); s == 'L' || s == 'R' {
			it.Sub = s
			q.i++
		}
		if it.Count = q.integer(); it.Count < 0 {
			q.fail(q.i, "a column", "T without a column")
		}
	case 'B', 'S':
		switch s := q.peek(); {
		case c == 'B' && (s == 'N' || s == 'Z'), c == 'S' && (s == 'P' || s == 'S'):
			it.Sub = s
			q.i++
		case c == 'B':
			q.width(&it)
			it.Edit, it.Sub = 'Z', 'B'
		}
	case 'O', 'Z':
		q.width(&it)
		it.Edit, it.Sub = 'Z', c
	case 'E':
		if s := q.peek(); s == 'S' || s == 'N' {
			it.Sub = s
			q.i++
		}
		q.width(&it)
	case 'I', 'F', 'D', 'G', 'L', 'A':
		q.width(&it)
	default:
		want := "an edit descriptor: I F E D G L A X T P / : or a text"
		if q.i > len(q.text) || c == 0 {
			q.fail(from, ")", "a format is not terminated")
		}
		q.fail(from, want, "no edit descriptor begins with "+strings.ToUpper(string(c)))
	}
	return it
}

// width reads w[.d[Ee]].
func (q *formatReader) width(it *FormatItem) {
	it.Width = q.integer()
	if it.Width < 0 {
		if it.Edit != 'A' && it.Edit != 'L' && it.Edit != 'I' && it.Edit != 'G' {
			q.fail(q.i, "a width", string(it.Edit)+" without a width")
		}
		return
	}
	if q.peek() != '.' {
		if it.Edit == 'F' || it.Edit == 'E' || it.Edit == 'D' {
			q.fail(q.i, ". and a number of digits", string(it.Edit)+" without a number of digits")
		}
		return
	}
	q.i++
	if it.Digits = q.integer(); it.Digits < 0 {
		q.fail(q.i, "a number of digits", "a point without digits")
	}
	if q.peek() == 'E' && (it.Edit == 'E' || it.Edit == 'G') {
		q.i++
		if it.Exponent = q.integer(); it.Exponent < 0 {
			q.fail(q.i, "a number of digits", "an exponent without digits")
		}
	}
}
