package caliper

import (
	"os"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

func read(texts ...string) (*tracer.Memory, error) {
	return profiletest.Read(Read, "rank%d.cali", profile.Options{}, texts...)
}

func file(t *testing.T, name string) string { return string(must.Get(os.ReadFile(name))(t)) }

// TestRecords reads a profile of LULESH. Its records have inclusive times of regions. The region main takes 0.301407 s; inside it lulesh.cycle takes
// 0.292946 s, MPI_Barrier 0.000045 s and MPI_Reduce 0.000016 s. Outside of main there are 0.001533 s without a region, and 0.000017 s and 0.000082 s in
// MPI.
func TestRecords(t *testing.T) {
	m := must.Get(read(file(t, "../../../testdata/profiles/lulesh.cali")))(t)
	const want = `303039000 ns
66653000 66653000 CalcFBHourglassForceForElems
54400000 121053000 CalcHourglassControlForElems
48247000 48247000 CalcEnergyForElems
`
	if got := profiletest.Functions(t, m, "time", 3); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := profiletest.Functions(t, m, "time", 99); !strings.Contains(got, "\n8400000 301407000 main\n") || !strings.Contains(got, "\n1533000 1533000 [outside of regions]\n") {
		t.Error(got)
	}
	meta := m.Meta()
	if meta.Program != "lulesh2.0" || meta.Missing() != "5 metrics that are no sums" {
		t.Errorf("program %q, missing %q", meta.Program, meta.Missing())
	}
}

// TestSplit reads a profile of an MPI program, in µs. A script in Python sums its rows to these times, 574,996 µs of rank 3 among them, and 460 samples.
func TestSplit(t *testing.T) {
	m := must.Get(read(file(t, "testdata/cpi.json")))(t)
	const want = `2299906000 ns
1273541000 2174924000 main
214927000 425332000 mv2_shm_bcast
130303000 140353000 UNKNOWN
`
	if got := profiletest.Functions(t, m, "time", 3); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := profiletest.Functions(t, m, "count", 0); got != "460 count\n" {
		t.Error(got)
	}
	if text := profiletest.Text(t, m); !strings.Contains(text, "pes=4") || !strings.Contains(text, `process="rank 3"`) {
		t.Error(text)
	}
}

// small has the ranks 0 and 1 in the regions main and main/a=b, with exclusive times in ns and a share, and a node with a comma in its name.
const small = `__rec=node,id=12,attr=10,data=268,parent=3
__rec=node,id=13,attr=8,data=region,parent=12
__rec=node,id=14,attr=10,data=65,parent=5
__rec=node,id=15,attr=8,data=sum#time.duration.ns,parent=14
__rec=node,id=16,attr=8,data=share,parent=14
__rec=node,id=17,attr=8,data=mpi.rank,parent=14
__rec=node,id=20,attr=13,data=main
__rec=node,id=21,attr=13,data=a=b\,c,parent=20
__rec=ctx,ref=20,attr=17=15=16,data=0=30=0.5
__rec=ctx,ref=21,attr=17=15=16,data=1=12=0.25
`

func TestSmall(t *testing.T) {
	m := must.Get(read(small))(t)
	if got := profiletest.Functions(t, m, "time", 9); got != "42 ns\n30 42 main\n12 12 a=b,c\n" {
		t.Error(got)
	}
	if got := profiletest.Functions(t, m, "share", 9); got != "750000 share\n500000 750000 main\n250000 250000 a=b,c\n" {
		t.Error(got)
	}
}

func TestDamaged(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"__rec=node,id=3\n", "rank0.cali: line 1: a node without id= and attr="},
		{"__rec=node,id=x,attr=3\n", "rank0.cali: line 1: expected numbers for id= and attr="},
		{small + "__rec=ctx,attr=15,data=3=4\n", "rank0.cali: line 11: 1 attributes with 2 values"},
		{small + "hello\n", `rank0.cali: line 11: the field "hello": expected NAME=VALUE`},
		{"__rec=globals\n", "rank0.cali: no records of values: expected lines that begin with __rec=ctx"},
		{`{"data":[[1]]}`, "rank0.cali: not a profile of Caliper: expected the members data, columns, column_metadata and nodes"},
	} {
		if _, err := read(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	m := must.Get(read(small + "__rec=ctx,ref=99,attr=15,data=3\n__rec=ctx,attr=15,da"))(t)
	if meta := m.Meta(); meta.Missing() != "1 reference to unknown nodes; the end of rank0.cali: line 12 is cut" {
		t.Error(meta.Missing())
	}
}

func FuzzRead(f *testing.F) {
	profiletest.Fuzz(f, Read, Detect, small, "__rec=node,id=20,attr=20,data=a\\,b,parent=20\n__rec=ctx,ref=20,attr=20,data=1\n",
		`{"data":[[1,0,null]],"columns":["time","path","mpi.rank"],"column_metadata":[{"is_value":true},{"is_value":false},{"is_value":true}],"nodes":[{"column":"path","label":"a","parent":0}]}`)
}
