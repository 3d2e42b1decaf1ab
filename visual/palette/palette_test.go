package palette

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Matrices for the vision of a person without one kind of cone, in linear light: G. M. Machado, M. M. Oliveira and L.
// A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.
var (
	protanopia   = [9]float64{0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998}
	deuteranopia = [9]float64{0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881}
)

func seen(c color.NRGBA, m [9]float64) color.NRGBA {
	r, g, b := Linear(c.R), Linear(c.G), Linear(c.B)
	return color.NRGBA{
		Encode(dot(r, g, b, m[0], m[1], m[2])), Encode(dot(r, g, b, m[3], m[4], m[5])), Encode(dot(r, g, b, m[6], m[7], m[8])), 255,
	}
}

func plain(c color.NRGBA) color.NRGBA    { return c }
func without1(c color.NRGBA) color.NRGBA { return seen(c, protanopia) }
func without2(c color.NRGBA) color.NRGBA { return seen(c, deuteranopia) }

func closest(set []color.NRGBA, see func(color.NRGBA) color.NRGBA) (least float64, i, j int) {
	least = math.Inf(1)
	for a := range set {
		for b := range a {
			if d := Distance(see(set[a]), see(set[b])); d < least {
				least, i, j = d, b, a
			}
		}
	}
	return least, i, j
}

func TestLabKnownColours(t *testing.T) {
	for _, c := range []struct {
		rgb  color.NRGBA
		want Lab
	}{ // published with the definition of OKLab, to three decimals
		{color.NRGBA{255, 255, 255, 255}, Lab{1, 0, 0}},
		{color.NRGBA{0, 0, 0, 255}, Lab{0, 0, 0}},
		{color.NRGBA{255, 0, 0, 255}, Lab{0.628, 0.225, 0.126}},
		{color.NRGBA{0, 255, 0, 255}, Lab{0.866, -0.234, 0.179}},
		{color.NRGBA{0, 0, 255, 255}, Lab{0.452, -0.032, -0.312}},
	} {
		got := ToLab(c.rgb)
		if math.Abs(got.L-c.want.L) > 1e-3 || math.Abs(got.A-c.want.A) > 1e-3 || math.Abs(got.B-c.want.B) > 1e-3 {
			t.Errorf("%v: %v, want %v", c.rgb, got, c.want)
		}
	}
}

func TestLabRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := color.NRGBA{rapid.Byte().Draw(t, "r"), rapid.Byte().Draw(t, "g"), rapid.Byte().Draw(t, "b"), 255}
		if got := ToLab(c).RGB(); got != c {
			t.Fatalf("%v came back as %v", c, got)
		}
		lch := LCh{rapid.Float64Range(0.15, 1).Draw(t, "L"), rapid.Float64Range(0, 0.4).Draw(t, "C"), rapid.Float64Range(-360, 720).Draw(t, "H")}
		if got := ToLab(lch.RGB()); math.Abs(got.L-lch.L) > 0.02 {
			t.Fatalf("%v: lightness %v after the gamut was fitted", lch, got.L)
		}
	})
}

func TestSpectrumHues(t *testing.T) {
	for _, c := range []struct {
		t    float64
		want color.NRGBA
	}{
		{-1, color.NRGBA{0, 0, 255, 255}},
		{math.NaN(), color.NRGBA{0, 0, 255, 255}},
		{0, color.NRGBA{0, 0, 255, 255}},
		{0.2, color.NRGBA{0, 255, 255, 255}},
		{0.4, color.NRGBA{0, 255, 0, 255}},
		{0.6, color.NRGBA{255, 255, 0, 255}},
		{0.8, color.NRGBA{255, 0, 0, 255}},
		{0.9, color.NRGBA{255, 0, 128, 255}},
		{1, color.NRGBA{255, 0, 255, 255}},
		{7, color.NRGBA{255, 0, 255, 255}},
	} {
		if got := spectrum(c.t, false); got != c.want {
			t.Errorf("spectrum(%v) = %v, want %v", c.t, got, c.want)
		}
	}
}

// monotone returns the largest drop of lightness along a ramp.
func monotone(ramp func(float64, bool) color.NRGBA, dark bool) (back float64) {
	top := -1.0
	for i := range 257 {
		l := ToLab(ramp(float64(i)/256, dark)).L
		top = max(top, l)
		back = max(back, top-l)
	}
	return back
}

func TestRampsGetLighter(t *testing.T) {
	const rounding = 1.5 / 255 // of 8-bit channels
	for _, dark := range []bool{false, true} {
		for _, name := range []string{"perceptual", "safe"} {
			s, _ := Named(name)
			if back := monotone(s.Ramp, dark); back > rounding {
				t.Errorf("%s, dark %v: lightness falls by %.4f", name, dark, back)
			}
			ends := Distance(s.Ramp(0, dark), s.Ramp(1, dark))
			if ends < 0.5 {
				t.Errorf("%s, dark %v: the ends are only %.3f apart", name, dark, ends)
			}
			for i := range 8 { // no part of the ramp looks flat
				a, b := s.Ramp(float64(i)/8, dark), s.Ramp(float64(i+1)/8, dark)
				if d := Distance(a, b); d < 0.05 {
					t.Errorf("%s, dark %v: step %d is only %.3f", name, dark, i, d)
				}
			}
		}
	}
	if back := monotone(spectrum, false); back < 0.1 {
		t.Error("the paper's spectrum counts as monotone: the test detects nothing")
	}
}

func TestSetsCanBeToldApart(t *testing.T) {
	for _, s := range Schemes {
		for _, dark := range []bool{false, true} {
			set := s.Set(dark)
			if len(set) < 8 {
				t.Errorf("%s: only %d colours", s.Name, len(set))
			}
			if d, i, j := closest(set, plain); d < 0.12 {
				t.Errorf("%s, dark %v: colours %d and %d are %.3f apart", s.Name, dark, i, j, d)
			}
			ground := color.NRGBA{255, 255, 255, 255}
			if dark {
				ground = color.NRGBA{20, 22, 26, 255}
			}
			for i, c := range set {
				if d := Distance(c, ground); d < 0.15 {
					t.Errorf("%s, dark %v: colour %d is %.3f from the background", s.Name, dark, i, d)
				}
			}
		}
	}
}

// TestSafeSetForEveryColourVision looks at the safe set, and at the first eight colours of the default, as eyes without red or green cones see them.
func TestSafeSetForEveryColourVision(t *testing.T) {
	s, _ := Named("safe")
	v, _ := Named("spectrum")
	for _, c := range []struct {
		name string
		see  func(color.NRGBA) color.NRGBA
	}{{"protanopia", without1}, {"deuteranopia", without2}} {
		for _, dark := range []bool{false, true} {
			d, i, j := closest(s.Set(dark), c.see)
			if d < 0.06 {
				t.Errorf("%s, dark %v: colours %d and %d are %.3f apart", c.name, dark, i, j, d)
			}
			if d, i, j := closest(v.Set(dark)[:8], c.see); d < 0.06 {
				t.Errorf("%s, dark %v: the vivid colours %d and %d are %.3f apart", c.name, dark, i, j, d)
			}
			if w, _, _ := closest(v.Set(dark), c.see); w >= d {
				t.Errorf("%s, dark %v: the whole vivid set (%.3f) is as safe as the safe set (%.3f): the simulation has no effect", c.name, dark, w, d)
			}
		}
	}
}

func TestShadesKeepHueAndTimeApart(t *testing.T) {
	for _, s := range Schemes {
		sees := []func(color.NRGBA) color.NRGBA{plain}
		if s.Name == "safe" {
			sees = append(sees, without1, without2)
		}
		for _, dark := range []bool{false, true} {
			for _, see := range sees {
				for _, at := range []float64{0, 0.25, 0.5, 0.75, 1} {
					set := make([]color.NRGBA, len(s.Hues))
					for i := range set {
						set[i] = s.Shade(i, at, dark)
					}
					if d, i, j := closest(set, see); d < 0.04 {
						t.Errorf("%s, dark %v, at %v: hues %d and %d are %.3f apart", s.Name, dark, at, i, j, d)
					}
				}
				for i := range s.Hues {
					var last float64
					for k := range 5 {
						l := ToLab(s.Shade(i, float64(k)/4, dark)).L
						if k > 0 && (l < last+0.05) != !dark {
							t.Errorf("%s, dark %v: hue %d, step %d: lightness %.3f after %.3f", s.Name, dark, i, k, l, last)
						}
						last = l
					}
				}
			}
		}
	}
}

// TestOneHueForOneItem checks that each colour of a scheme's set has the hue of the corresponding shades, so that an
// item keeps its hue across pictures. A grey hue must be grey to eyes without red or green cones.
func TestOneHueForOneItem(t *testing.T) {
	apart := func(c color.NRGBA, h Hue) float64 {
		d := math.Mod(ToLab(c).lch().H-h.H+3*180+360, 360) - 180
		return math.Abs(d)
	}
	for _, s := range Schemes {
		set := s.Set(false)
		for i, c := range set {
			h := s.Hues[i%len(s.Hues)]
			if h.C == 0 {
				for _, see := range []func(color.NRGBA) color.NRGBA{without1, without2} {
					if l := ToLab(see(c)).lch(); l.C > 0.06 {
						t.Errorf("%s: colour %d has chroma %.2f where its shades are grey", s.Name, i, l.C)
					}
				}
				continue
			}
			if d := apart(c, h); d > 31 {
				t.Errorf("%s: colour %d is %.0f degrees from its hue", s.Name, i, d)
			}
			if d := apart(s.Shade(i, 0.5, false), h); d > 3 {
				t.Errorf("%s: shade %d is %.0f degrees from its hue", s.Name, i, d)
			}
			if next := s.Hues[(i+1)%len(s.Hues)]; next.C > 0 && apart(c, next) < 31 {
				t.Errorf("%s: colour %d also matches the next hue: the test detects nothing", s.Name, i)
			}
		}
	}
	spectrum, perceptual := Schemes[0].Set(false), Schemes[1].Set(false)
	for i := range 6 { // equally light, and different from the vivid ones
		if l := ToLab(perceptual[i]).L; math.Abs(l-0.70) > 0.005 || perceptual[i] == spectrum[i] {
			t.Errorf("perceptual colour %d is %v, lightness %.3f", i, perceptual[i], l)
		}
	}
}

func TestNamed(t *testing.T) {
	const want = `unknown palette "perceptaul"; did you mean perceptual?`
	if _, err := Named("perceptaul"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for _, n := range Names() {
		if s, err := Named(n); err != nil || s.Name != n || s.Doc == "" {
			t.Errorf("scheme %s is unknown or has no text", n)
		}
	}
}

func TestGroup(t *testing.T) {
	for _, c := range []struct{ n, most, size, groups int }{
		{0, 12, 1, 0},
		{1, 12, 1, 1},
		{12, 12, 1, 12},
		{13, 12, 2, 7},
		{16, 12, 2, 8},
		{64, 12, 8, 8},
		{100, 12, 10, 10},
		{17, 12, 2, 9},
		{4096, 12, 512, 8},
		{1 << 20, 12, 131072, 8},
		{7, 0, 7, 1},
		{97, 12, 9, 11},
	} {
		g := Group(c.n, c.most)
		if g.Size != c.size || g.Len() != c.groups {
			t.Errorf("Group(%d, %d): size %d, %d groups; want %d, %d", c.n, c.most, g.Size, g.Len(), c.size, c.groups)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n, most := rapid.IntRange(1, 1<<20).Draw(t, "n"), rapid.IntRange(1, 20).Draw(t, "most")
		g := Group(n, most)
		if g.Len() > most {
			t.Fatalf("%d groups for %d colours", g.Len(), most)
		}
		next := 0
		for k := range g.Len() {
			first, last := g.Range(k)
			if first != next || last < first || g.Index(first) != k || g.Index(last) != k {
				t.Fatalf("group %d is %d to %d, after %d", k, first, last, next-1)
			}
			next = last + 1
		}
		if next != n {
			t.Fatalf("groups end at %d of %d", next, n)
		}
	})
}

func TestShare(t *testing.T) {
	worked := []int32{2, 3, 5, 40, 41, 60}
	for _, c := range []struct {
		n, colours, patterns int
		part                 []int32
		places               map[int]int
		ranges               [][2]int
		spans                [][2]int
	}{
		{4, 6, 1, []int32{1}, map[int]int{0: 0, 3: 3}, [][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}}, [][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}}},
		{64, 6, 1, worked, map[int]int{0: 0, 2: 0, 4: 1, 59: 4, 63: 5}, [][2]int{{2, 2}, {3, 3}, {5, 5}, {40, 40}, {41, 41}, {60, 60}}, [][2]int{{0, 2}, {3, 4}, {5, 39}, {40, 40}, {41, 59}, {60, 63}}},
		{64, 4, 1, worked, map[int]int{3: 0, 5: 1, 40: 1, 60: 2}, [][2]int{{2, 3}, {5, 40}, {41, 60}}, [][2]int{{0, 4}, {5, 40}, {41, 63}}},
		{64, 2, 1, nil, map[int]int{31: 0, 32: 1}, [][2]int{{0, 31}, {32, 63}}, [][2]int{{0, 31}, {32, 63}}},
		{4, 2, 2, nil, map[int]int{0: 0, 3: 3}, [][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}}, [][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}}},
		{6, 2, 2, nil, map[int]int{0: 0, 4: 1}, [][2]int{{0, 2}, {3, 5}}, [][2]int{{0, 2}, {3, 5}}},
		{64, 3, 2, worked, map[int]int{3: 1, 40: 3, 60: 5}, [][2]int{{2, 2}, {3, 3}, {5, 5}, {40, 40}, {41, 41}, {60, 60}}, [][2]int{{0, 2}, {3, 4}, {5, 39}, {40, 40}, {41, 59}, {60, 63}}},
	} {
		s := Share(c.n, c.part, c.colours, c.patterns)
		for i, want := range c.places {
			if got := s.Index(i); got != want {
				t.Errorf("%d of %d, %d colours in %d patterns: item %d has colour %d, want %d", len(c.part), c.n, c.colours, c.patterns, i, got, want)
			}
		}
		var ranges, spans [][2]int
		for k := range s.Len() {
			a, b := s.Range(k)
			ranges = append(ranges, [2]int{a, b})
			a, b = s.Span(k)
			spans = append(spans, [2]int{a, b})
		}
		if !slices.Equal(ranges, c.ranges) || !slices.Equal(spans, c.spans) {
			t.Errorf("%d of %d, %d colours in %d patterns: %v in %v, want %v in %v", len(c.part), c.n, c.colours, c.patterns, ranges, spans, c.ranges, c.spans)
		}
	}
}

func TestMix(t *testing.T) {
	var m Mix
	if got := m.Color(); got != (color.NRGBA{A: 255}) {
		t.Errorf("an empty mix is %v", got)
	}
	red, blue := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 255}
	m.Add(ToLight(red), 1)
	if got := m.Color(); got != red {
		t.Errorf("red alone mixes to %v", got)
	}
	m.Add(ToLight(blue), 1)
	if got, want := m.Color(), (color.NRGBA{188, 0, 188, 255}); got != want { // half the light is 188, not 128
		t.Errorf("red and blue mix to %v, want %v", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := color.NRGBA{rapid.Byte().Draw(t, "r"), rapid.Byte().Draw(t, "g"), rapid.Byte().Draw(t, "b"), 255}
		var m Mix
		m.Add(ToLight(c), rapid.Uint64Range(1, 1<<31).Draw(t, "n"))
		if got := m.Color(); got != c {
			t.Fatalf("%v with itself mixes to %v", c, got)
		}
	})
}

func TestMixesEncodeAsColoursDo(t *testing.T) {
	for k := range 65536 * 3 {
		x := float64(k) / (65535 * 3)
		if got, want := encode(x), Encode(x); got != want {
			t.Fatalf("light %g is %d, want %d", x, got, want)
		}
	}
	if encode(math.NaN()) != 0 || encode(-1) != 0 || encode(2) != 255 {
		t.Error("an invalid light has a colour")
	}
}

// Distance returns the OKLab distance of two colours: 0 for equal ones, about 0.02 if just noticeable side by side, 1
// for black and white.
func Distance(a, b color.NRGBA) float64 {
	x, y := ToLab(a), ToLab(b)
	return math.Sqrt(dot(x.L-y.L, x.A-y.A, x.B-y.B, x.L-y.L, x.A-y.A, x.B-y.B))
}
