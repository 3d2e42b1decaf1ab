package otf2

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"testing"
	"testing/fstest"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// FuzzRead reads archives of two locations whose files hold anything. The trace must keep the rules for traces: times do not fall within a stream,
// and reading ends.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"ring", "stencil", "transpose", "workers", "hybrid"} {
		get := func(name string) []byte { return must.Get(os.ReadFile(archives + "/" + name))(f) }
		defs := get(name + ".def")
		files := must.Get(os.ReadDir(archives + "/" + name))(f)
		for i := 0; i+3 < len(files); i += 4 {
			f.Add(get(name+".otf2"), defs, get(name+"/"+files[i].Name()), get(name+"/"+files[i+1].Name()), get(name+"/"+files[i+3].Name()))
		}
	}
	a := ring(2, 60, 200).files()
	f.Add(a["t.otf2"].Data, a["t.def"].Data, a["t/0.def"].Data, a["t/0.evt"].Data, a["t/1.evt"].Data)
	f.Fuzz(func(t *testing.T, anchor, defs, local, first, second []byte) {
		if len(anchor)+len(defs)+len(local)+len(first)+len(second) > 1<<16 {
			return
		}
		folder := fstest.MapFS{"t.otf2": {Data: anchor}, "t.def": {Data: defs}}
		m := tracer.NewMemory()
		r, err := prepare(folder, "t.otf2", m, profile.Options{})
		if err != nil {
			return
		}
		for i, p := range r.d.locations[:min(len(r.d.locations), 8)] { // the names of the files follow from the numbers of the locations
			name := "t/" + strconv.FormatUint(p.id, 10)
			folder[name+".def"] = &fstest.MapFile{Data: local}
			folder[name+".evt"] = &fstest.MapFile{Data: [][]byte{first, second}[i%2]}
		}
		m = tracer.NewMemory()
		if err := Read(folder, "t.otf2", m, profile.Options{}); err != nil {
			t.Fatalf("the definitions can be read, and then: %v", err)
		}
		must.Do(t, m.Close())
		last := map[int]int64{}
		codes := len(m.Dict().Codes())
		must.Do(t, m.ScanStreams(tracer.AllKinds, func(stream int, es []tracer.Event) error {
			for i := range es {
				e := &es[i]
				if at, ok := last[stream]; ok && e.Time < at {
					t.Fatalf("%+v comes after time %d", e, at)
				}
				if last[stream] = e.Time; int(e.Code) >= codes || int(e.PE) >= m.Meta().PEs {
					t.Fatalf("%+v has a code or a PE that is not there", e)
				}
			}
			return nil
		}))
	})
}

// TestStream refuses an anchor file without its archive.
func TestStream(t *testing.T) {
	if err := ReadStream(nil); err == nil {
		t.Error("a stream is read")
	}
	if err := Read(fstest.MapFS{}, "t.otf2", tracer.NewMemory(), profile.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
