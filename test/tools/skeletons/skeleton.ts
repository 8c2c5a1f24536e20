import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mustRun } from '../run.ts';

/** The files that a skeleton adds or changes: the complete text of each, by path from the repository's folder. */
export interface Skeleton {
  readonly files: ReadonlyMap<string, string>;
  /** The remaining manual steps, one line each. */
  readonly next: readonly string[];
}

/** The sources of the repository that a skeleton is made for. */
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

  /** Returns the sorted paths of all TypeScript files below a folder. */
  below(folder: string): readonly string[] {
    return readdirSync(join(this.#root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .sort();
  }
}

/** An error in the call of a tool, which is reported to the user without a stack. */
export class CallError extends Error {}

/** Writes a skeleton, formats it, and returns the report with the next steps. */
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

/** Runs a tool and prints its report; a wrong call ends with the reason and the usage. */
export async function runTool(usage: string, work: () => Promise<readonly string[]>): Promise<void> {
  try {
    for (const line of await work()) console.log(line);
  } catch (error) {
    if (!(error instanceof CallError || isUnknownOption(error))) throw error;
    console.error(`${error.message}\n${usage}`);
    process.exitCode = 1;
  }
}

/** Whether the arguments of a call have an option that it does not, such as `--help`. */
function isUnknownOption(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

/** Inserts a line before the first one that matches; `what` names that line in the error if there is none. */
export function insertBefore(text: string, line: RegExp, added: string, what: string): string {
  const at = line.exec(text);
  if (!at) throw new Error(`There is no ${what} any more: change test/tools/skeletons to what there is now.`);
  return `${text.slice(0, at.index)}${added}\n${text.slice(at.index)}`;
}

/** Adds an import below the others. */
export function withImport(text: string, statement: string): string {
  const last = [...text.matchAll(/^import [^;]+;$/gm)].at(-1);
  const end = last ? last.index + last[0].length : 0;
  return `${text.slice(0, end)}\n${statement}${text.slice(end)}`;
}

export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Converts `copyBuildError` or `copy error` to `copy-build-error`. */
export const kebabCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();

/** Returns a text as a TypeScript literal. */
export const literal = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll('\\', '\\\\')}'`;
