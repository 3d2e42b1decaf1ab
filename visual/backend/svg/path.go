package svg

// pen writes path data in relative coordinates.
type pen struct {
	b    []byte
	x, y int  // current point, in hundredths
	cmd  byte // the last command, which need not be repeated
	x0   int  // start of the contour
	y0   int
}

// pair writes a command with two numbers, without the letter if it repeats the last command.
func (p *pen) pair(cmd byte, x, y int) {
	p.command(cmd)
	p.arg(x)
	p.arg(y)
}

func (p *pen) command(cmd byte) {
	if p.cmd != cmd {
		p.b = append(p.b, cmd)
		p.cmd = cmd
	}
}

// arg writes a number, separated by a blank where necessary.
func (p *pen) arg(v int) {
	if n := len(p.b); n > 0 && p.b[n-1] >= '0' && p.b[n-1] <= '9' && v >= 0 {
		p.b = append(p.b, ' ')
	}
	p.b = appendNumber(p.b, v)
}

func (p *pen) move(x, y int) {
	if len(p.b) == 0 {
		p.pair('M', x, y)
	} else {
		p.pair('m', x-p.x, y-p.y)
	}
	p.x, p.y, p.x0, p.y0 = x, y, x, y
}

// line draws a line to (x, y), unless the pen is there already.
func (p *pen) line(x, y int) {
	dx, dy := x-p.x, y-p.y
	switch {
	case dx == 0 && dy == 0:
		return
	case dy == 0:
		p.command('h')
		p.arg(dx)
	case dx == 0:
		p.command('v')
		p.arg(dy)
	default:
		p.pair('l', dx, dy)
	}
	p.x, p.y = x, y
}

// dot draws a line of no length.
func (p *pen) dot() {
	p.command('h')
	p.arg(0)
}

// arc draws the shorter arc of a circle to (x, y).
func (p *pen) arc(r int, clockwise bool, x, y int) {
	p.command('a')
	p.arg(r)
	p.arg(r)
	p.arg(0)
	p.arg(0)
	if clockwise {
		p.arg(100)
	} else {
		p.arg(0)
	}
	p.arg(x - p.x)
	p.arg(y - p.y)
	p.x, p.y = x, y
}

func (p *pen) close() {
	p.b = append(p.b, 'z')
	p.cmd = 'z'
	p.x, p.y = p.x0, p.y0
}

// points writes a contour.
func (p *pen) points(f []float32, closed bool) {
	for i := 0; i+1 < len(f); i += 2 {
		x, y := coord(f[i]), coord(f[i+1])
		if i == 0 {
			p.move(x, y)
		} else {
			p.line(x, y)
		}
	}
	if closed && len(f) > 0 {
		p.close()
	}
}

// box writes the path data of a rectangle.
func (d *document) box(x0, y0, x1, y1 int) {
	p := pen{}
	p.move(x0, y0)
	p.command('h')
	p.arg(x1 - x0)
	p.command('v')
	p.arg(y1 - y0)
	p.command('h')
	p.arg(x0 - x1)
	p.close()
	d.b = append(d.b, p.b...)
}
