package lower

import (
	"math/bits"
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
	"whorl/internal/nearest"
)

// The modules of procedures that HPF 2.0 defines, in sections 7.7 and 11.7.
const (
	hpfLibrary      = "HPF_LIBRARY"
	hpfLocalLibrary = "HPF_LOCAL_LIBRARY"
)

// library lists the procedures of the modules HPF_LIBRARY and HPF_LOCAL_LIBRARY.
func library() []Intrinsic {
	var out []Intrinsic
	row := func(op Operation, name string, sort Sort, result Result, cost int, first Kinds, params string) {
		out = append(out, Intrinsic{Name: name, Op: op, Sort: sort, Result: result, Cost: cost, Module: hpfLibrary}.params(first, params))
	}
	count := func(name string, op Operation, f func(v Value, t Type) int64) {
		row(op, name, Elemental, ToInteger, 2, ints, "I")
		out[len(out)-1].compute = func(v []Value, types []Type, _ Type) (Value, bool) { return Value{I: f(v[0], types[0])}, true }
	}
	ones := func(v Value, t Type) int64 { return int64(bits.OnesCount64(unsigned(v.I, t))) }
	count("LEADZ", OpLeadz, func(v Value, t Type) int64 {
		return int64(bits.LeadingZeros64(unsigned(v.I, t))) - 64 + 8*int64(t.Size)
	})
	count("POPCNT", OpPopcnt, ones)
	count("POPPAR", OpPoppar, func(v Value, t Type) int64 { return ones(v, t) & 1 })

	joins := []struct {
		name  string
		op    Operation
		first Kinds
		mask  string // an optional argument
	}{
		{"SUM", OpSum, numbers, "MASK"},
		{"PRODUCT", OpProduct, numbers, "MASK"},
		{"MAXVAL", OpMaxval, reals, "MASK"},
		{"MINVAL", OpMinval, reals, "MASK"},
		{"IALL", OpIall, ints, "MASK"},
		{"IANY", OpIany, ints, "MASK"},
		{"IPARITY", OpIparity, ints, "MASK"},
		{"ALL", OpAll, logicals, ""},
		{"ANY", OpAny, logicals, ""},
		{"PARITY", OpParity, logicals, ""},
		{"COUNT", OpCount, logicals, ""},
		{"COPY", NoOperation, anything, ""},
	}
	for _, j := range joins {
		array, result := "ARRAY", OfArgument
		if j.first == logicals {
			array = "MASK"
		}
		if j.op == OpCount {
			result = ToInteger
		}
		if j.op >= OpIall && j.op <= OpParity {
			row(j.op, j.name, Reduction, result, 1, j.first, array+" [DIM "+j.mask+"]")
		}
		exclusive := " EXCLUSIVE"
		if j.op == NoOperation {
			exclusive = ""
		}
		row(OpPrefix, j.name+"_PREFIX", Transform, result, 2, j.first, array+" [DIM "+j.mask+" SEGMENT"+exclusive+"]")
		row(OpSuffix, j.name+"_SUFFIX", Transform, result, 2, j.first, array+" [DIM "+j.mask+" SEGMENT"+exclusive+"]")
		mask := j.mask
		if j.op == NoOperation {
			mask = "MASK"
		}
		row(OpScatter, j.name+"_SCATTER", Transform, result, 3, j.first, array+" BASE INDX1 [INDX2 INDX3 INDX4 INDX5 INDX6 INDX7 "+mask+"]")
		for k := range out[len(out)-3:] {
			out[len(out)-3+k].Join = j.op
		}
	}
	for _, name := range []string{"UP", "DOWN"} {
		row(OpGrade, "GRADE_"+name, Transform, ToInteger, 10, reals|chars, "ARRAY [DIM]")
		row(OpSort, "SORT_"+name, Transform, OfArgument, 10, reals|chars, "ARRAY [DIM]")
	}
	inform := func(op Operation, name string, params ...Param) {
		out = append(out, Intrinsic{Name: name, Op: op, Sort: Subroutine, Cost: 10, Params: params, least: 1, Module: hpfLibrary})
	}
	scalar := func(k Kinds, name string) Param { return Param{Name: name, Kinds: k, Shape: Scalar, Out: true} }
	vector := func(k Kinds, name string) Param { return Param{Name: name, Kinds: k, Shape: Vector, Out: true} }
	array := func(name string) Param { return Param{Name: name, Kinds: anything} }
	inform(OpHPFAlignment, "HPF_ALIGNMENT", array("ALIGNEE"), vector(ints, "LB"), vector(ints, "UB"), vector(ints, "STRIDE"), vector(ints, "AXIS_MAP"),
		scalar(logicals, "IDENTITY_MAP"), scalar(logicals, "DYNAMIC"), scalar(ints, "NCOPIES"))
	inform(OpHPFTemplate, "HPF_TEMPLATE", array("ALIGNEE"), scalar(ints, "TEMPLATE_RANK"), vector(ints, "LB"), vector(ints, "UB"), vector(chars, "AXIS_TYPE"),
		vector(ints, "AXIS_INFO"), scalar(ints, "NUMBER_ALIGNED"), scalar(logicals, "DYNAMIC"))
	inform(OpHPFDistribution, "HPF_DISTRIBUTION", array("DISTRIBUTEE"), vector(chars, "AXIS_TYPE"), vector(ints, "AXIS_INFO"), scalar(ints, "PROCESSORS_RANK"),
		vector(ints, "PROCESSORS_SHAPE"))

	local := len(out)
	row(OpMyProcessor, "MY_PROCESSOR", Inquiry, ToInteger, 1, ints, "")
	row(OpGlobalShape, "GLOBAL_SHAPE", Inquiry, ToInteger, 1, anything, "SOURCE")
	row(OpGlobalSize, "GLOBAL_SIZE", Inquiry, ToInteger, 1, anything, "ARRAY [DIM]")
	row(OpLocalBlocks, "LOCAL_BLKCNT", Inquiry, ToInteger, 2, anything, "L_ARRAY [DIM PROC]")
	row(OpLocalBlocks, "LOCAL_LINDEX", Inquiry, ToInteger, 2, anything, "L_ARRAY DIM [PROC]")
	row(OpLocalBlocks, "LOCAL_UINDEX", Inquiry, ToInteger, 2, anything, "L_ARRAY DIM [PROC]")
	in := Param{Name: "", Kinds: ints, Shape: Vector}
	index := func(name string) Param { p := in; p.Name = name; return p }
	inform(OpGlobalToLocal, "GLOBAL_TO_LOCAL", array("ARRAY"), index("G_INDEX"), vector(ints, "L_INDEX"), scalar(logicals, "LOCAL"), scalar(ints, "NCOPIES"), vector(ints, "PROCS"))
	inform(OpLocalToGlobal, "LOCAL_TO_GLOBAL", array("ARRAY"), index("L_INDEX"), vector(ints, "G_INDEX"))
	for k := range out[local:] {
		out[local+k].Module = hpfLocalLibrary
	}
	return out
}

// unsigned returns the bits of an integer of a type.
func unsigned(i int64, t Type) uint64 {
	if t.Size == 8 {
		return uint64(i)
	}
	return uint64(i) & (1<<(8*uint(t.Size)) - 1)
}

// intrinsicNamed returns the intrinsic procedure of a name, or that of a module of HPF that the unit or one around it uses. It returns nil for other names.
func (l *lowerer) intrinsicNamed(name string) *Intrinsic {
	fn := intrinsics[name]
	if fn == nil || fn.Module == "" || slices.Contains(withoutModule, name) {
		return fn
	}
	for u := l.unit; u != nil; u = u.Host {
		if l.brings(u, fn, 0) {
			return fn
		}
	}
	return nil
}

// brings reports whether a unit uses the module of a procedure, directly or through modules of the program.
func (l *lowerer) brings(u *Unit, fn *Intrinsic, depth int) bool {
	for _, s := range u.Specs {
		use, ok := s.(*syntax.Use)
		if !ok || use.Only && !slices.ContainsFunc(use.Names, func(r syntax.Rename) bool { return r.Name.Text == fn.Name }) {
			continue
		}
		m := l.units[use.Module.Text]
		if use.Module.Text == fn.Module && m == nil || m != nil && m.Kind == syntax.Module && depth < len(l.prog.Units) && l.brings(m, fn, depth+1) {
			return true
		}
	}
	return false
}

// fromLibrary checks the names in a USE of a module of HPF.
func (l *lowerer) fromLibrary(s *syntax.Use) {
	for _, r := range s.Names {
		fn := intrinsics[r.Name.Text]
		switch {
		case fn == nil || fn.Module != "" && fn.Module != s.Module.Text || fn.Module == "" && fn.Op != OpNumberOfProcessors && fn.Op != OpProcessorsShape && fn.Op != OpIlen:
			var known []string
			for name, fn := range intrinsics {
				if fn.Module == s.Module.Text {
					known = append(known, name)
				}
			}
			slices.Sort(known)
			l.fail(r.Name.Pos, nearest.Suggest("a procedure of the module", nearest.Names(r.Name.Text, known)), "%s has no procedure %s, or it is not in the subset", s.Module.Text, r.Name.Text)
		case r.Local.Text != r.Name.Text:
			l.fail(r.Local.Pos, r.Name.Text, "another name for a procedure of %s: legal, but not in the subset", s.Module.Text)
		}
	}
}

// scatterArgs names the arguments of an XXX_SCATTER: a logical one after the indices is the mask.
func scatterArgs(fn *Intrinsic, args []syntax.Arg, values []Expr) []syntax.Arg {
	out := slices.Clone(args)
	if k := len(out) - 1; k > 2 && out[k].Keyword == "" && values[k].Type().Base == syntax.LogicalType && fn.Params[len(fn.Params)-1].Name == "MASK" {
		out[k].Keyword = "MASK"
	}
	return out
}

// libraryRank returns the rank of the result of a function of HPF_LIBRARY. It reports arguments of wrong ranks.
func (l *lowerer) libraryRank(c *Call) (int, bool) {
	switch rank := c.Args[0].Rank(); c.Fn.Op {
	case OpScatter:
		base := c.Args[1]
		if c.Fn.Join == OpCount {
			c.T = base.Type()
		}
		indices := 0
		for _, x := range c.Args[2:9] {
			if x == nil {
				continue
			}
			if indices++; x.Type().Base != syntax.IntegerType || x.Rank() != rank && x.Rank() > 0 {
				l.fail(x.Position(), "integers in the shape of the first argument", "an index of %s is %s", c.Fn.Name, described(x))
				return 0, false
			}
		}
		if rank == 0 || indices != base.Rank() {
			l.fail(c.Pos, "an array, and an index for each dimension of BASE", "%s of %s with %d indices into %s", c.Fn.Name, described(c.Args[0]), indices, described(base))
			return 0, false
		}
		if base.Type().Base != c.T.Base {
			l.fail(base.Position(), c.T.String(), "the BASE of %s is %s", c.Fn.Name, described(base))
			return 0, false
		}
		c.Args[1] = l.convert(base, c.T)
		return base.Rank(), true
	case OpGrade:
		if c.Args[1] == nil {
			return 2, rank > 0 || l.scalarGiven(c)
		}
		return rank, rank > 0 || l.scalarGiven(c)
	default:
		return rank, rank > 0 || l.scalarGiven(c)
	}
}

func (l *lowerer) scalarGiven(c *Call) bool {
	l.fail(c.Pos, "an array", "%s of a scalar", c.Fn.Name)
	return false
}

// Descending reports whether a GRADE or a SORT puts the largest elements first.
func (fn *Intrinsic) Descending() bool { return strings.HasSuffix(fn.Name, "_DOWN") }
