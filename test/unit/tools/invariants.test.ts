import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** Where the function itself is. */
const GUARDED = 'src/shell/vscode/guarded/commands.ts';

interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Files that the rule is about; all where it is absent. */
  readonly within?: RegExp;
  /** Files that may hold it. */
  readonly allowed: readonly string[];
}

/** Rules of ARCHITECTURE.md about what a text must not hold, and where it may. */
const rules: readonly Rule[] = [
  {
    name: 'sets context keys in one file',
    pattern: /\bsetContext\b/,
    allowed: ['src/compose/context-keys.ts', GUARDED],
  },
  { name: 'writes no markup into pages', pattern: /\b(?:innerHTML|outerHTML|insertAdjacentHTML)\b/, allowed: [] },
  {
    // What a program reads (a request, a file name, an attribute) is written in UTC, in the allowed files only.
    name: 'writes times that a user reads with the functions of base/timestamps.ts',
    pattern:
      /\.toISOString\(\)|\.toLocale(?:Date|Time)?String\((?:\)|\[\])|\$\{(?:\w+\??\.)*(?:lastRefreshTime|timestamp|\w+(?:At|_at))\}/,
    within: /^src\/(?!api\/)/,
    allowed: [
      'src/base/timestamps.ts',
      'src/shell/date-range.ts',
      'src/language-server/engine-requests/engine-query.ts',
      'src/tools/sync/restore.ts',
      ...['audit/audit-log', 'changes/vscode/folder-views', 'chat/page/view/dates', 'chat/vscode/saved-answers'].map(
        (path) => `src/features/${path}.ts`,
      ),
      ...['language/live-sql', 'language/vscode/engine-requests', 'logs/log-choice', 'playground/check-draft'].map(
        (path) => `src/features/${path}.ts`,
      ),
    ],
  },
  { name: 'has no singletons', pattern: /\bgetInstance\b/, allowed: [] },
  {
    // Members that are written out are checked against the type, so that an object holds what its type names.
    name: 'gives no feature a whole group of services',
    pattern: /\.\.\.(?:window|host|platform|capabilities|sync|branches|steps|lists|late|dataWork|services)\b/,
    within: /^src\/compose\//,
    allowed: [],
  },
  {
    // Their values cannot be imported there (`layers.ts`); with this, what is sent is always a use-case.
    name: 'obtains no client and calls no operation where something is shown',
    pattern: /\.(?:client|call)\(|\bclient\b[^;{}]*\}\s*=[^;]*\bdata\b|#api\/client\/client\.ts/,
    within: /^src\/features\/[^/]+\/vscode\//,
    allowed: [],
  },
];

const sources = new Map(
  globSync('src/**/*.{ts,tsx}', { cwd: root }).map((path) => [
    path.replaceAll('\\', '/'),
    readFileSync(join(root, path), 'utf8'),
  ]),
);

/** The files that break a rule. Comments are not code. */
function breaking(files: ReadonlyMap<string, string>, { pattern, within, allowed }: Rule): readonly string[] {
  const isAllowed = (path: string): boolean => (within && !within.test(path)) || allowed.includes(path);
  return [...files].flatMap(([path, text]) => {
    const code = text.replaceAll(/\/\*[^]*?\*\/|(?<!:)\/\/.*/g, '');
    return pattern.test(code) && !isAllowed(path) ? [path] : [];
  });
}

/** Names that say nothing of what a file is about. */
const vague = /(?:^|[/-])(?:parts|services|console)\.tsx?$/;

describe('the code of the extension', () => {
  it('names no file parts, services or console', () => {
    expect([...sources.keys()].filter((path) => vague.test(path))).toEqual([]);
    expect(['src/a/parts.ts', 'src/b/chat-parts.ts', 'src/base/order.ts'].filter((path) => vague.test(path))).toEqual([
      'src/a/parts.ts',
      'src/b/chat-parts.ts',
    ]);
  });

  it.each(rules)('$name', (rule) => {
    expect(breaking(sources, rule)).toEqual([]);
  });

  it('would be found wrong with a planted violation of each rule', () => {
    const planted = new Map([
      ['src/shell/a.ts', 'void setContext(key, value);'],
      ['src/features/chat/page/b.tsx', 'element.innerHTML = text;'],
      ['src/features/logs/i.ts', 'const since = new Date(at).toISOString();'],
      ['src/features/logs/j.ts', 'const about = `Data of ${facts.lastRefreshTime}`;'],
      ['src/features/logs/k.ts', 'const text = new Date(at).toLocaleString();'],
      ['src/api/l.ts', 'const since = new Date(at).toISOString();'],
      ['src/base/c.ts', 'export const one = Thing.getInstance();'],
      ['src/base/d.ts', '// never innerHTML'],
      ['src/compose/d.ts', 'mergeEnds({ ...window, ...sync });'],
      ['src/features/logs/vscode/e.ts', 'await read(services.data.client(accountId));'],
      ['src/features/logs/vscode/f.ts', "import type { Client } from '#api/client/client.ts';"],
      ['src/features/logs/vscode/g.ts', 'const { client } = services.data;'],
      ['src/features/logs/h.ts', 'data.client(accountId).call(getLogs, {});'],
    ]);
    expect(rules.map((rule) => breaking(planted, rule))).toEqual([
      ['src/shell/a.ts'],
      ['src/features/chat/page/b.tsx'],
      ['src/features/logs/i.ts', 'src/features/logs/j.ts', 'src/features/logs/k.ts'],
      ['src/base/c.ts'],
      ['src/compose/d.ts'],
      ['src/features/logs/vscode/e.ts', 'src/features/logs/vscode/f.ts', 'src/features/logs/vscode/g.ts'],
    ]);
  });
});
