package tracks

import (
	"cmp"
	"math"
	"strings"

	"whorl/internal/hashtable"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// texts numbers names with their categories.
type texts struct {
	strings map[string]uint32
	list    []string
	pairs   hashtable.Table // by category<<32 | name
	all     []text
	other   Text // of the names beyond profile.MostNames, 0 for none yet
}

// A text is a name with its category, and its entries in the dictionary, 0 before their first use.
type text struct {
	category, name uint32
	function, mark uint32
	metric, class  uint32
	fraction       bool // of a counter: it has values that are not whole
}

func (t *texts) begin() {
	t.strings = map[string]uint32{"": 0}
	t.list = []string{""}
	t.all = make([]text, 1)
	t.pairs.Add(0, 0)
}

// String returns the number of a string, such as a name or a category.
func (r *Recording) String(b []byte) uint32 {
	t := &r.texts
	if n, ok := t.strings[string(b)]; ok {
		return n
	}
	s := string(b)
	n := uint32(len(t.list))
	t.list = append(t.list, s)
	t.strings[s] = n
	return n
}

// Spelled returns a string by its number.
func (r *Recording) Spelled(n uint32) string { return r.texts.list[n] }

// Text returns the number of a name in a category.
func (r *Recording) Text(category, name uint32) Text {
	t := &r.texts
	key := uint64(category)<<32 | uint64(name)
	if n, ok := t.pairs.Get(key); ok {
		return Text(n)
	}
	if len(t.all) >= profile.MostNames {
		r.w.Dropped.Unnamed("records")
		if t.other == 0 {
			t.other = Text(len(t.all))
			t.all = append(t.all, text{name: r.String([]byte(profile.OtherName))})
		}
		return t.other
	}
	n := uint32(len(t.all))
	t.pairs.Add(key, n)
	t.all = append(t.all, text{category: category, name: name})
	return Text(n)
}

// category returns the entry of a category, 0 for none. The first of several in a list counts.
func (r *Recording) category(x *text) uint32 {
	name := strings.TrimPrefix(r.texts.list[x.category], "disabled-by-default-")
	name, _, _ = strings.Cut(name, ",")
	if name == "" {
		return 0
	}
	return r.w.Name(name)
}

func (r *Recording) spell(x *text) string {
	if s := r.texts.list[x.name]; s != "" {
		return s
	}
	return "[unnamed]"
}

// function returns the function of the slices with a name.
func (r *Recording) function(n Text) uint32 {
	x := &r.texts.all[n]
	if x.function == 0 {
		x.function = r.dict.Add(tracer.Code{Type: tracer.Function, Name: r.spell(x), Parent: r.category(x)})
	}
	return x.function
}

// mark returns the name of instants.
func (r *Recording) mark(n Text) uint32 {
	x := &r.texts.all[n]
	if x.mark == 0 {
		x.mark = r.dict.Add(tracer.Code{Type: tracer.Name, Name: r.spell(x), Parent: r.category(x)})
	}
	return x.mark
}

// class returns the class of the messages of a flow: its category, because many tools give each flow a name of its own.
func (r *Recording) class(n Text) uint32 {
	x := &r.texts.all[n]
	if x.class == 0 {
		x.class = r.w.MessageClass(cmp.Or(r.texts.list[x.category], "flow"))
	}
	return x.class
}

// parts is the number of parts of a counter's unit in its metric if it has values that are not whole.
const parts = 1000

// metric returns the metric of a counter and the factor of its values.
func (r *Recording) metric(n Text) (code uint32, factor float64) {
	x := &r.texts.all[n]
	factor = 1
	if x.fraction {
		factor = parts
	}
	if x.metric == 0 {
		name := r.spell(x)
		x.metric = r.w.Scaled(name, "", 1/factor)
	}
	return x.metric, factor
}

// Frame returns the calling context of a function that was called in another context, 0 for none.
func (r *Recording) Frame(parent uint32, n Text) uint32 {
	return r.dict.AddContext(tracer.Context{Parent: parent, Code: r.function(n)})
}

// Called returns the calling context of a function in a file that was called in another context, 0 for none. Line 0 is none.
func (r *Recording) Called(parent uint32, name, file string, line int64) uint32 {
	code := r.dict.Add(tracer.Code{Type: tracer.Function, Name: name, File: file, Line: int32(min(max(line, 0), math.MaxInt32))})
	return r.dict.AddContext(tracer.Context{Parent: parent, Code: code})
}

// stem returns the name of a thread without the number at its end, so that threads of a pool have one function.
func stem(name string) string {
	s := strings.TrimRight(name, "0123456789")
	if s == name {
		return name
	}
	s = strings.TrimRight(s, "/-#:_ ")
	if s == "" {
		return name
	}
	return s
}
