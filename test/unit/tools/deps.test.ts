import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** More needs than these are hard to keep track of. */
const MOST = 8;

interface Declared {
  readonly members: readonly string[];
  readonly bases: readonly string[];
}

/** What a file declares and where its other names come from. */
interface Source {
  readonly declared: ReadonlyMap<string, Declared>;
  readonly imported: ReadonlyMap<string, string>;
}

function sourceOf(text: string): Source {
  const declared = [...text.matchAll(/^(?:export )?interface (\w+)(?:\s+extends\s+([^{]*?))? \{(?:\}|([^]*?)^\})/gm)];
  const imported = [...text.matchAll(/^(?:import|export)(?: type)? \{([^}]*)\} from '([^']+)';/gm)].flatMap(
    ([, names = '', from = '']) => names.split(',').map((name) => [name.replace('type ', '').trim(), from] as const),
  );
  return {
    declared: new Map(
      declared.map(([, name = '', bases = '', body = '']) => [
        name,
        {
          // The formatter indents members by two spaces, and everything inside of them further.
          members: [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, member = '']) => member),
          bases: bases
            .split(/,(?![^<]*>)/)
            .map((base) => base.trim())
            .filter((base) => base !== ''),
        },
      ]),
    ),
    imported: new Map(imported),
  };
}

/** Reads files as they are needed; tests plant their own. */
type Read = (path: string) => Source | undefined;

/** The members of an interface with those that it inherits. */
function membersOf(name: string, path: string, read: Read): ReadonlySet<string> {
  const source = read(path);
  const own = source?.declared.get(name);
  if (own) {
    const inherited = own.bases.flatMap((base) => [...inheritedFrom(base, path, read)]);
    return new Set([...own.members, ...inherited]);
  }
  const from = source?.imported.get(name);
  if (from === undefined) return new Set();
  return membersOf(name, from.startsWith('#') ? `src/${from.slice(1)}` : posix.join(dirname(path), from), read);
}

/** A base may be only some members of another interface: `Pick<Data, 'read' | 'write'>`. */
function inheritedFrom(base: string, path: string, read: Read): ReadonlySet<string> {
  const [, name = '', picked] = /^(?:Pick<)?(\w+)(?:, ([^>]*)>)?/.exec(base) ?? [];
  if (picked === undefined) return membersOf(name, path, read);
  return new Set([...picked.matchAll(/'(\w+)'/g)].map(([, member = '']) => member));
}

/** Whether an interface says what something is given to work with: other shapes are data. */
function isNeed(name: string): boolean {
  return /(?:Deps|Ports|Host|Services|Options)$/.test(name);
}

function tooLarge(paths: readonly string[], read: Read): Readonly<Record<string, number>> {
  const found = paths.flatMap((path) =>
    [...(read(path)?.declared.keys() ?? [])]
      .filter((name) => isNeed(name) || path.startsWith('src/compose/'))
      .map((name) => [name, membersOf(name, path, read).size] as const),
  );
  return Object.fromEntries(found.filter(([, count]) => count > MOST));
}

function readFile(): Read {
  const known = new Map<string, Source | undefined>();
  return (path) => {
    const file = join(root, path);
    if (!known.has(path)) known.set(path, existsSync(file) ? sourceOf(readFileSync(file, 'utf8')) : undefined);
    return known.get(path);
  };
}

describe('what features say they need', () => {
  it('stands in small interfaces, with what they inherit', () => {
    const files = globSync(['src/features/**/*.{ts,tsx}', 'src/compose/*.ts'], { cwd: root }).map((path) =>
      path.replaceAll('\\', '/'),
    );
    expect(files).toContain('src/compose/composed.ts');
    expect(files).toContain('src/features/history/gated-step.ts');
    expect(tooLarge(files, readFile())).toEqual({});
  });

  it('would be found too much with a planted ninth member, also an inherited one', () => {
    const members = (count: number): string =>
      Array.from({ length: count }, (_, at) => `  readonly m${at}: () => {\n    readonly a: 1;\n  };\n`).join('');
    const files: Readonly<Record<string, string>> = {
      'src/a/deps.ts': `export interface SmallDeps {\n${members(8)}}\n\nexport interface LargeDeps extends SmallDeps {\n  call(): void;\n}\n`,
      'src/b/index.ts': "export type { SmallDeps } from '../a/deps.ts';\n",
      'src/b/deps.ts':
        "import type { SmallDeps } from '#b/index.ts';\n\nexport interface SumDeps extends SmallDeps {\n  readonly x: 1;\n}\n\nexport interface PartDeps extends Pick<SmallDeps, 'm1' | 'm2'> {\n  readonly x: 1;\n}\n",
    };
    const read: Read = (path) => (files[path] === undefined ? undefined : sourceOf(files[path]));
    expect(tooLarge(['src/a/deps.ts', 'src/b/deps.ts'], read)).toEqual({ LargeDeps: 9, SumDeps: 9 });
  });
});
