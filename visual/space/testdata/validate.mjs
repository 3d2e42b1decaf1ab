// Usage: validate.mjs FOLDER FILE...
// It prints the report of the Khronos validator on each glTF file as a line of JSON. The packages are in FOLDER.
import fs from 'node:fs';
import { createRequire } from 'node:module';
const [folder, ...files] = process.argv.slice(2);
const validator = createRequire(folder + '/')('gltf-validator');
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 10 });
  console.log(JSON.stringify({ issues: report.issues.messages, animations: report.info?.animationCount ?? 0, triangles: report.info?.totalTriangleCount ?? 0 }));
}
