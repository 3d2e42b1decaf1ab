package syntax

// endings lists the statements that end a block or a part of one. A text that begins another one comes after it.
var endings = []struct{ text, is string }{
	{"END DO", "ENDDO"},
	{"ELSE WHERE", "ELSEWHERE"},
	{"ELSE IF", "ELSEIF"},
	{"ELSE", "ELSE"},
	{"END IF", "ENDIF"},
	{"END SELECT", "ENDSELECT"},
	{"CASE", "CASE"},
	{"END WHERE", "ENDWHERE"},
	{"END FORALL", "ENDFORALL"},
	{"END ON", "ENDON"}, // a directive
	{"END INTERFACE", "ENDINTERFACE"},
	{"END PROGRAM", "END"},
	{"END SUBROUTINE", "END"},
	{"END FUNCTION", "END"},
	{"END MODULE", "END"},
	{"END BLOCK DATA", "END"},
	{"END BLOCK", "ENDBLOCK"},
	{"END ASSOCIATE", "ENDASSOCIATE"},
	{"CONTAINS", "CONTAINS"},
	{"END", "END"},
}

// ending returns the kind of ending of the statement, or "" if it ends no block. It reads nothing.
func (p *parser) ending() string {
	if p.directive && string(p.text) == "ENDON" {
		return "ENDON"
	}
	if len(p.text) == 0 || p.text[0] != 'E' && p.text[0] != 'C' || p.directive {
		return ""
	}
	p.i = 0
	defer func() { p.i = 0 }()
	for _, e := range endings {
		if e.is == "ENDON" || !p.word(e.text) {
			continue
		}
		next := p.peek(0)
		switch e.is {
		case "ELSEIF", "CASE":
			if e.is == "CASE" && next != '(' && !p.is("DEFAULT") || e.is == "ELSEIF" && next != '(' {
				continue
			}
		case "ELSEWHERE":
			if next != 0 && next != '(' {
				continue
			}
		case "END", "CONTAINS", "ELSE":
			if e.text == "END" || e.text == "CONTAINS" {
				if next != 0 {
					continue
				}
			}
		}
		if next == '=' || next == '(' && p.assignment() {
			continue
		}
		return e.is
	}
	return ""
}

// spaced writes the name of an ending with blanks, as in END IF.
func spaced(end string) string {
	for _, e := range endings {
		if e.is == end && end != "END" {
			return e.text
		}
	}
	return end
}
