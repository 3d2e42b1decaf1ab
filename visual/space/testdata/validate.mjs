// validate.mjs FOLDER FILE...: what the validator of Khronos has to say of files of glTF, as JSON, a line for each. The programs are in FOLDER.
import fs from 'node:fs';
import { createRequire } from 'node:module';
const [folder, ...files] = process.argv.slice(2);
const validator = createRequire(folder + '/')('gltf-validator');
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 10 });
  console.log(JSON.stringify({ issues: report.issues.messages, animations: report.info?.animationCount ?? 0, triangles: report.info?.totalTriangleCount ?? 0 }));
}
