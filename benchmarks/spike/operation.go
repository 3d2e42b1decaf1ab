package spike

import "fmt"

// An operation is an operation of a hot procedure on one array with another array.
type operation struct {
	kind     kind
	to, from int
	p        float64 // weight of the other array, a multiple of 1/8
}

// A kind is the kind of an operation.
type kind uint8

const (
	mix    kind = iota // element by element, as an array assignment
	loop               // the same in a loop
	shift              // with the previous element of the other array
	level              // subtracts the array's own mean
	remark             // a comment or an empty line
	kinds
)

// text returns the operation in HPF. Except for remarks, the machine executes all of its lines.
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

// apply executes the operation. The conversions keep Go from fusing products and sums, which would round differently.
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
