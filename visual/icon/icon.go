// Package icon draws the icons of buttons, menus and tabs with lines on a grid of 16 by 16.
package icon

import "whorl/visual/scene"

// An Icon names an icon. The zero value is None.
type Icon uint8

// The icons.
const (
	None Icon = iota
	Play
	Pause
	Stop
	Step
	Back
	Plus
	Minus
	Close
	Check
	Down
	Up
	Left
	Right
	Menu
	More
	Fit
	Search
	Open
	Save
	Undo
	Redo
	Reload
	Settings
	Moon
	Columns
	Rows
	Duplicate
	Grid
	Detach
	Pencil
	Note
	Trash
	Help
	Info
	Warning
	Failure
	Compare
	Link
	Table
	Code
	Chart
	Wheel
	Sound
	Fork
	Peaks
	Nest
	Steps
	Filter
	Flame
	People
	Hand
	Bodies
	Count = iota
)

// A stroke is a line of an icon, or a filled polygon. A circle is given by its centre and radius.
type stroke struct {
	points []float32
	closed bool
	fill   bool
	circle bool
}

func line(p ...float32) stroke  { return stroke{points: p} }
func loop(p ...float32) stroke  { return stroke{points: p, closed: true} }
func solid(p ...float32) stroke { return stroke{points: p, fill: true} }
func ring(p ...float32) stroke  { return stroke{points: p, circle: true} }
func dot(p ...float32) stroke   { return stroke{points: p, circle: true, fill: true} }

var shapes = [Count][]stroke{
	Play:      {solid(4.5, 2.5, 13.5, 8, 4.5, 13.5)},
	Pause:     {solid(4, 3, 6.5, 3, 6.5, 13, 4, 13), solid(9.5, 3, 12, 3, 12, 13, 9.5, 13)},
	Stop:      {solid(3.5, 3.5, 12.5, 3.5, 12.5, 12.5, 3.5, 12.5)},
	Step:      {solid(3, 3, 10, 8, 3, 13), solid(11, 3, 13, 3, 13, 13, 11, 13)},
	Back:      {solid(13, 3, 6, 8, 13, 13), solid(3, 3, 5, 3, 5, 13, 3, 13)},
	Plus:      {line(8, 3, 8, 13), line(3, 8, 13, 8)},
	Minus:     {line(3, 8, 13, 8)},
	Close:     {line(4.5, 4.5, 11.5, 11.5), line(11.5, 4.5, 4.5, 11.5)},
	Check:     {line(3, 8.5, 6.5, 12, 13, 4.5)},
	Down:      {line(4.5, 6.5, 8, 10, 11.5, 6.5)},
	Up:        {line(4.5, 9.5, 8, 6, 11.5, 9.5)},
	Left:      {line(9.5, 4.5, 6, 8, 9.5, 11.5)},
	Right:     {line(6.5, 4.5, 10, 8, 6.5, 11.5)},
	Menu:      {line(2.5, 4, 13.5, 4), line(2.5, 8, 13.5, 8), line(2.5, 12, 13.5, 12)},
	More:      {dot(3.5, 8, 1.2), dot(8, 8, 1.2), dot(12.5, 8, 1.2)},
	Fit:       {line(2.5, 6, 2.5, 2.5, 6, 2.5), line(10, 2.5, 13.5, 2.5, 13.5, 6), line(13.5, 10, 13.5, 13.5, 10, 13.5), line(6, 13.5, 2.5, 13.5, 2.5, 10)},
	Search:    {ring(7, 7, 4.5), line(10.4, 10.4, 14, 14)},
	Open:      {line(2.5, 13, 2.5, 3, 6.5, 3, 8, 5, 12.5, 5, 12.5, 7), loop(2.5, 13, 4.5, 7, 14.5, 7, 12.5, 13)},
	Save:      {loop(2.5, 2.5, 11, 2.5, 13.5, 5, 13.5, 13.5, 2.5, 13.5), line(5, 2.5, 5, 6, 10, 6, 10, 2.5), line(4.5, 13.5, 4.5, 9.5, 11.5, 9.5, 11.5, 13.5)},
	Undo:      {line(6, 3, 2.5, 6.5, 6, 10), line(2.5, 6.5, 10, 6.5, 12.5, 7.6, 13.5, 9.75, 12.5, 11.9, 10, 13, 7, 13)},
	Redo:      {line(10, 3, 13.5, 6.5, 10, 10), line(13.5, 6.5, 6, 6.5, 3.5, 7.6, 2.5, 9.75, 3.5, 11.9, 6, 13, 9, 13)},
	Reload:    {line(13, 8, 12.3, 10.5, 10.5, 12.3, 8, 13, 5.5, 12.3, 3.7, 10.5, 3, 8, 3.7, 5.5, 5.5, 3.7, 8, 3, 10.5, 3.7, 12.5, 5.6), line(13, 2.5, 13, 6, 9.5, 6)},
	Settings:  {line(2.5, 4.5, 8, 4.5), line(12, 4.5, 13.5, 4.5), ring(10, 4.5, 1.8), line(2.5, 11.5, 4, 11.5), line(8, 11.5, 13.5, 11.5), ring(6, 11.5, 1.8)},
	Moon:      {loop(6.5, 2.5, 5.2, 5, 5.4, 7.6, 6.9, 9.7, 9.3, 10.9, 11.8, 10.7, 13.5, 9.7, 12.4, 11.9, 10.4, 13.3, 7.8, 13.6, 5.2, 12.7, 3.3, 10.8, 2.5, 8.2, 2.9, 5.6, 4.3, 3.6)},
	Columns:   {loop(2.5, 3, 13.5, 3, 13.5, 13, 2.5, 13), line(8, 3, 8, 13)},
	Rows:      {loop(2.5, 3, 13.5, 3, 13.5, 13, 2.5, 13), line(2.5, 8, 13.5, 8)},
	Detach:    {line(7, 3.5, 2.5, 3.5, 2.5, 13.5, 12.5, 13.5, 12.5, 9), line(9.5, 2.5, 13.5, 2.5, 13.5, 6.5), line(13.5, 2.5, 7.5, 8.5)},
	Grid:      {loop(2.5, 2.5, 7, 2.5, 7, 7, 2.5, 7), loop(9, 2.5, 13.5, 2.5, 13.5, 7, 9, 7), loop(2.5, 9, 7, 9, 7, 13.5, 2.5, 13.5), loop(9, 9, 13.5, 9, 13.5, 13.5, 9, 13.5)},
	Duplicate: {loop(2.5, 2.5, 10, 2.5, 10, 10, 2.5, 10), line(10, 5.5, 13.5, 5.5, 13.5, 13.5, 5.5, 13.5, 5.5, 10)},
	Pencil:    {loop(2.5, 13.5, 3.3, 10.2, 10.5, 3, 13, 5.5, 5.8, 12.7), line(8.8, 4.7, 11.3, 7.2)},
	Note:      {loop(2.5, 3, 13.5, 3, 13.5, 11, 8, 11, 5, 13.8, 5, 11, 2.5, 11), line(5.5, 6, 10.5, 6), line(5.5, 8.2, 9, 8.2)},
	Trash:     {line(2.5, 4.5, 13.5, 4.5), line(6, 4.5, 6, 2.5, 10, 2.5, 10, 4.5), line(4, 4.5, 4.6, 13.5, 11.4, 13.5, 12, 4.5), line(6.8, 7, 6.8, 11), line(9.2, 7, 9.2, 11)},
	Help:      {ring(8, 8, 6), line(6, 6.5, 6.4, 5.3, 7.4, 4.6, 8.7, 4.6, 9.7, 5.3, 10, 6.4, 9.4, 7.5, 8.4, 8.2, 8, 9.2), dot(8, 11.4, 0.9)},
	Info:      {ring(8, 8, 6), line(8, 7.5, 8, 11.2), dot(8, 5, 0.95)},
	Warning:   {loop(8, 2.2, 14.2, 13.3, 1.8, 13.3), line(8, 6.4, 8, 9.4), dot(8, 11.4, 0.9)},
	Failure:   {ring(8, 8, 6), line(8, 4.6, 8, 8.8), dot(8, 11.2, 0.95)},
	Compare:   {loop(2, 4, 6.5, 4, 6.5, 12, 2, 12), loop(9.5, 4, 14, 4, 14, 12, 9.5, 12), line(8, 2, 8, 14)},
	Flame:     {solid(2, 11, 14, 11, 14, 13.5, 2, 13.5), solid(2, 7, 9.5, 7, 9.5, 9.7, 2, 9.7), solid(11, 7, 14, 7, 14, 9.7, 11, 9.7), solid(4, 3, 8, 3, 8, 5.7, 4, 5.7)},
	Filter:    {loop(2.5, 3, 13.5, 3, 9.5, 8, 9.5, 13, 6.5, 11.5, 6.5, 8)},
	Link:      {ring(4.8, 8, 2.6), ring(11.2, 8, 2.6), line(6.2, 8, 9.8, 8)},
	Table:     {loop(2.5, 3, 13.5, 3, 13.5, 13, 2.5, 13), line(2.5, 6.5, 13.5, 6.5), line(6.5, 6.5, 6.5, 13)},
	Code:      {line(5.5, 4.5, 2, 8, 5.5, 11.5), line(10.5, 4.5, 14, 8, 10.5, 11.5), line(9, 3.5, 7, 12.5)},
	Chart:     {line(2.5, 2.5, 2.5, 13.5, 13.5, 13.5), line(5, 10.5, 7.5, 6.5, 10, 8.5, 13, 3.5)},
	Wheel:     {ring(8, 8, 6), ring(8, 8, 2.2), line(8, 2, 8, 5.8), line(2.8, 11, 6.1, 9.1), line(13.2, 11, 9.9, 9.1)},
	Fork:      {line(8, 2, 8, 14), line(8, 4.5, 3, 4.5, 3, 11.5, 8, 11.5), line(8, 6.5, 12.5, 6.5, 12.5, 9.5, 8, 9.5)},
	Peaks:     {line(2, 13.5, 6, 4.5, 8.5, 9.5, 10.5, 6.5, 14, 13.5), line(2, 13.5, 14, 13.5)},
	Nest:      {loop(2.5, 2.5, 13.5, 2.5, 13.5, 13.5, 2.5, 13.5), loop(5, 5, 11.5, 5, 11.5, 10.5, 5, 10.5), line(7, 7.8, 9.5, 7.8)},
	Steps:     {solid(2, 2.5, 8, 2.5, 8, 5, 2, 5), solid(8, 6.7, 11, 6.7, 11, 9.2, 8, 9.2), solid(11, 11, 14, 11, 14, 13.5, 11, 13.5)},
	People:    {ring(5.5, 5, 2.3), line(1.5, 13, 1.5, 11.5, 3, 9.6, 5.5, 9, 8, 9.6, 9.5, 11.5, 9.5, 13), ring(11, 5.6, 1.8), line(10.6, 9.3, 12.6, 9.5, 14.3, 11.2, 14.5, 13)},
	Hand:      {line(5, 8.5, 5, 4, 5, 9), line(7, 8, 7, 2.5), line(9, 8, 9, 2.8), line(11, 8.5, 11, 4), line(11, 4, 11, 10.5, 9.5, 13.5, 6, 13.5, 2.5, 9, 3.3, 8.2, 5, 9.6, 5, 4)},
	Bodies:    {line(4, 11.5, 11, 9.5), line(4, 11.5, 6.5, 4.5), dot(4, 11.5, 2.6), dot(11.5, 9.5, 2), dot(6.5, 4, 1.6)},
	Sound:     {solid(2, 6, 4.5, 6, 8, 3, 8, 13, 4.5, 10, 2, 10), line(10.3, 5.8, 11.2, 8, 10.3, 10.2), line(12.2, 3.9, 13.8, 8, 12.2, 12.1)},
}

// Draw draws an icon into a square with its top left corner at x, y.
func Draw(out *scene.List, i Icon, x, y, side float32, col scene.Color) {
	if int(i) >= len(shapes) {
		return
	}
	k := side / 16
	width := max(1.4*k, 1)
	var buf [32]float32
	for _, s := range shapes[i] {
		if s.circle {
			cx, cy, radius := x+s.points[0]*k, y+s.points[1]*k, s.points[2]*k
			if s.fill {
				out.Circle(cx, cy, radius, col)
			} else {
				out.Ring(cx, cy, radius, width, col)
			}
			continue
		}
		p := buf[:0]
		for i, v := range s.points {
			origin := x
			if i&1 == 1 {
				origin = y
			}
			p = append(p, origin+v*k)
		}
		if s.fill {
			out.Polygon(p, scene.NonZero, col)
		} else {
			out.Polyline(p, scene.Stroke{Width: width, Color: col, Join: scene.RoundJoin, Cap: scene.RoundCap, Closed: s.closed})
		}
	}
}
