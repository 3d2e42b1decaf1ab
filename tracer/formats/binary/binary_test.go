package binary

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/perf"
	"whorl/tracer/formats/profile"
)

// cProgram builds the C program of testdata. It skips the test if there is no compiler.
func cProgram(t testing.TB, flags ...string) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	source := must.Get(filepath.Abs("../../../testdata/profiles/heat.c"))(t)
	out := filepath.Join(t.TempDir(), "heat")
	args := append([]string{"-O2", "-g", "-Wl,--build-id", "-o", out, source, "-pthread"}, flags...)
	if text, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
		t.Skipf("gcc: %v\n%s", err, text)
	}
	return out
}

func opened(t testing.TB, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Skipf("%v", err) // the programs of this system are not ELF files
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func only(t testing.TB, f *File, symbol string) uint64 {
	t.Helper()
	at := f.Symbol(symbol)
	if len(at) != 1 {
		t.Fatalf("%s is at %x", symbol, at)
	}
	return at[0]
}

// TestInlined checks that the inner loop of sweep has instructions of its own lines and of mean, which the compiler inlined.
func TestInlined(t *testing.T) {
	f := opened(t, cProgram(t))
	sweep := f.Function(only(t, f, "sweep") + 3)
	if len(sweep) < 5 || sweep[0].Address != only(t, f, "sweep") {
		t.Fatalf("sweep has %d instructions", len(sweep))
	}
	inlined := 0
	for _, in := range sweep {
		if len(in.Lines) == 0 || filepath.Base(in.Lines[0].File) != "heat.c" {
			t.Errorf("%x %s has no line: %v", in.Address, in.Text, in.Lines)
			continue
		}
		outer := in.Lines[len(in.Lines)-1]
		if outer.Function != "sweep" || outer.Start != 5 || outer.Line < 5 || outer.Line > 8 {
			t.Errorf("%x belongs to %+v", in.Address, outer)
		}
		if len(in.Lines) == 2 {
			inlined++
			if l := in.Lines[0]; l.Function != "mean" || l.Start != 4 || l.Line != 4 || outer.Line != 7 {
				t.Errorf("%x belongs to %+v in %+v", in.Address, l, outer)
			}
		}
	}
	if inlined == 0 {
		t.Error("nothing was inlined")
	}
}

// TestAgainstBinutils compares the addresses of instructions with objdump and their lines with addr2line.
func TestAgainstBinutils(t *testing.T) {
	path := cProgram(t)
	f := opened(t, path)
	for _, symbol := range []string{"sweep", "solve", "main", "worker"} {
		at := only(t, f, symbol)
		s, _ := f.symbolAt(at)
		theirs := f.objdump(s.start, s.end)
		if len(theirs) == 0 {
			t.Skip("no objdump")
		}
		var want, got []uint64
		for _, in := range theirs {
			want = append(want, in.Address)
		}
		args := []string{"-f", "-i", "-a", "-e", path}
		for _, in := range f.Function(at) {
			got = append(got, in.Address)
			args = append(args, fmt.Sprintf("%#x", in.Address))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: instructions at %x, objdump has them at %x", symbol, got, want)
		}
		out, err := exec.Command("addr2line", args...).Output()
		if err != nil {
			t.Skip("no addr2line")
		}
		sameLines(t, f, string(out))
	}
}

// sameLines compares the lines of f with the output of addr2line: an address, then for each function a line with its name and one with
// its source position.
func sameLines(t *testing.T, f *File, out string) {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for i := 0; i < len(lines); {
		address := must.Get(strconv.ParseUint(strings.TrimPrefix(lines[i], "0x"), 16, 64))(t)
		var want, got []string
		for i++; i+1 < len(lines) && !strings.HasPrefix(lines[i], "0x"); i += 2 {
			place, _, _ := strings.Cut(lines[i+1], " (")
			want = append(want, lines[i]+" "+filepath.Base(place))
		}
		for _, l := range f.Lines(address) {
			got = append(got, fmt.Sprintf("%s %s:%d", l.Function, filepath.Base(l.File), l.Line))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%x: %q, addr2line says %q", address, got, want)
		}
	}
}

// TestGo checks the instructions of a Go program, which are in the syntax of Go's assembler.
func TestGo(t *testing.T) {
	dir := t.TempDir()
	const text = "package main\n\nimport \"os\"\n\n//go:noinline\nfunc sum(n int) (s int) {\n\tfor i := range n {\n\t\ts += i * i\n\t}\n\treturn s\n}\n\nfunc main() { os.Exit(sum(len(os.Args)) - 1) }\n"
	source := filepath.Join(dir, "main.go")
	must.Do(t, os.WriteFile(source, []byte(text), 0o600))
	// The flags of the tests and not others, with which the standard library would be compiled once more; the program has its own tables of lines.
	build := exec.Command("go", "build", "-gcflags=-dwarf=true", "-ldflags=-w=false", "-o", filepath.Join(dir, "sum"), source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("go build: %v\n%s", err, out)
	}
	f := opened(t, filepath.Join(dir, "sum"))
	all := f.Function(only(t, f, "main.sum"))
	lines := map[int32]bool{}
	text2 := ""
	for _, in := range all {
		if len(in.Lines) != 1 || in.Lines[0].Function != "main.sum" || in.Lines[0].File != source && in.Lines[0].File != "main.go" { // with -trimpath
			t.Errorf("%x %s has the lines %+v", in.Address, in.Text, in.Lines)
			continue
		}
		lines[in.Lines[0].Line] = true
		text2 += in.Text + "\n"
	}
	if !lines[7] || !lines[8] || !lines[10] || lines[13] {
		t.Errorf("the instructions of sum have the lines %v", lines)
	}
	if !strings.Contains(text2, "RET") {
		t.Errorf("not in Go's assembler syntax:\n%s", text2)
	}
}

// TestProfile checks that a profile of bare addresses gets functions, lines and instructions from the binary, wherever it was mapped.
func TestProfile(t *testing.T) {
	path := cProgram(t)
	f := opened(t, path)
	sweep := f.Function(only(t, f, "sweep"))
	var at profile.Instruction
	for _, in := range sweep {
		if len(in.Lines) == 2 {
			at = in
		}
	}
	main := f.Function(only(t, f, "main"))
	call := slices.IndexFunc(main, func(in profile.Instruction) bool { return strings.Contains(in.Text, "solve") })
	if call < 0 {
		t.Skip("the compiler inlined solve into main")
	}
	var offset uint64 // file offset of the code
	for _, p := range f.elf.Progs {
		if at.Address >= p.Vaddr && at.Address < p.Vaddr+p.Filesz {
			offset = p.Off - p.Vaddr
		}
	}
	find := must.Get(NewFinder(nil))(t)
	defer find.Close()
	var first string
	for _, base := range []uint64{0x560000000000, 0x7f0000001000} {
		mapped := func(address uint64) uint64 { return base + address + offset }
		text := fmt.Sprintf("heat 1/1 1.0: PERF_RECORD_MMAP2 1/1: [0x%x(0x100000) @ 0 fe:00 1 2]: r-xp %s\n", base, path) +
			fmt.Sprintf("heat 1/1 1.5: 1 cycles:\n\t%x [unknown] (%s)\n\t%x [unknown] (%s)\n", mapped(at.Address), path, mapped(main[call+1].Address), path)
		m := tracer.NewMemory()
		must.Do(t, perf.Read([]perf.File{{Name: "x", R: strings.NewReader(text)}}, m, profile.Options{Binaries: find}))
		var got []string
		d := m.Dict()
		for c := d.Context(uint32(len(d.Contexts()) - 1)); c.Code != 0; c = d.Context(c.Parent) {
			code := d.Code(c.Code)
			kind := code.Type.String()
			for code.Type != tracer.Function {
				code = d.Code(code.Parent)
			}
			got = append(got, kind+" "+code.Name)
		}
		if want := []string{"instruction mean", "line sweep", "instruction main"}; !slices.Equal(got, want) {
			t.Errorf("at %x the stack is %q, want %q", base, got, want)
		}
		listed := 0
		for _, c := range d.Codes() {
			if c.Type == tracer.Instruction {
				listed++
			}
		}
		if want := len(sweep) + 1; listed != want {
			t.Errorf("%d instructions listed, want the %d of sweep and the call in main", listed, want-1)
		}
		var b bytes.Buffer
		must.Do(t, tracer.WriteText(&b, m))
		if first == "" {
			first = b.String()
		}
		if b.String() != first {
			t.Error("the trace depends on where the program was mapped")
		}
	}
}

func TestFind(t *testing.T) {
	one, two := cProgram(t), cProgram(t, "-DOTHER=1", "-O1")
	id, other := opened(t, one).BuildID, opened(t, two).BuildID
	if id == "" || id == other {
		t.Skip("the binaries have no build IDs")
	}
	for _, c := range []struct {
		name  string
		given []string
		m     profile.Module
		path  string
		other bool
	}{
		{"by its path", nil, profile.Module{Path: one}, one, false},
		{"by path, same build", nil, profile.Module{Path: one, BuildID: strings.ToUpper(id)}, one, false},
		{"by path, other build", nil, profile.Module{Path: one, BuildID: other}, "", true},
		{"Go build ID, not comparable", nil, profile.Module{Path: one, BuildID: "x/y/z"}, one, false},
		{"given, by build ID", []string{two, one}, profile.Module{Path: "/nowhere/x", BuildID: id}, one, false},
		{"given, by name", []string{two}, profile.Module{Path: "/nowhere/heat"}, two, false},
		{"given, other build", []string{two}, profile.Module{Path: "/nowhere/heat", BuildID: id}, two, true},
		{"given, other name", []string{two}, profile.Module{Path: "/nowhere/x"}, "", false},
		{"given, no name", []string{two}, profile.Module{}, two, false},
		{"missing", nil, profile.Module{Path: "/nowhere/x"}, "", false},
		{"no path", nil, profile.Module{Path: "[vdso]"}, "", false},
		{"a folder", nil, profile.Module{Path: filepath.Dir(one)}, "", false},
	} {
		find := must.Get(NewFinder(c.given))(t)
		b, other := find.Find(c.m)
		path := ""
		if b != nil {
			path = b.(*File).Path
		}
		if path != c.path || other != c.other {
			t.Errorf("%s: %q, %v, want %q, %v", c.name, path, other, c.path, c.other)
		}
		find.Close()
	}
	if _, err := NewFinder([]string{"../../../testdata/profiles/heat.c"}); err == nil || !strings.Contains(err.Error(), "expected a program or a library (ELF)") {
		t.Error(err)
	}
}

func TestObjdump(t *testing.T) {
	const text = "\nheat:     file format elf64\n\n0000000000001000 <f>:\n    1000:\taddiu\tsp,sp,-32\n    1004:\tjr\tra <f+0x4>\n\t...\n"
	got := parseObjdump([]byte(text))
	want := []profile.Instruction{{Address: 0x1000, Text: "addiu sp,sp,-32"}, {Address: 0x1004, Text: "jr ra <f+0x4>"}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// FuzzDamage checks that damaged binaries are refused or read in part, without a panic.
func FuzzDamage(f *testing.F) {
	path := cProgram(f)
	whole := must.Get(os.ReadFile(path))(f)
	at := only(f, opened(f, path), "sweep")
	f.Add(uint32(0), byte(0))
	f.Add(uint32(40), byte(255))
	f.Add(uint32(len(whole)/2), byte(17))
	f.Fuzz(func(t *testing.T, i uint32, b byte) {
		damaged := slices.Clone(whole)
		damaged[int(i)%len(damaged)] ^= b
		p := filepath.Join(t.TempDir(), "heat")
		must.Do(t, os.WriteFile(p, damaged, 0o600))
		file, err := Open(p)
		if err != nil {
			return
		}
		defer file.Close()
		file.Function(at)
		file.Symbol("main")
		file.Address(uint64(i))
	})
}
