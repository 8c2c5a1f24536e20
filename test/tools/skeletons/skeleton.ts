import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mustRun } from '../run.ts';

/** What a skeleton adds to a repository: the whole new text of each file, by path from the repository's folder. */
export interface Skeleton {
  readonly files: ReadonlyMap<string, string>;
  /** What is left to be done by hand, a line each. */
  readonly next: readonly string[];
}

/** The repository that a skeleton is made for. */
export class Sources {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  has(path: string): boolean {
    return existsSync(join(this.#root, path));
  }

  read(path: string): string {
    return readFileSync(join(this.#root, path), 'utf8');
  }

  /** The paths of all TypeScript files below a folder, in order. */
  below(folder: string): readonly string[] {
    return readdirSync(join(this.#root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .sort();
  }
}

/** An answer for the one who called: what was wrong with the call, without a stack. */
export class CallError extends Error {}

/** Writes a skeleton, formats what it wrote, and says what comes next. */
export async function writeSkeleton(root: string, { files, next }: Skeleton): Promise<readonly string[]> {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  await mustRun('oxfmt', [...files.keys()], { cwd: root });
  return [
    ...[...files.keys()].map((path) => `wrote ${path}`),
    '',
    'What comes next:',
    ...next.map((line) => `- ${line}`),
  ];
}

/** Prints what came of a call; a wrong call ends with its reason and how it is done. */
export async function runTool(usage: string, work: () => Promise<readonly string[]>): Promise<void> {
  try {
    for (const line of await work()) console.log(line);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.error(`${error.message}\n${usage}`);
    process.exitCode = 1;
  }
}

/** The text with a line in front of the first one that matches; `what` names that line where there is none. */
export function insertBefore(text: string, line: RegExp, added: string, what: string): string {
  const at = line.exec(text);
  if (!at) throw new Error(`There is no ${what} any more: change test/tools/skeletons to what there is now.`);
  return `${text.slice(0, at.index)}${added}\n${text.slice(at.index)}`;
}

/** The text with one more import below the others. */
export function withImport(text: string, statement: string): string {
  const last = [...text.matchAll(/^import [^;]+;$/gm)].at(-1);
  const end = last ? last.index + last[0].length : 0;
  return `${text.slice(0, end)}\n${statement}${text.slice(end)}`;
}

export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** `copyBuildError` or `copy error` as `copy-build-error`. */
export const kebabCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();

/** A text as a literal of TypeScript. */
export const literal = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll('\\', '\\\\')}'`;
