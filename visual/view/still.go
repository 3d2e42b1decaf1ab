package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"whorl/visual/scene"
)

// Format returns a camera in an area as text, for ParseCamera: X,Y,SCALE@WIDTHxHEIGHT, with a second scale, and the turn and the tilt, where
// they are not 0. Only the size of the area matters.
func (c Camera) Format(area scene.Rect) string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	text := number(c.X) + "," + number(c.Y) + "," + number(c.Scale)
	if c.ScaleY != 0 {
		text += "/" + number(c.ScaleY)
	}
	if c.Turn != 0 || c.Tilt != 0 {
		text += "," + number(c.Turn) + "," + number(c.Tilt)
	}
	return text + "@" + number(area.W()) + "x" + number(area.H())
}

// ParseCamera is the inverse of Camera.Format.
func ParseCamera(text string) (c Camera, area scene.Rect, err error) {
	place, size, sized := strings.Cut(text, "@")
	w, h, both := strings.Cut(size, "x")
	fields := strings.Split(place, ",")
	if !sized || !both || len(fields) != 3 && len(fields) != 5 {
		return c, area, fmt.Errorf("camera %q: expected X,Y,SCALE@WIDTHxHEIGHT, as the viewer copies it", text)
	}
	scale, scaleY, separate := strings.Cut(fields[2], "/")
	texts := []string{fields[0], fields[1], scale, w, h}
	numbers := []*float64{&c.X, &c.Y, &c.Scale, &area.X1, &area.Y1}
	if separate {
		texts, numbers = append(texts, scaleY), append(numbers, &c.ScaleY)
	}
	if len(fields) == 5 {
		texts, numbers = append(texts, fields[3:]...), append(numbers, &c.Turn, &c.Tilt)
	}
	for i, n := range numbers {
		if *n, err = strconv.ParseFloat(texts[i], 64); err != nil || math.IsNaN(*n) {
			return c, area, fmt.Errorf("camera %q: %q is no number", text, texts[i])
		}
	}
	if !c.valid() || c.Scale == 0 || !(area.W() >= 1 && area.H() >= 1 && area.W() < 1e6 && area.H() < 1e6) {
		return c, area, fmt.Errorf("camera %q: the scale or the size is out of range", text)
	}
	return c, area, nil
}
