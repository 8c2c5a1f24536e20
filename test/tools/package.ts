// npm run package: builds for production, packs and checks modelbench-VERSION.vsix, and packs the command line.
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from '../../esbuild.mjs';
import { packCommandLine } from './cli-package.ts';
import { root } from './run.ts';
import { checkVsix, packageVsix, zipEntries } from './vsix.ts';

await build({ production: true });
const built = await packageVsix();
const bytes = readFileSync(built);
const entries = zipEntries(bytes);
for (const { path, bytes } of entries) console.log(`${String(Math.ceil(bytes / 1024)).padStart(6)} KB  ${path}`);
const { ok, output } = checkVsix(entries, bytes.length);
if (ok) {
  copyFileSync(built, join(root, basename(built)));
  console.log(`${basename(built)}: ${entries.length} files, ${Math.ceil(bytes.length / 1024)} KB`);
  const packed = await packCommandLine(root);
  console.log(`${basename(packed)}: ${Math.ceil(statSync(packed).size / 1024)} KB`);
} else {
  console.error(output);
  process.exitCode = 1;
}
