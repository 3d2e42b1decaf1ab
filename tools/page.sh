#!/bin/bash
# page.sh FOLDER: the page of the viewer, put into the folder, from which any web server can serve it. Says how large it is.
# page.sh vet PACKAGE...: go vet of packages as they are compiled for the page, so that a page that has been built has compiled what vet reads.
set -euo pipefail
mkdir -p bin

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

# As in tools/test.sh, whose flags the go command else counts as others than none, though programs for the browser never have these tables.
flags+=("-gcflags=all=-dwarf=false")

# Packages that neither a frame of the viewer nor a run waits for are compiled without inlining, which makes the page smaller.
for cold in whorl/hpfsim/{charge,lower,preprocess,structure,syntax,mapping,textio,unit,folder} whorl/fghc/{syntax,check,compile,builtin,report,edit,inline,encoding,library} whorl/{experiment/...,dts/cluster,benchmarks} \
	whorl/visual/app/{chooser,clock,course,describe,detach,export,expression,gallery,keys,launch,lessons,measuring,outbox,panes,peer,play,pointing,questions,quick,rhythm,runs,saving,search,settings,sharing,tiles,welcome,whatif} \
	whorl/visual/app whorl/visual/share whorl/lesson whorl/visual/view/{page,trail} whorl/visual/views/{kinds,source} whorl/tracer/derive/{efficiency,kinds,clocks,loops} whorl/internal/figures whorl/visual/ui/widget whorl/visual/ui/gesture whorl/visual/{documents,workspace,workspace/stage,screen,sheet,network,network/{cut,filter,modules,shown,wiring},edit,views/{modules,efficiency,measures,comparison,sweep,waits,calltable,procedures},ui,view/selector,backend/svg,backend/pdf} whorl/cmd/... whorl/internal/{nesting,fault,files,nearest,shell,bootstrap} \
	whorl/tracer/formats/... whorl/tracer/{observed,open,query,report,derive/table} reflect time encoding/json encoding/csv text/tabwriter regexp regexp/syntax fmt os os/exec net/url net/netip image/png compress/... \
	flag io/fs path/filepath os/signal syscall bufio encoding/base64 hash/crc32 crypto/... internal/bisect internal/poll whorl/sim/machines github.com/BurntSushi/toml golang.org/x/text/... golang.org/x/image/font/sfnt; do
	flags+=("-gcflags=$cold=-l")
done

if [ "$1" = vet ]; then
	GOOS=js GOARCH=wasm go vet "${flags[@]}" -trimpath "${@:2}"
	exit
fi
out=$1
mkdir -p "$out"

# pack COMMAND FILE: the command as a module for the browser, packed. The linker leaves a module as it is when nothing has changed, and then so is the
# file.
pack() {
	local linked=bin/linked/$1 built=bin/$1.wasm sum
	sum=$(cat internal/page/*.go "$linked" | cksum)
	if [ -e "$out/$2" ] && [ "$sum" = "$(cat "$built.sum" 2>/dev/null)" ]; then return; fi
	cp "$linked" "$built"
	go run ./internal/page memory "$built"
	if [ -n "$packer" ]; then
		"$packer" a -tgzip -mx=9 -bd -si -so packed <"$built" >"$out/$2.new" 2>/dev/null
	else
		gzip -9 -n -c "$built" >"$out/$2.new"
	fi
	mv "$out/$2.new" "$out/$2"
	echo "$sum" >"$built.sum"
}

# The page may have 6,500,000 bytes, and the program that it loads for the first run 4,500,000 (TestPageIsSmall). 7-Zip makes them 4 % smaller than
# gzip. What takes how much of them: go run ./internal/page sizes bin/whorl-view.wasm
packer=
if tools/need.sh 7zz 7zip; then packer=7zz; fi
mkdir -p bin/linked
GOOS=js GOARCH=wasm go build "${flags[@]}" -trimpath -ldflags='-s -w' -o bin/linked/ ./cmd/whorl-view ./cmd/whorl-runner
pack whorl-runner runner.wasm.gz &
pack whorl-view whorl.wasm.gz
wait $!
cp serve/page/* "$out"

# The lessons with their answers lie beside the page, which does not read Markdown. They are computed again when a program that does has changed.
if [ ! -e "$out/lessons.json" ] || [ -n "$(find lessons $(go list -deps -f '{{if not .Standard}}{{.Dir}}{{end}}' ./lesson/script/solve | grep "^$PWD/") -type f -newer "$out/lessons.json" -print -quit)" ]; then
	go run -trimpath ./cmd/whorl lesson -o "$out/lessons.json"
fi

cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$out"
sum=$(cat "$out"/*.html "$out"/*.js "$out"/*.gz "$out/lessons.json" | cksum)
sed -i "s/unversioned/${sum/ /-}/" "$out/offline.js"
echo '{"traces": []}' >"$out/whorl.json"
echo "$out: $(cat "$out"/*.html "$out"/*.js "$out/whorl.wasm.gz" | wc -c) bytes, and $(wc -c <"$out/runner.wasm.gz") for the first run"
