import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundles } from '../../esbuild.mjs';
import { mustRun, root } from './run.ts';
import { smallerZip } from './smaller-zip.ts';
import type { Step, StepResult } from './steps.ts';

export interface VsixEntry {
  readonly path: string;
  /** Size unpacked, in bytes. */
  readonly bytes: number;
}

/** Maximum size of the package, in bytes. */
export const vsixLimit = 3400 * 1024;

const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/package(\.nls(\.[a-z-]+)?)?\.json$/,
  /^extension\/(readme\.md|changelog\.md|LICENSE\.txt)$/i,
  /^extension\/l10n\/bundle\.l10n(\.[a-z-]+)?\.json$/,
  /^extension\/dist\/package\.json$/,
  /^extension\/dist\/minijinja_js_bg\.wasm$/,
  /^extension\/dist\/third-party-notices\.txt$/,
  /^extension\/dist\/[a-z-]+\.js$/,
  /^extension\/dist\/webview\/.*\.(js|css)$/,
  /^extension\/media\/skills\/[a-z-]+\/SKILL\.md$/,
  /^extension\/media\/((diagnostics|language|schema|walkthrough)\/)?[^/]+\.(svg|png|md|json)$/,
];

/**
 * The files that the extension needs: every bundle, including those that are loaded late. Browser workers are for other editors.
 */
export const required: readonly string[] = [
  'extension/package.json',
  'extension/readme.md',
  'extension/changelog.md',
  'extension/LICENSE.txt',
  'extension/dist/package.json',
  'extension/dist/third-party-notices.txt',
  ...Object.keys(bundles)
    .filter((name) => !name.endsWith('.worker'))
    .map((name) => `extension/dist/${name}.js`),
];

/** Returns the path of the package. */
export function vsixPath(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  return join(root, `.cache/modelbench-${version}.vsix`);
}

/** Packages `dist/` (which must be built) as a `.vsix`; resolves to its path. Removes an older one even if this fails. */
export async function packageVsix(): Promise<string> {
  const packagePath = vsixPath();
  mkdirSync(dirname(packagePath), { recursive: true });
  rmSync(packagePath, { force: true });
  // Everything is bundled, so the package contains no `node_modules`.
  const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  await mustRun('vsce', ['package', ...flags, '--out', packagePath]);
  writeFileSync(packagePath, smallerZip(readFileSync(packagePath)));
  return packagePath;
}

/** Packages and checks the result; needs a production build in `dist/`. */
export const packageStep: Step = {
  name: 'package',
  run: async () => {
    const bytes = readFileSync(await packageVsix());
    return checkVsix(zipEntries(bytes), bytes.length);
  },
};

/** Checks that a package contains what the extension needs, nothing else, and is small. */
export function checkVsix(entries: readonly VsixEntry[], size: number, limit = vsixLimit): StepResult {
  const paths = new Set(entries.map(({ path }) => path));
  const problems = [
    ...required.filter((path) => !paths.has(path)).map((path) => `missing: ${path}`),
    ...[...paths].filter((path) => !allowed.some((pattern) => pattern.test(path))).map((path) => `unexpected: ${path}`),
    ...(size > limit ? [`${size} bytes, ${limit} are allowed`] : []),
  ];
  return { ok: problems.length === 0, output: problems.join('\n') };
}

/** Returns the files of a zip archive, from its central directory. */
export function zipEntries(archive: Buffer): readonly VsixEntry[] {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0) throw new Error('not a zip archive');
  const count = archive.readUInt16LE(end + 10);
  let offset = archive.readUInt32LE(end + 16);
  const entries: VsixEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    const nameLength = archive.readUInt16LE(offset + 28);
    const path = archive.toString('utf8', offset + 46, offset + 46 + nameLength);
    entries.push({ path, bytes: archive.readUInt32LE(offset + 24) });
    offset += 46 + nameLength + archive.readUInt16LE(offset + 30) + archive.readUInt16LE(offset + 32);
  }
  return entries;
}
