package floors

// Whorl returns the rules of this module. docs/design.md describes the packages.
func Whorl() *Checker {
	return &Checker{
		Module: "whorl",
		Rows: []Row{
			{Pattern: "internal/nearest", Floor: -1}, // used in the errors of all packages
			{Pattern: "internal/figures", Floor: -1},
			{Pattern: "internal/lines", Floor: -1},
			{Pattern: "internal/nesting", Floor: -1},
			{Pattern: "internal/fault", Floor: -1},
			{Pattern: "internal/parallel", Floor: -1},
			{Pattern: "internal/packed", Floor: -1},
			{Pattern: "internal/page", Native: true},
			{Pattern: "internal/..."},

			{Pattern: "."}, // the source of built programs

			{Pattern: "tracer"},
			{Pattern: "tracer/taskindex"},
			{Pattern: "tracer/observed"},
			{Pattern: "visual/scene"},
			{Pattern: "visual/palette"},
			{Pattern: "visual/edit"},
			{Pattern: "visual/film"},
			{Pattern: "visual/layout/..."},
			{Pattern: "visual/glyph/cover"},

			{Pattern: "dts/clock"},
			{Pattern: "dts/codec"},
			{Pattern: "dts/deque"},
			{Pattern: "dts/remark"},

			{Pattern: "observe", Floor: 1}, // for programs of others: it imports nothing but tracer/observed
			{Pattern: "sim", Floor: 1},
			{Pattern: "dts/launch", Floor: 1},
			{Pattern: "dts/symbol", Floor: 1},
			{Pattern: "tracer/derive/clocks", Floor: 1},
			{Pattern: "tracer/query", Floor: 1},
			{Pattern: "tracer/store", Floor: 1},
			{Pattern: "visual/glyph", Floor: 1},
			{Pattern: "visual/icon", Floor: 1},

			{Pattern: "sim/policy", Floor: 2},
			{Pattern: "sim/live", Floor: 2},
			{Pattern: "sim/machines", Floor: 2},
			{Pattern: "replay/...", Floor: 2},
			{Pattern: "dts/goroutine", Floor: 2},
			{Pattern: "dts/journal", Floor: 2},
			{Pattern: "tracer/derive/...", Floor: 2},
			{Pattern: "tracer/formats/...", Floor: 2},
			{Pattern: "visual/backend/...", Floor: 2},
			{Pattern: "visual/space/...", Floor: 2, Native: true},
			{Pattern: "visual/sound", Floor: 2},
			{Pattern: "visual/flow", Floor: 2},

			{Pattern: "fghc/...", Floor: 3},
			{Pattern: "dts", Floor: 3},
			{Pattern: "dts/parallelize/...", Floor: 3, Native: true},
			{Pattern: "hpfsim/...", Floor: 3},
			{Pattern: "tracer/open", Floor: 3},
			{Pattern: "tracer/report", Floor: 3},
			{Pattern: "visual/ui/...", Floor: 3},
			{Pattern: "visual/view/...", Floor: 3},

			{Pattern: "benchmarks/...", Floor: 4},
			{Pattern: "dts/cluster/...", Floor: 4, Native: true},
			{Pattern: "fghc/system", Floor: 4, Native: true},
			{Pattern: "visual/network/...", Floor: 4},
			{Pattern: "visual/sheet", Floor: 4},

			{Pattern: "fghc/standalone", Floor: 5, Native: true},
			{Pattern: "experiment/...", Floor: 5},
			{Pattern: "visual/views/...", Floor: 5, Apart: true},
			{Pattern: "experiment/sweep", Floor: 6, Native: true},

			{Pattern: "visual/workspace/...", Floor: 6},
			{Pattern: "visual/documents", Floor: 6},
			{Pattern: "visual/share", Floor: 6},
			{Pattern: "visual/share/client", Floor: 7, Native: true},

			{Pattern: "lesson", Floor: 6},
			{Pattern: "lesson/script/...", Floor: 7, Native: true},
			{Pattern: "lessons", Native: true},

			{Pattern: "visual/app/...", Floor: 7},

			{Pattern: "visual/screen", Floor: 8},
			{Pattern: "serve", Floor: 7},
			{Pattern: "serve/session", Floor: 7, Native: true},
			{Pattern: "serve/host", Floor: 8, Native: true},

			{Pattern: "cmd/whorl/...", Floor: 9, Native: true},
			{Pattern: "cmd/whorl-view/...", Floor: 9},
			{Pattern: "cmd/whorl-runner", Floor: 9},
			{Pattern: "examples/...", Floor: 9, Native: true},
		},
		Outside: []Outside{
			{"github.com/BurntSushi/toml", []string{"experiment/sweep", "lesson/script/...", "sim/machines", "visual/network", "visual/workspace"}},
			{"github.com/coder/websocket", []string{"serve/session", "visual/share/client"}},
			{"github.com/ebitengine/oto", []string{"visual/screen"}},
			{"github.com/google/pprof", []string{"tracer/formats/pprof"}},
			{"github.com/hajimehoshi/bitmapfont", []string{"visual/glyph", "internal/page"}},
			{"github.com/hajimehoshi/ebiten", []string{"visual/screen"}},
			{"github.com/ianlancetaylor/demangle", []string{"tracer/formats/binary", "tracer/formats/profile"}},
			{"github.com/jezek/xgb", []string{"visual/screen"}},
			{"github.com/klauspost/compress", []string{"tracer/formats/otlp", "tracer/formats/spans", "tracer/open"}},
			{"github.com/nats-io", []string{"dts/cluster"}},
			{"github.com/parquet-go/parquet-go", []string{"experiment/sweep"}},
			{"github.com/peterh/liner", []string{"cmd/whorl/..."}},
			{"github.com/rogpeppe/go-internal", []string{"cmd/whorl/..."}},
			{"github.com/spf13/cobra", []string{"cmd/whorl/..."}},
			{"github.com/spf13/pflag", []string{"cmd/whorl/..."}},
			{"github.com/yuin/goldmark", []string{"lesson/script"}},
			{"github.com/therootcompany/xz", []string{"tracer/open"}},
			{"golang.org/x/arch", []string{"tracer/formats/binary"}},
			{"golang.org/x/image", []string{"visual/glyph", "internal/page"}},
			{"github.com/tetratelabs/wazero", []string{"hpfsim/wasm"}},
			{"golang.org/x/sync", []string{"internal/parallel", "experiment/...", "serve"}},
			{"golang.org/x/term", []string{"cmd/whorl/..."}},
			{"golang.org/x/tools", []string{"dts/parallelize/..."}},
			{"golang.org/x/sys", []string{"cmd/whorl/internal/makes", "cmd/whorl/internal/sampler"}},
			{"golang.org/x/text", []string{"fghc/encoding", "tracer/open"}},
			{"gonum.org/v1/gonum", []string{"hpfsim/exec"}},
		},
	}
}
