package spike

import "fmt"

// An operation is what a hot procedure does to one array with another one.
type operation struct {
	kind     kind
	to, from int
	p        float64 // how much of the new value is that of the other array: eighths
}

// A kind is what an operation does.
type kind uint8

const (
	mix    kind = iota // element by element, as a whole
	loop               // the same in a loop
	shift              // with the element before, of the other array
	level              // less its own mean
	remark             // nothing: a comment or an empty line
	kinds
)

// text is the operation in HPF: as many lines as the machine executes, but for remarks.
func (o operation) text() []string {
	x, y := names[o.to], names[o.from]
	switch o.kind {
	case mix:
		return []string{fmt.Sprintf("%c = %g * %c + %g * %c", x, 1-o.p, x, o.p, y)}
	case loop:
		return []string{"do i = 1, n", fmt.Sprintf("  %c(i) = %g * %c(i) + %g * %c(i)", x, 1-o.p, x, o.p, y), "end do"}
	case shift:
		return []string{fmt.Sprintf("%c(2:n) = %g * %c(2:n) + %g * %c(1:n-1)", x, 1-o.p, x, o.p, y)}
	case level:
		return []string{fmt.Sprintf("s = sum(%c) / n", x), fmt.Sprintf("%c = %c + %g * (%g - s)", x, x, o.p, o.p)}
	}
	if o.from%2 == 0 {
		return []string{""}
	}
	return []string{fmt.Sprintf("! now %c and %c", x, y)}
}

// A state is the values of the arrays.
type state [arrays][elements]float64

func (s *state) begin() {
	for k := range s {
		for i := range s[k] {
			s[k][i] = float64((2*k+3)*(i+1)%(7+4*k)) / float64(7+4*k)
		}
	}
}

func (s *state) sums() (sums [arrays]float64) {
	for k := range s {
		for _, x := range s[k] {
			sums[k] += x
		}
	}
	return sums
}

// apply carries the operation out. The conversions keep Go from joining a product and a sum, which would round differently.
func (o operation) apply(s *state) {
	x, y := &s[o.to], &s[o.from]
	switch o.kind {
	case mix, loop:
		for i := range x {
			x[i] = float64((1-o.p)*x[i]) + float64(o.p*y[i])
		}
	case shift:
		for i := 1; i < elements; i++ {
			x[i] = float64((1-o.p)*x[i]) + float64(o.p*y[i-1])
		}
	case level:
		mean := s.sums()[o.to] / elements
		for i := range x {
			x[i] += float64(o.p * (o.p - mean))
		}
	}
}
