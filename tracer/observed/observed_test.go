package observed

import "testing"

func TestText(t *testing.T) {
	for _, c := range []struct {
		r                 Record
		category, message string
		value             int64
	}{
		{Record{Op: Lock, Object: 17}, "observe lock 17", "", 17},
		{Record{Op: RUnlock, Object: 1<<32 - 1}, "observe runlock 4294967295", "", 1<<32 - 1},
		{Record{Op: Add, Object: 2, Number: 1}, "observe add 2", "", 1<<32 + 2},
		{Record{Op: Add, Object: 2, Number: 8}, "observe add 2", "8", 8<<32 + 2},
		{Record{Op: Add, Object: 2}, "observe add 2", "0", 2},
		{Record{Op: Done, Object: 2, Number: 1}, "observe done 2", "", 1<<32 + 2},
		{Record{Op: Waited, Object: 2}, "observe waited 2", "", 2},
		{Record{Op: Send, Object: 3, Number: MostNumber, Capacity: 64}, "observe send 3 64", "2147483647", MostNumber<<32 + 3},
		{Record{Op: Receive, Object: 3}, "observe receive 3 0", "", 3},
		{Record{Op: Drained, Object: 3, Capacity: MostNumber}, "observe drained 3 2147483647", "", 3},
	} {
		if c.r.Category() != c.category || c.r.Message() != c.message || c.r.Value() != c.value {
			t.Errorf("%+v is %q, %q, %#x; want %q, %q, %#x", c.r, c.r.Category(), c.r.Message(), c.r.Value(), c.category, c.message, c.value)
		}
		if r, ok := Decode(c.category, c.message); !ok || r != c.r {
			t.Errorf("%q, %q is %+v, %v; want %+v", c.category, c.message, r, ok, c.r)
		}
		if object, number := FromValue(c.value); object != c.r.Object || number != c.r.Number {
			t.Errorf("%#x is object %d, number %d", c.value, object, number)
		}
		if op, ok := Named(c.r.Op.Name()); !ok || op != c.r.Op {
			t.Errorf("%q is operation %d", c.r.Op.Name(), op)
		}
	}
	if object, number := FromValue(-1); object != 0 || number != 0 {
		t.Errorf("-1 is object %d, number %d", object, number)
	}
	if op, ok := Named("lock"); ok {
		t.Errorf("lock is operation %d", op)
	}
}

// Strange are logs that are not of package observe.
var strange = [][2]string{
	{"", ""},
	{"observe", "lock 17"},
	{"observe ", ""},
	{"observe lock", ""},
	{"observe lock ", ""},
	{"observe lock 0", ""},
	{"observe lock 4294967296", ""},
	{"observe lock -1", ""},
	{"observe lock 1 ", ""},
	{"observe lock 1 2", ""},
	{"observe lock 1", "x"},
	{"observe  1", ""},
	{"observe fly 1", ""},
	{"observe make 1 2", ""},
	{"Observe lock 1", ""},
	{"observe send 1", "2"},
	{"observe send 1 2147483648", "2"},
	{"observe send 1 2", "2147483648"},
	{"observe send 1 2 3", "2"},
	{"observe send 1 ", "2"},
}

func TestStrange(t *testing.T) {
	for _, s := range strange {
		if r, ok := Decode(s[0], s[1]); ok || r != (Record{}) {
			t.Errorf("%q is %+v, %v; want none", s, r, ok)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range strange {
		f.Add(s[0], s[1])
	}
	f.Add("observe send 3 64", "12")
	f.Add("observe done 03", "")
	f.Fuzz(func(t *testing.T, category, message string) {
		r, ok := Decode(category, message)
		if !ok {
			return
		}
		if again, ok := Decode(r.Category(), r.Message()); !ok || again != r {
			t.Errorf("%+v is written as %q, %q, which is %+v, %v", r, r.Category(), r.Message(), again, ok)
		}
		if object, number := FromValue(r.Value()); object != r.Object || number != r.Number {
			t.Errorf("%+v has the value %#x: object %d, number %d", r, r.Value(), object, number)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	for b.Loop() {
		Decode("observe send 1234 64", "123456")
	}
}
