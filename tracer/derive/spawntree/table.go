package spawntree

// An Entry is a row of the table of Figure 6: a node of which children may still come.
type Entry struct {
	Parent uint64 // task of the parent, 0 for a root
	Level  int32
	Left   int32 // children still to come; unknown for a thread, which has its entry until it ends
	Node   int32 // second pass: the node itself or, where its level is condensed, its nearest ancestor that is not
	Own    bool  // Node is the node itself
	Flag   bool  // the node is in the subtree that was asked for
	link   int32 // its place in the skeleton
}

// unknown is the Left of a thread.
const unknown = -1

// A Table holds the entries by task. A pass asks for tasks that have no entry too.
type Table interface {
	// Put enters a task that has no entry.
	Put(task uint64, e Entry)
	// Get returns the entry of a task, nil where there is none. It may be changed in place, until the next Put or Drop.
	Get(task uint64) *Entry
	// Drop says that a task needs its entry no more; it may be used for another.
	Drop(task uint64)
}

// A Hash is a closed hash table: the entries lie in one array, each in the first free place from where its task's hash points to. Entries
// that were dropped are used again, so that it only grows with the number of nodes that wait for children at one time. The zero Hash is
// empty and ready.
type Hash struct {
	slots []slot
	shift uint // 64 - log2 of the number of slots
	used  int
	most  int
}

type slot struct {
	task uint64 // 0: free
	Entry
}

// Len is the number of entries.
func (h *Hash) Len() int { return h.used }

// Most is the largest number of entries there were at one time.
func (h *Hash) Most() int { return h.most }

func (h *Hash) home(task uint64) int { return int(task * 0x9e3779b97f4a7c15 >> h.shift) }

// Put is of Table.
func (h *Hash) Put(task uint64, e Entry) {
	if h.used*4 >= len(h.slots)*3 {
		h.grow()
	}
	h.used++
	h.most = max(h.most, h.used)
	i := h.home(task)
	for h.slots[i].task != 0 {
		i = (i + 1) & (len(h.slots) - 1)
	}
	h.slots[i] = slot{task, e}
}

// Get is of Table.
func (h *Hash) Get(task uint64) *Entry {
	if i := h.find(task); i >= 0 {
		return &h.slots[i].Entry
	}
	return nil
}

func (h *Hash) find(task uint64) int {
	if h.used == 0 || task == 0 {
		return -1
	}
	for i := h.home(task); h.slots[i].task != 0; i = (i + 1) & (len(h.slots) - 1) {
		if h.slots[i].task == task {
			return i
		}
	}
	return -1
}

// Drop is of Table. The entries that follow move up, so that no search ends at the gap before it has found its task.
func (h *Hash) Drop(task uint64) {
	gap := h.find(task)
	if gap < 0 {
		return
	}
	h.used--
	mask := len(h.slots) - 1
	for i := (gap + 1) & mask; h.slots[i].task != 0; i = (i + 1) & mask {
		if way := (i - h.home(h.slots[i].task)) & mask; way >= (i-gap)&mask {
			h.slots[gap] = h.slots[i]
			gap = i
		}
	}
	h.slots[gap] = slot{}
}

func (h *Hash) grow() {
	old := h.slots
	h.slots = make([]slot, max(64, 2*len(old)))
	h.shift = 64
	for n := len(h.slots); n > 1; n /= 2 {
		h.shift--
	}
	for _, s := range old {
		if s.task == 0 {
			continue
		}
		i := h.home(s.task)
		for h.slots[i].task != 0 {
			i = (i + 1) & (len(h.slots) - 1)
		}
		h.slots[i] = s
	}
}
