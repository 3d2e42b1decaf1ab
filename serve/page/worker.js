"use strict";

// A worker runs one program. What the page sends before the program listens is kept for it.
importScripts("wasm_exec.js", "load.js");

const early = [];
onmessage = (e) => {
	if (!e.data.module) {
		early.push(e);
		return;
	}
	run(e.data.module, "worker").then(
		(last) => postMessage({ stopped: last || "it has ended" }),
		(error) => postMessage({ stopped: error.message }),
	);
};

// listen is called by the program when it can hear.
function listen(heard) {
	onmessage = heard;
	for (const e of early) heard(e);
}
