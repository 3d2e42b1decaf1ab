//go:build !js

package space_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/others"
	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/space"
	"whorl/visual/space/gltf"
	"whorl/visual/space/vrml"
	"whorl/visual/testdata/spacetest"
	"whorl/visual/view"
	"whorl/visual/views/bodies"
)

// worlds returns worlds of all kinds. The world mesh shows 27 PEs.
func worlds(t *testing.T) map[string]*space.World {
	t.Helper()
	m := tracer.NewMemory()
	meta := tracer.Meta{Program: "talk <&> \"talk\"", Mode: "sim", Network: "mesh3d", PEs: 27, Seed: 1}
	for i := range int32(27) {
		meta.PEInfo = append(meta.PEInfo, tracer.PE{Coords: []int32{i % 3, i / 3 % 3, i / 9}})
	}
	m.SetMeta(meta)
	s := m.Stream(tracer.StreamInfo{Clock: tracer.Virtual})
	for i := range int64(6000) {
		pe := int32(i * i % 27)
		*s.Slot() = tracer.Event{Time: 100 * i, Kind: tracer.Busy, PE: pe, Peer: -1}
		*s.Slot() = tracer.Event{Time: 100*i + 10, Kind: tracer.Send, PE: pe, Peer: (pe + 1 + int32(i/2000)) % 27, Ref: uint64(i + 1), Value: 10 + i%90}
		*s.Slot() = tracer.Event{Time: 100*i + 20 + i%70, Kind: tracer.Idle, PE: pe, Peer: -1}
	}
	_ = m.Close()
	opened := must.Get(view.Open(bodies.Kind(), m, glyph.New()))(t)
	defer opened.Close()
	must.Do(t, opened.Set("fast", "0.1"))
	got := must.Get(opened.Geometry(t.Context(), 0, 400))(t)
	mesh, _, err := got.Value.(view.Spatial).World(t.Context(), view.Play{Length: 20, Frames: 101})
	if err != nil {
		t.Fatal(err)
	}
	if len(mesh.Bodies) != 27 || len(mesh.Links) < 54 || len(mesh.Voices) == 0 {
		t.Fatalf("%d bodies, %d links, %d voices", len(mesh.Bodies), len(mesh.Links), len(mesh.Voices))
	}
	return map[string]*space.World{"two": spacetest.Two(), "ring": spacetest.Ring(8, 60), "mesh": mesh}
}

func save(t *testing.T, name string, w *space.World, write func(io.Writer, *space.World) error) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, write(&b, w))
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, b.Bytes(), 0o644))
	return path
}

// TestCastle checks that the reader of view3dscene accepts VRML and X3D files as written, and reports an unknown prototype,
// field or route and a truncated file.
func TestCastle(t *testing.T) {
	program, err := exec.LookPath("tovrmlx3d")
	if err != nil {
		t.Skip("no tovrmlx3d, which comes with view3dscene")
	}
	read := func(path string) (text, complaints string) {
		t.Helper()
		var out, errs bytes.Buffer
		cmd := exec.Command(program, path)
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			return out.String(), err.Error() + " " + errs.String()
		}
		return out.String(), errs.String()
	}
	for name, w := range worlds(t) {
		for _, test := range []struct {
			ext   string
			write func(io.Writer, *space.World) error
		}{{".wrl", vrml.WriteVRML}, {".x3d", vrml.WriteX3D}} {
			path := save(t, name+test.ext, w, test.write)
			text, complaints := read(path)
			if complaints != "" {
				t.Errorf("%s%s: %s", name, test.ext, complaints)
			}
			for i := range w.Bodies {
				if !strings.Contains(text, "DEF B"+strconv.Itoa(i)+" Body {") {
					t.Errorf("%s%s: no body %d", name, test.ext, i)
				}
			}
			if name != "two" {
				continue
			}
			good := must.Get(os.ReadFile(path))(t)
			for _, c := range [][2]string{{"Background", "Backgrund"}, {"skyColor", "skyColr"}, {"value_changed", "value_chnged"}, {"keyValue", "keyVolue"}} {
				if !bytes.Contains(good, []byte(c[0])) {
					t.Fatalf("%s%s has no %s", name, test.ext, c[0])
				}
				must.Do(t, os.WriteFile(path, bytes.Replace(good, []byte(c[0]), []byte(c[1]), -1), 0o644))
				if _, complaints := read(path); complaints == "" {
					t.Errorf("%s%s with %s: no complaint", name, test.ext, c[1])
				}
			}
			must.Do(t, os.WriteFile(path, good[:len(good)*2/3], 0o644))
			if _, complaints := read(path); complaints == "" {
				t.Errorf("%s%s, truncated: no complaint", name, test.ext)
			}
		}
	}
}

// TestValidator checks that the Khronos validator reports nothing about glTF files as written, and reports key frame
// times that are not floating-point numbers.
func TestValidator(t *testing.T) {
	node, folder := others.Node(t)
	var names, files []string
	all := worlds(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		names, files = append(names, name), append(files, save(t, name+".glb", all[name], gltf.Write))
	}
	good := must.Get(os.ReadFile(files[0]))(t)
	bad := filepath.Join(t.TempDir(), "bad.glb")
	must.Do(t, os.WriteFile(bad, bytes.Replace(good, []byte(`"componentType":5126`), []byte(`"componentType":5125`), 1), 0o644))
	out, err := exec.Command(node, append([]string{"testdata/validate.mjs", folder}, append(files, bad)...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(files)+1 {
		t.Fatalf("%s", out)
	}
	for i, line := range lines {
		var report struct {
			Issues                []any
			Animations, Triangles int
		}
		if err := json.Unmarshal([]byte(line), &report); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if i == len(files) {
			if len(report.Issues) == 0 {
				t.Error("no issue reported for integer times")
			}
		} else if len(report.Issues) > 0 || report.Animations != 1 || report.Triangles < 1000 {
			t.Errorf("%s: %s", names[i], line)
		}
	}
}

// TestThree plays glTF files in three.js and compares the positions of bodies and links with the world at key frames.
func TestThree(t *testing.T) {
	node, folder := others.Node(t)
	for name, w := range worlds(t) {
		args := []string{"testdata/play.mjs", folder, save(t, name+".glb", w, gltf.Write)}
		frames := []int{0, w.Frames / 2, w.Frames - 1}
		for _, f := range frames {
			args = append(args, strconv.FormatFloat(float64(float32(w.Key(f)*w.Length)), 'g', -1, 64))
		}
		cmd := exec.Command(node, args...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, &errs)
		}
		var points []map[string][3]float64
		if err := json.Unmarshal(out, &points); err != nil || len(points) != len(frames) {
			t.Fatalf("%v: %s", err, out)
		}
		for k, f := range frames {
			near := func(node string, want space.Vec) {
				t.Helper()
				got, ok := points[k][node]
				for d := range want {
					if !ok || math.Abs(got[d]-want[d]) > 1e-3*w.Reach {
						t.Fatalf("%s, frame %d: the top of %s is at %v, want %v", name, f, node, got, want)
					}
				}
			}
			for i := range w.Bodies {
				b := &w.Bodies[i]
				top := b.Centre[f]
				top[1] += b.Radius[f]
				if name != "ring" { // its bodies all have the same name
					near(b.Name, top)
				}
			}
			for i := range w.Links {
				l := &w.Links[i]
				if l.Radius[f] > 0 && name != "ring" {
					near(w.Bodies[l.A].Name+"-"+w.Bodies[l.B].Name, w.Bodies[l.B].Centre[f])
				}
			}
		}
	}
}
