package goal

import (
	"io"
	"strconv"

	"whorl/replay/schedule"
)

// flushed is the number of bytes that Write writes at a time.
const flushed = 1 << 16

// Write writes a schedule. Labels are numbers of operations in their rank.
func Write(out io.Writer, s *schedule.Schedule) error {
	ranks := make([][]int32, s.Ranks)  // operations
	label := make([]int32, len(s.Ops)) // from 1
	for i := range s.Ops {
		r := s.Ops[i].Rank
		ranks[r] = append(ranks[r], int32(i))
		label[i] = int32(len(ranks[r]))
	}
	needs := s.Requirements()
	b := append(strconv.AppendInt([]byte(numRanks+" "), int64(s.Ranks), 10), '\n')
	for r, ops := range ranks {
		b = append(strconv.AppendInt(append(b, "\nrank "...), int64(r), 10), " {\n"...)
		for _, op := range ops {
			b = append(appendOp(appendLabel(b, label[op], ": "), &s.Ops[op]), '\n')
			for _, n := range needs(int(op)) {
				word := " requires "
				if n.Start {
					word = " irequires "
				}
				b = append(appendLabel(appendLabel(b, label[op], word), label[n.Op], ""), '\n')
			}
			if len(b) > flushed {
				if _, err := out.Write(b); err != nil {
					return err
				}
				b = b[:0]
			}
		}
		b = append(b, "}\n"...)
	}
	_, err := out.Write(b)
	return err
}

func appendLabel(b []byte, label int32, more string) []byte {
	return append(strconv.AppendInt(append(b, 'l'), int64(label), 10), more...)
}

func appendOp(b []byte, o *schedule.Op) []byte {
	if o.Kind == schedule.Calc {
		return strconv.AppendInt(append(b, "calc "...), o.Size, 10)
	}
	kind, peer := "send ", "b to "
	if o.Kind == schedule.Recv {
		kind, peer = "recv ", "b from "
	}
	b = append(strconv.AppendInt(append(b, kind...), o.Size, 10), peer...)
	b = append(strconv.AppendInt(b, int64(o.Peer), 10), " tag "...)
	return strconv.AppendInt(b, o.Tag, 10)
}
