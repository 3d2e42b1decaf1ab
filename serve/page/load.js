"use strict";

// load fetches and compiles a program.
const load = async (url) => compile(await bytes(url));

// bytes fetches a file.
async function bytes(url) {
	const answer = await fetch(url);
	if (!answer.ok) throw new Error(`${url}: the server answers ${answer.status} ${answer.statusText}`);
	return answer.blob();
}

// compile compiles a program. The file is compressed with gzip; the page decompresses it unless the server did.
async function compile(blob) {
	const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
	let stream = blob.stream();
	if (head[0] === 0x1f && head[1] === 0x8b) stream = stream.pipeThrough(new DecompressionStream("gzip"));
	return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}

// run starts a compiled program with its name and arguments. When the program has ended, run returns the last lines that it wrote.
async function run(module, ...argv) {
	const last = [];
	const write = fs.writeSync;
	fs.writeSync = (fd, bytes) => {
		last.push(new TextDecoder().decode(bytes));
		if (last.length > 40) last.shift();
		return write(fd, bytes);
	};
	const go = new Go();
	go.argv = argv;
	const instance = await WebAssembly.instantiate(module, go.importObject);
	globalThis.programMemory = instance.exports.mem; // generated code shares it
	await go.run(instance);
	return last.join("").trim();
}
