package cpuprofile

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
	return profiletest.Read(Read, "rank%d.cpuprofile", profile.Options{}, texts...)
}

// small has five samples of 1, 2, 3, 4 and 5 ms: of f, g at two lines, f, idle and g. The times of the second and the third are out of order.
const small = `{"nodes":[
{"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1},"children":[2,4]},
{"id":2,"callFrame":{"functionName":"f","url":"file:///src/a.js","lineNumber":9},"children":[3]},
{"id":3,"callFrame":{"functionName":"","url":"file:///src/a.js","lineNumber":19},"positionTicks":[{"line":21,"ticks":1},{"line":22,"ticks":1}]},
{"id":4,"callFrame":{"functionName":"(idle)","url":"","lineNumber":-1}}],
"startTime":1000000,"endTime":1015500,"samples":[2,2,3,4,3],"timeDeltas":[500,3000,-2000,5000,4000]}`

func TestRead(t *testing.T) {
	const want = `whorl 1
meta substrate="cpuprofile" clock="aligned" pes=1
pe 0 process="rank0"
stream 0 name="rank0"
code 1 type="function" name="f" file="/src/a.js" line=10
code 2 type="function" name="(anonymous)" file="/src/a.js" line=20
code 3 type="function" name="(idle)"
code 4 type="metric" name="time" unit="ns" scale=1
code 5 type="line" file="/src/a.js" line=21 parent=2
code 6 type="line" file="/src/a.js" line=22 parent=2
context 1 code=1
context 2 parent=1 code=2
context 3 code=3
context 4 parent=1 code=5
context 5 parent=1 code=6
0 Init pe=0
500000 Sample pe=0 ref=1 code=4 value=1000000
1500000 Sample pe=0 ref=4 code=4 value=2000000
3500000 Sample pe=0 ref=1 code=4 value=3000000
10500000 Sample pe=0 ref=5 code=4 value=5000000
`
	got := strings.ReplaceAll(profiletest.Text(t, must.Get(read(small))(t)), " # time", "")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNode compares a profile of Node with the sums of a script in Python, which adds the times of each node to all functions on its path, each once:
// 168,071 µs in 150 samples, and 884 µs of (idle).
func TestNode(t *testing.T) {
	data := must.Get(os.ReadFile("../../../testdata/profiles/hello.cpuprofile"))(t)
	const want = `168071000 ns
46065000 77374000 compileForInternalLoader
8879000 8879000 compileFunction
5591000 33616000 value
`
	if got := profiletest.Functions(t, must.Get(read(string(data)))(t), "time", 3); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestOther reads a nested tree of an older version, one without times, and a profile of the heap.
func TestOther(t *testing.T) {
	for _, c := range []struct{ text, metric, want string }{
		{
			`{"head":{"functionName":"(root)","id":1,"children":[{"functionName":"f","url":"a.js","lineNumber":3,"id":2,"children":[
			{"functionName":"g","id":3,"children":[]}]}]},"startTime":10,"endTime":10.000009,"samples":[2,3,3],"timestamps":[7000000,7000002,7000005]}`,
			"time", "9000 ns\n7000 7000 g\n2000 9000 f\n",
		},
		{
			`{"nodes":[{"id":1,"callFrame":{"functionName":"f"},"hitCount":3,"children":[2]},{"id":2,"callFrame":{"functionName":"g"},"hitCount":4}]}`,
			"samples", "7 samples\n4 4 g\n3 7 f\n",
		},
		{`{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"id":1,"children":[{"callFrame":{"functionName":"f"},"selfSize":64,"id":2,"children":[]}]},
			"samples":[{"size":64,"nodeId":2,"ordinal":1}]}`, "bytes", "64 bytes\n64 64 f\n"},
	} {
		if got := profiletest.Functions(t, must.Get(read(c.text))(t), c.metric, 5); got != c.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", c.text, got, c.want)
		}
	}
}

func TestDamaged(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{
			`{"nodes":[{"id":1,"callFrame":{"functionName":"f"},"children":[2]},{"id":2,"callFrame":{"functionName":"g"},"children":[1]}],"samples":[7,1],"timeDeltas":[1,2,3],"endTime":9}`,
			"1 circle of nodes; 1 sample without a time, or times without a sample; 1 sample of unknown nodes",
		},
		{`{"nodes":[{"id":1,"callFrame":{"functionName":"f"}},{"id":1,"callFrame":{"functionName":"g"}}]}`, "1 node with the number of another; rank0.cpuprofile has no samples"},
		{small[:len(small)-20], "the rest of rank0.cpuprofile from byte 495 on: the file is cut; 4 samples without a time, or times without a sample"},
	} {
		m, err := read(c.text)
		meta := m.Meta()
		if err != nil || meta.Missing() != c.want {
			t.Errorf("%s\n%v, missing %q, want %q", c.text, err, meta.Missing(), c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{`{"a": 3}`, "rank0.cpuprofile: not a profile of V8: no member nodes and no member head"},
		{"{\"nodes\":\n 3}", "rank0.cpuprofile: line 2, column 2: nodes is a number"},
	} {
		if _, err := read(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	profiletest.Fuzz(f, Read, Detect, small, `{"head":{"functionName":"f","id":1,"hitCount":2,"children":[{"functionName":"g"}]},"samples":[null,"a"],"timestamps":[1]}`)
}
