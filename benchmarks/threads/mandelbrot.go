package threads

import (
	"fmt"

	"whorl/dts"
)

// A Row is a row of the picture.
type Row struct{ Y, Width, Height, Most int64 }

// Counts are the number of points of a row that stay within the circle, and the number of steps of all its points.
type Counts struct{ Inside, Steps int64 }

// one is 1 in fixed point. Integers give the same picture on every processor.
const one = 1 << 28

// Mandelbrot counts the points of the Mandelbrot set in a picture, with a thread for each row. Rows through the set take much longer.
func Mandelbrot(e *Env) Program {
	row := dts.Register(e.Funcs, "row", func(w *dts.Worker, r Row) (c Counts) {
		for x := range r.Width {
			steps := Escape(x, r.Y, r.Width, r.Height, r.Most)
			if steps == r.Most {
				c.Inside++
			}
			c.Steps += steps
		}
		e.spend(w, 12*c.Steps)
		return c
	})

	return e.program(func(w *dts.Worker, p []int64) string {
		width, height, most := p[0], p[1], p[2]
		rows := make([]dts.Handle[Counts], height)
		for y := range rows {
			rows[y] = row.Fork(w, Row{int64(y), width, height, most})
		}
		var all Counts
		for _, h := range rows {
			c := h.Join(w)
			all.Inside += c.Inside
			all.Steps += c.Steps
		}
		return fmt.Sprintf("%d of %d points inside, %d steps", all.Inside, width*height, all.Steps)
	}, nil)
}

// Point returns the complex number of a point of the picture, in fixed point: from -2 to 1 and from -1.25 to 1.25, symmetric to the real axis.
func Point(x, y, width, height int64) (re, im int64) {
	return -2*one + 3*one*(2*x+1)/(2*width), one * 5 * (2*y + 1 - height) / (4 * height)
}

// Escape returns how many steps of z = z² + c a point stays within the circle of radius 2, at most most.
func Escape(x, y, width, height, most int64) int64 {
	re, im := Point(x, y, width, height)
	a, b := int64(0), int64(0)
	for n := range most {
		a2, b2 := a*a/one, b*b/one
		if a2+b2 > 4*one {
			return n
		}
		a, b = a2-b2+re, 2*a*b/one+im
	}
	return most
}
