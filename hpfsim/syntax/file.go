package syntax

import (
	"slices"
	"strings"

	"whorl/internal/nearest"
)

// specifiers lists the controls of each statement of input and output.
var specifiers = map[string]string{
	"READ":      "UNIT FMT NML REC POS IOSTAT IOMSG END ERR EOR SIZE ADVANCE BLANK PAD DECIMAL ROUND",
	"WRITE":     "UNIT FMT NML REC POS IOSTAT IOMSG ERR END EOR SIZE ADVANCE DELIM SIGN DECIMAL ROUND",
	"OPEN":      "UNIT NEWUNIT FILE STATUS ACCESS FORM RECL POSITION ACTION BLANK DELIM PAD SIGN DECIMAL ROUND ENCODING CONVERT IOSTAT IOMSG ERR",
	"CLOSE":     "UNIT STATUS IOSTAT IOMSG ERR",
	"REWIND":    "UNIT IOSTAT IOMSG ERR",
	"BACKSPACE": "UNIT IOSTAT IOMSG ERR",
	"ENDFILE":   "UNIT IOSTAT IOMSG ERR",
	"FLUSH":     "UNIT IOSTAT IOMSG ERR",
	"INQUIRE": "UNIT FILE EXIST OPENED NUMBER NAMED NAME ACCESS SEQUENTIAL DIRECT STREAM FORM FORMATTED UNFORMATTED RECL NEXTREC POS SIZE BLANK POSITION " +
		"ACTION READ WRITE READWRITE DELIM PAD SIGN DECIMAL ROUND ENCODING IOLENGTH IOSTAT IOMSG ERR",
}

// specifiers reads the controls in parentheses of a statement. own reads the value of a control by its key and its place,
// or returns false for those that are plain expressions, which are returned.
func (p *parser) specifiers(op string, own func(key string, n int) bool) []Specifier {
	known := strings.Fields(specifiers[op])
	p.expect("(", "instead of the controls of "+op)
	var out []Specifier
	seen := map[string]bool{}
	for n := 0; ; n++ {
		pos, from := p.pos(), p.i
		key := ""
		if p.controlAhead() {
			key = p.scanName()
			p.i++
		}
		switch {
		case key != "" && !slices.Contains(known, key):
			p.fail(from, nearest.Suggest("one of "+strings.Join(known, " "), nearest.Names(key, known)), "%s= does not belong to %s", key, op)
		case key != "" && seen[key]:
			p.fail(from, "each control once", "%s= is given twice", key)
		}
		if key == "" && n < len(known) {
			seen[known[n]] = true // UNIT, FMT
		}
		seen[key] = true
		if !own(key, n) {
			if key == "" {
				p.unexpected("KEY=value with one of "+strings.Join(known, " "), "in the controls of "+op)
			}
			out = append(out, Specifier{Name{key, pos}, p.expr()})
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "in the controls of "+op)
	return out
}

// unitRef reads a unit: an expression, or *, which it returns as nil.
func (p *parser) unitRef() Expr {
	if p.accept("*") {
		return nil
	}
	return p.expr()
}

// fileStmt reads a statement about a unit or a file, after its keyword.
func (p *parser) fileStmt(h Head, op string) Stmt {
	s := &FileStmt{Head: h, Op: op}
	if !p.is("(") && op != "OPEN" && op != "CLOSE" && op != "INQUIRE" {
		if !p.done() || op != "FLUSH" {
			s.Unit = p.expr()
		}
		p.finish()
		return s
	}
	s.Specs = p.specifiers(op, func(key string, n int) bool {
		switch {
		case key == "UNIT" || key == "" && n == 0:
			s.Unit = p.unitRef()
		case key == "ERR":
			s.Err = p.labelRef()
		default:
			return false
		}
		return true
	})
	if op == "INQUIRE" && !p.done() {
		s.Items = p.items()
	}
	p.finish()
	return s
}
