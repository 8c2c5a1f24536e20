import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** More needs than these are hard to keep track of. */
const MOST = 8;

/** Interfaces that are sums of smaller ones: a set of commands needs what each of them needs. They may only shrink. */
const sums: Readonly<Record<string, number>> = {
  BranchCommandDeps: 11,
  BranchesViewDeps: 11,
  CompareCommandDeps: 11,
  ConflictCommandDeps: 11,
  DashboardDeps: 11,
  DeployDeps: 11,
  DeploymentCommandDeps: 9,
  ExplorerDeps: 9,
  FolderViewDeps: 11,
  GatedStepDeps: 9,
  GitCommandDeps: 16,
  GitConflictDeps: 9,
  PlanCommandDeps: 9,
  PruneDeps: 9,
  PullDeps: 14,
  SaveWatcherDeps: 12,
  SyncCommandDeps: 23,
  TransferCommandDeps: 10,
};

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

function tooLarge(paths: readonly string[], read: Read): Readonly<Record<string, number>> {
  const found = paths.flatMap((path) =>
    [...(read(path)?.declared.keys() ?? [])].map((name) => [name, membersOf(name, path, read).size] as const),
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
    const files = globSync(['src/features/**/deps.ts', 'src/compose/*.ts'], { cwd: root }).map((path) =>
      path.replaceAll('\\', '/'),
    );
    expect(files).toContain('src/compose/composed.ts');
    expect(files.length).toBeGreaterThan(20);
    expect(tooLarge(files, readFile())).toEqual(sums);
  });

  it('would be found too much with a planted ninth member, also an inherited one', () => {
    const members = (count: number): string =>
      Array.from({ length: count }, (_, at) => `  readonly m${at}: () => {\n    readonly a: 1;\n  };\n`).join('');
    const files: Readonly<Record<string, string>> = {
      'src/a/deps.ts': `export interface Small {\n${members(8)}}\n\nexport interface Large extends Small {\n  call(): void;\n}\n`,
      'src/b/index.ts': "export type { Small } from '../a/deps.ts';\n",
      'src/b/deps.ts':
        "import type { Small } from '#b/index.ts';\n\nexport interface Sum extends Small {\n  readonly x: 1;\n}\n\nexport interface Part extends Pick<Small, 'm1' | 'm2'> {\n  readonly x: 1;\n}\n",
    };
    const read: Read = (path) => (files[path] === undefined ? undefined : sourceOf(files[path]));
    expect(tooLarge(['src/a/deps.ts', 'src/b/deps.ts'], read)).toEqual({ Large: 9, Sum: 9 });
  });
});
