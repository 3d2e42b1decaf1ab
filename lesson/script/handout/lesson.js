// The page of a lesson: it checks answers as package lesson does, shows what predictions hide, and keeps what was done.
(function () {
"use strict";
const data = JSON.parse(document.getElementById("lesson").textContent);
const root = document.documentElement;
root.classList.add("scripted");
const say = (text, ...args) => { let i = 0; return ((data.say && data.say[text]) || text).replace(/%[sd]/g, () => args[i++]); };
const key = "whorl-lesson-" + data.name;
let done = {};
try { done = JSON.parse(localStorage.getItem(key)) || {}; } catch (e) { /* a page from a file may have no storage */ }
const keep = () => { try { localStorage.setItem(key, JSON.stringify(done)); } catch (e) { /* as above */ } count(); };
const count = () => { document.getElementById("progress").textContent = say("%d of %d done", data.asks.filter(a => done[a]).length, data.asks.length); };

const units = [
  [["ns", "nanosecond", "nanoseconds"], "time", 1], [["us", "µs", "μs", "microsecond", "microseconds"], "time", 1e3],
  [["ms", "millisecond", "milliseconds"], "time", 1e6], [["s", "sec", "second", "seconds"], "time", 1e9], [["min", "minute", "minutes"], "time", 60e9],
  [["%", "percent", "prozent"], "share", 0.01]];
const expected = { number: "Write a number, such as 12 or 1.5.", time: "Write a time with its unit, such as 2.5 ms or 40 us.", share: "Write a share, such as 35 % or 0.35." };

// numbers returns what a text can mean: 1,234 has a decimal comma or one between groups of digits.
function numbers(text) {
  text = text.replace(/[\s\u00a0\u202f\u2009'’_]/g, "");
  const out = [];
  for (const [decimal, group] of [[".", ","], [",", "."]]) {
    let s = text;
    if (s.includes(group)) {
      const parts = s.replace(/^[+-]+/, "").split(decimal)[0].split(group);
      if (parts[0].length < 1 || parts[0].length > 3 || parts.slice(1).some(p => !/^\d{3}$/.test(p))) continue;
      s = s.split(group).join("");
    }
    s = s.replace(decimal, ".");
    if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(s)) continue;
    const x = Number(s);
    if (isFinite(x) && !out.includes(x)) out.push(x);
  }
  return out;
}

// read returns the readings of an answer, or the sentence that says what is expected.
function read(text, measure) {
  text = text.trim();
  if (text === "" || text.length > 200) return [null, expected[measure]];
  text = text.replace(/^[~≈= ]+/, "");
  const digits = text.replace(/[^0-9.,]*$/, "");
  const unit = text.slice(digits.length).trim().toLowerCase();
  let size = 1, kind = "number", known = unit === "";
  for (const [names, m, s] of units) if (names.includes(unit)) { size = s; kind = m; known = true; }
  if (!known && !(measure === "number" && /^[a-zäöüß -]*$/.test(unit))) return [null, expected[measure]];
  if (known && kind === "number" && measure === "time" && /[^-+0.,]/.test(digits)) return [null, "Which unit? " + expected.time];
  if (known && kind !== "number" && kind !== measure) return [null, expected[measure]];
  const out = [];
  for (const x of numbers(digits)) {
    out.push(x * size);
    if (measure === "share" && kind === "number" && x > 1) out.push(x / 100);
  }
  return out.length ? [out, ""] : [null, expected[measure]];
}

const invalid = text => ({ invalid: true, text });

function judgeNumber(n, text) {
  const [readings, problem] = read(text, n.measure);
  if (problem) return invalid(say(problem));
  if (readings.some(x => Math.abs(x - n.value) <= n.tolerance)) return { right: true, text: say("Right: %s.", n.shown) };
  for (const near of n.near || []) if (readings.some(x => Math.abs(x - (near.value || 0)) <= (near.tolerance || 0))) return { text: near.why, near: true };
  const x = readings[0];
  if (n.measure === "share" && (x < 0 || x > 1)) return { text: say("A share lies between 0 and 100 %.") };
  if (x < 0 && n.value >= 0) return { text: say("This cannot be less than 0.") };
  if (x === 0) return { text: say("It is more than 0.") };
  let side = x < n.value ? "more" : "less";
  const r = x / n.value;
  if (r > 10 || r < 0.1) side = "much " + side;
  return { text: say("It is " + side + " than that.") };
}

const plain = text => text.trim().replace(/^[`'"]+|[`'"]+$/g, "").trim().toLowerCase().replace(/(.)\/\d+$/, "$1");

function judgeWords(w, text) {
  const name = plain(text);
  if (name === "") return invalid(say("Write a name."));
  if (w.accept.some(a => plain(a) === name)) return { right: true, text: say("Right: %s.", w.accept[0]) };
  for (const n of w.near || []) if (plain(n.text || "") === name) return { text: n.why, near: true };
  const known = w.known || [];
  if (known.length && !known.some(k => plain(k) === name)) return invalid(say("There is no %s here; known are %s.", '"' + text.trim() + '"', [...new Set(known.map(k => k.replace(/(.)\/\d+$/, "$1")))].slice(0, 12).join(", ")));
  return { text: say("It is not %s.", text.trim()) };
}

function judgeCurve(q, drawn) {
  if (drawn.length < 2 || drawn.some(p => !isFinite(p.y))) return invalid(say("Draw a curve from the left to the right."));
  let off = 0, worst = 0, at = 0;
  q.curve.points.forEach((p, i) => {
    const d = drawn[i].y - p.y;
    off += Math.abs(d);
    if (Math.abs(d) > Math.abs(worst)) { worst = d; at = p.x; }
  });
  if (off / q.curve.points.length / Math.max(q.most, 1e-12) <= 0.1) return { right: true, text: say("Your curve is near the measured one.") };
  return { text: say(worst > 0 ? "Your curve is too high, most at %s." : "Your curve is too low, most at %s.", at) };
}

// A plot is the field of a curve. Its scale is that of the true curve, so that the height of the field says nothing more than the order of magnitude.
function plot(form, q) {
  const svg = form.querySelector("svg"), inputs = [...form.querySelectorAll("input[data-x]")], points = q.curve.points;
  const W = 640, H = 320, left = 64, right = 20, top = 28, bottom = 40;
  const nice = top => { const e = Math.pow(10, Math.floor(Math.log10(top))); return [1, 2, 4, 6, 8, 10].map(f => f * e).find(v => v >= top); };
  const most = nice(1.25 * Math.max(q.most, 1e-12));
  let unit = 1, name = "";
  if (q.curve.unit === "ns") [unit, name] = most >= 1e9 ? [1e9, " s"] : most >= 1e6 ? [1e6, " ms"] : most >= 1e3 ? [1e3, " µs"] : [1, " ns"];
  if (q.curve.unit === "%") [unit, name] = [0.01, " %"];
  const place = q.curve.log ? Math.log : x => x;
  const x0 = place(points[0].x), x1 = place(points[points.length - 1].x);
  const px = x => left + (place(x) - x0) / (x1 - x0) * (W - left - right);
  const py = y => H - bottom - y / most * (H - top - bottom);
  const mine = points.map(p => ({ x: p.x, y: NaN }));
  const show = truth => {
    let s = "";
    for (let i = 0; i <= 4; i++) {
      const y = most * i / 4;
      s += `<line class="axis" x1="${left}" x2="${W - right}" y1="${py(y)}" y2="${py(y)}"/><text x="${left - 8}" y="${py(y) + 4}" text-anchor="end">${+(y / unit).toPrecision(3)}${name}</text>`;
    }
    for (const p of points) s += `<text x="${px(p.x)}" y="${H - bottom + 18}" text-anchor="middle">${p.x}</text>`;
    s += `<text x="${(left + W - right) / 2}" y="${H - 6}" text-anchor="middle"></text><text x="8" y="14"></text>`;
    const line = (list, name) => { const seen = list.filter(p => isFinite(p.y)); return seen.length ? `<polyline class="${name}" points="${seen.map(p => px(p.x) + "," + py(p.y)).join(" ")}"/>` : ""; };
    if (q.curve.ideal === "linear") s += line(points.map(p => ({ x: p.x, y: points[0].y / points[0].x * p.x })), "ideal");
    s += line(mine, "mine") + mine.filter(p => isFinite(p.y)).map(p => `<circle cx="${px(p.x)}" cy="${py(p.y)}" r="4"/>`).join("");
    if (truth) s += line(points, "true") + `<text x="${W - right}" y="${top + 2}" text-anchor="end">— ${say("your curve")}   - - ${say("measured")}</text>`;
    svg.innerHTML = s;
    const names = [...svg.querySelectorAll("text")].slice(5 + points.length);
    names[0].textContent = q.curve.x || "";
    names[1].textContent = q.curve.y || "";
  };
  let last = -1;
  const draw = e => {
    const r = svg.getBoundingClientRect(), x = (e.clientX - r.left) / r.width * W, y = (e.clientY - r.top) / r.height * H;
    let best = 0;
    points.forEach((p, i) => { if (Math.abs(px(p.x) - x) < Math.abs(px(points[best].x) - x)) best = i; });
    const height = Math.min(Math.max((H - bottom - y) / (H - top - bottom), 0), 1) * most;
    const from = last < 0 ? best : last, was = last < 0 ? height : mine[last].y;
    for (let i = Math.min(from, best); i <= Math.max(from, best); i++) set(i, from === best ? height : was + (height - was) * (i - from) / (best - from));
    last = best;
    show(false);
  };
  const set = (i, y) => { mine[i].y = y; inputs[i].value = +(y / unit).toPrecision(3); };
  svg.addEventListener("pointerdown", e => { svg.setPointerCapture(e.pointerId); last = -1; draw(e); });
  svg.addEventListener("pointermove", e => { if (e.buttons) draw(e); });
  inputs.forEach((input, i) => {
    input.after(name);
    input.addEventListener("input", () => { mine[i].y = input.value === "" ? NaN : Number(input.value) * unit; show(false); });
  });
  show(false);
  return { mine, show };
}

for (const article of document.querySelectorAll(".set")) {
  const questions = (data.sets || [])[article.dataset.set] || {};
  const open = id => article.querySelectorAll(`.reveal[data-after="${id}"]`).forEach(r => r.classList.add("open"));
  for (const section of article.querySelectorAll(".ask")) {
    const id = section.dataset.id, q = questions[id], form = section.querySelector("form"), box = section.querySelector("input.done");
    if (box) {
      box.checked = !!done[id];
      box.addEventListener("change", () => { done[id] = box.checked; keep(); });
      continue;
    }
    const predicts = section.classList.contains("predict"), verdict = section.querySelector(".verdict"), field = q.kind === "curve" ? plot(form, q) : null;
    form.addEventListener("submit", e => {
      e.preventDefault();
      const text = form.querySelector("input[type=text]"), radio = form.querySelector("input[type=radio]:checked");
      let v;
      if (q.kind === "choice") {
        v = radio ? { right: q.choices[radio.value].right, text: q.choices[radio.value].why } : invalid(say("Choose one of the %d answers.", q.choices.length));
        if (predicts && radio && !v.right) v.text += " " + say("The answer is: %s", q.choices.find(c => c.right).text);
      } else if (q.kind === "curve") v = judgeCurve(q, field.mine);
      else if (q.kind === "text") v = judgeWords(q.words, text.value);
      else v = judgeNumber(q.number, text.value);
      if (predicts && !v.invalid && text) {
        const said = text.value.trim(), answer = q.kind === "number" ? q.number.shown : q.words.accept[0];
        if (v.near) v.text = say("You said %s. %s The answer is %s.", said, v.text, answer);
        else v.text = say(q.kind === "number" ? "You said %s; it is %s." : "You said %s; it is called %s.", said, answer);
      }
      verdict.textContent = v.text;
      verdict.classList.toggle("good", !!v.right);
      verdict.classList.toggle("bad", !v.right && !predicts);
      if (v.invalid || !(v.right || predicts)) return;
      section.classList.add("right");
      if (field) field.show(true);
      const explain = section.querySelector(".explain");
      if (explain) explain.hidden = false;
      if (predicts) open(id);
      done[id] = true;
      keep();
    });
  }
}
const sets = document.getElementById("sets");
if (sets) sets.addEventListener("change", () => document.querySelectorAll(".set").forEach(a => { a.hidden = a.dataset.set !== sets.value; }));
count();
})();
