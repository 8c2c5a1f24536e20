import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { parseSync } from 'oxc-parser';

/** A replacement in a source file. */
export interface SourceEdit {
  /** Path from the root of the repository. */
  readonly file: string;
  /** Code that occurs exactly once, without any comment: a comment may be reworded at any time. */
  readonly from: string;
  readonly to: string;
}

type Exports = Readonly<Record<string, unknown>>;
type ModuleBody = (require: (name: string) => unknown, module: { exports: Exports }, exports: Exports) => void;

const root = fileURLToPath(new URL('../..', import.meta.url));
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, string>>;
};
const requirePackage = createRequire(join(root, 'package.json'));
/** Compiled files without edits: all weakened engines share them. */
const compiled = new Map<string, ModuleBody>();

/**
 * Loads a module of this repository, and every module of the repository that it imports, with these edits. The loaded modules
 * share nothing with those that were loaded before.
 */
export function loadWeakened(entry: string, edits: readonly SourceEdit[]): Exports {
  const loaded = new Map<string, { exports: Exports }>();
  const load = (file: string): Exports => {
    const known = loaded.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const own = edits.filter((edit) => edit.file === file);
    const body = own.length > 0 ? compile(file, edited(file, own)) : compiledOnce(file);
    body((name) => importOf(name, file), module, module.exports);
    return module.exports;
  };
  const importOf = (name: string, from: string): unknown => {
    const file = fileOf(name, from);
    return file === undefined ? requirePackage(name) : load(file);
  };
  for (const { file } of edits) read(file);
  const found = load(entry);
  const unused = edits.filter(({ file }) => !loaded.has(file));
  if (unused.length > 0) throw new Error(`${entry} does not use ${unused.map(({ file }) => file).join(', ')}`);
  return found;
}

function compiledOnce(file: string): ModuleBody {
  const body = compiled.get(file) ?? compile(file, read(file));
  compiled.set(file, body);
  return body;
}

function compile(file: string, source: string): ModuleBody {
  const { code } = transformSync(source, { loader: 'ts', format: 'cjs', target: 'node24', sourcefile: file });
  // oxlint-disable-next-line no-implied-eval -- it runs sources of this repository, with the edits of a test
  return new Function('require', 'module', 'exports', code) as ModuleBody;
}

/** Returns the source with its edits; throws an error that names an edit which does not apply, or which quotes a comment. */
export function edited(file: string, edits: readonly SourceEdit[]): string {
  let source = read(file);
  const { comments } = parseSync(file, source);
  for (const { from } of edits) {
    const start = source.indexOf(from);
    const quoted = comments.find(
      (comment) => start !== -1 && comment.start < start + from.length && start < comment.end,
    );
    if (quoted) throw new Error(`${file}: “${from}” quotes a comment: find the place by its code.`);
  }
  for (const { from, to } of edits) {
    const parts = source.split(from).length - 1;
    if (parts !== 1)
      throw new Error(
        `${file} holds “${from}” ${parts} times instead of once: change what the weakened engine replaces.`,
      );
    source = source.replace(from, () => to);
  }
  return source;
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Returns the path from the root of an imported module of the repository; `undefined` for a package. */
function fileOf(name: string, from: string): string | undefined {
  if (name.startsWith('.')) return posix.join(posix.dirname(from), name);
  for (const [pattern, target] of Object.entries(imports)) {
    const above = pattern.slice(0, -1);
    if (name.startsWith(above)) return posix.normalize(target.replace('*', () => name.slice(above.length)));
  }
  return undefined;
}
