#!/bin/bash
# page.sh FOLDER: the page of the viewer, put into the folder, from which any web server can serve it. Says how large it is.
set -euo pipefail
out=$1
built=bin/whorl-view.wasm
mkdir -p "$out" bin

# The fallback font has six variants of 400 kB, and tables that shape Arabic. visual/glyph uses one variant. The page is built against a copy
# of the font in which the others are empty. The one that is used is unpacked there, in an order that compresses well with the page.
flags=()
if ! grep -qE 'bitmapfont\.Face[A-Za-z]' visual/glyph/*.go; then
	font=github.com/hajimehoshi/bitmapfont/v3
	copy=$PWD/bin/page
	rm -rf "$copy"
	mkdir -p "$copy/data"
	go mod download $font # on a machine that has built nothing yet, go list knows no folder
	dir=$(go list -m -f '{{.Dir}}' $font)
	cp -r "$dir"/*.go "$dir/internal" "$dir/go.mod" "$copy"
	chmod -R u+w "$copy"
	grep -q 'bitmapfont\.Presentation' visual/glyph/*.go || rm "$copy/presentation.go" # which has all languages in it
	for f in "$dir"/data/*.bin; do : >"$copy/data/${f##*/}"; done
	go run ./internal/page font >"$copy/data/face_ja.bin"
	sed -i -e '/pierrec\/lz4/d' -e 's/lz4\.NewReader(binFile)/binFile/' "$copy/lazyface.go"
	sed -i 's|idx := b\.width\*j + i$|idx := ((j/16*256+i/12)*12+i%12)*16 + j%16|' "$copy"/internal/bitmap/*.go
	cp go.mod bin/page.mod
	cp go.sum bin/page.sum
	go mod edit -replace "$font=$copy" bin/page.mod
	flags=(-modfile=bin/page.mod)
	go run "${flags[@]}" ./internal/page font | cmp - "$copy/data/face_ja.bin" || { echo "page: the fallback font has changed" >&2; exit 1; }
fi

# Packages that no frame waits for are compiled without inlining, which makes the page a twentieth smaller. The simulated machine and
# hpfsim/exec keep inlining: without it programs in HPF take up to 1.6 times as long, and programs in FGHC as long as with it. The page may have
# 6,000,000 bytes (TestPageIsSmall); it has about 5,990,000. Other packers of the same format make it 4 % smaller (7z -tgzip -mx=9 in 11 s,
# zopfli in 36 s).
for cold in whorl/hpfsim/{charge,lower,syntax,mapping,textio} whorl/fghc/{syntax,check,compile,builtin,report,edit,inline,encoding} whorl/{experiment/...,dts/...,benchmarks,benchmarks/spike,benchmarks/threads} \
	whorl/visual/{app,app/{chooser,search,runs,settings,keys,rhythm,clock},ui/...,edit,documents,workspace,screen,view/...,layout/{columns,terrain,strips,ticks,tidy,sunburst},backend/svg} \
	whorl/visual/views/{kaleidoscope,efficiency,bodies,measures,source,cascade,overview,procedures,sunburst,calltable,kinds,halo,detail,surface,threadgraph,utilisation,timeline} \
	whorl/tracer/formats/... whorl/tracer/{open,report} whorl/tracer/derive/... encoding/json encoding/csv text/tabwriter regexp regexp/syntax fmt os os/exec net/url net/netip unicode/utf16 image/png compress/... \
	whorl/visual/{flow,palette,icon,sound,scene,glyph,layout/radial,views,app/paint} whorl/sim/{policy,machines,live} whorl/fghc/{term,steps,library,emulator,bytecode,semispace,recording,world,layout,system,arith} whorl/tracer whorl/tracer/{store,taskindex} whorl/internal/... whorl/cmd/... context strings bytes hash/... encoding/binary encoding/hex errors io/fs path/filepath os/signal strconv sort text/tabwriter image image/draw golang.org/x/image/... \
	math/big reflect time flag bufio encoding/base64 github.com/BurntSushi/toml golang.org/x/text/... ; do
	flags+=("-gcflags=$cold=-l")
done

GOOS=js GOARCH=wasm go build "${flags[@]}" -trimpath -ldflags='-s -w' -o "$built.new" ./cmd/whorl-view
go run ./internal/page memory "$built.new"
if ! cmp -s "$built.new" "$built" || [ ! -e "$out/whorl.wasm.gz" ]; then
	gzip -9 -n -c "$built.new" >"$out/whorl.wasm.gz.new"
	mv "$out/whorl.wasm.gz.new" "$out/whorl.wasm.gz"
fi
mv "$built.new" "$built"
cp serve/page/* "$out"
cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$out"
echo '{"traces": []}' >"$out/whorl.json"
echo "$out: $(($(gzip -c "$out"/*.html "$out"/*.js | wc -c) + $(wc -c <"$out/whorl.wasm.gz"))) bytes packed"
