import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '#api/resources/operations.ts';
import { tools } from '#tools/tools.ts';
import { root } from '../../tools/run.ts';

type Sources = ReadonlyMap<string, string>;

/** The code by path; comments are not code. */
const sources: Sources = new Map(
  globSync('src/**/*.{ts,tsx}', { cwd: root }).map((path) => [
    path.replaceAll('\\', '/'),
    readFileSync(join(root, path), 'utf8').replaceAll(/\/\*[^]*?\*\/|(?<!:)\/\/.*/g, ''),
  ]),
);

/** What each tool and the editor have in common: a call that both make. `undo` takes back what only tools keep. */
const shared: Readonly<Record<string, string>> = {
  check: 'fileProblems(',
  search: 'parseFile(',
  read: 'usagesOf(',
  graph: 'allJoins(',
  diff: 'impactBetween(',
  impact: 'workspaceUsage(',
  status: 'listedDeployments(',
  branches: 'listedBranches(',
  builds: 'fetchBuildStatus(',
  validate: 'validateBranch(',
  query: 'loadRows(',
  sql: 'statementOf(',
  test: 'runQueryTest(',
  logs: 'readLog(',
  write: 'fileProblems(',
  restore: 'causeText(',
  plan: 'sync.plan(',
  push: 'sync.push(',
  pull: 'sync.pull(',
  resolve: 'sync.resolve(',
  commit: 'commitBranch(',
  merge: 'mergeBranch(',
  deploy: 'deployPlan(',
};

const isTool = (path: string): boolean => path.startsWith('src/tools/');
/** The editor: everything but the tools and what makes a command line of them. */
const isEditor = (path: string): boolean => !/^src\/(?:tools|cli|features\/agent-tools)\//.test(path);

/** A tool's file and those of the tools that it needs. */
function filesOf(name: string, files: Sources): readonly string[] {
  const first = [...files].find(([path, text]) => isTool(path) && text.includes(`name: '${name}',`))?.[0];
  const reached = new Set(first === undefined ? [] : [first]);
  for (const path of reached)
    for (const [, other = ''] of (files.get(path) ?? '').matchAll(/from '((?:\.|#tools)\/[^']+)'/g))
      reached.add(other.startsWith('#') ? other.replace('#', 'src/') : posix.join(posix.dirname(path), other));
  return [...reached];
}

/** The files that call something; where it is defined does not count. */
function callers(call: string, files: Sources): readonly string[] {
  const name = call.slice(0, -1).replaceAll(/[.*]/g, '\\$&');
  const called = new RegExp(`(?<!function\\*? |[.\\w])${name}\\(`);
  return [...files].flatMap(([path, text]) => (called.test(text) ? [path] : []));
}

/** Tools whose function the editor does not call, or that do not call it themselves. */
function apart(files: Sources): readonly string[] {
  return Object.entries(shared).flatMap(([name, call]) => {
    const own = new Set(filesOf(name, files));
    const all = callers(call, files);
    return all.some((path) => own.has(path)) && all.some(isEditor) ? [] : [name];
  });
}

const operationIds: ReadonlySet<string> = new Set(operations.map(({ id }) => id));

/** Operations of the platform that a tool sends itself though the editor sends them, too. */
function sentTwice(files: Sources): readonly string[] {
  const sent = (isOne: (path: string) => boolean): ReadonlySet<string> =>
    new Set(
      [...files].flatMap(([path, text]) =>
        isOne(path) && !path.startsWith('src/api/')
          ? [...text.matchAll(/\.(?:call|open)\(\s*(?:\w+\.)?(\w+),/g)].map(([, name = '']) => name)
          : [],
      ),
    );
  const editors = sent(isEditor);
  return [...sent(isTool)].filter((name) => editors.has(name) && operationIds.has(name));
}

/** Files that ask the data API past the shared functions. The clients themselves may, and so may what tries a server or a token. */
function askingData(files: Sources): readonly string[] {
  const allowed =
    /^src\/(?:api\/|tools\/platform\/open-platform|features\/data\/(?:ask-data|brokered-client|queries)\.)/;
  const asks = /\b(?:client|data|value)\)?\.(?:load|sql)\(/;
  const quoted = /`[^`]*`/g;
  return [...files].flatMap(([path, text]) =>
    !allowed.test(path) && asks.test(text.replaceAll(quoted, '')) ? [path] : [],
  );
}

describe('the tools and the editor', () => {
  it('share a function for each tool', () => {
    expect(Object.keys(shared)).toEqual(tools.map(({ name }) => name).filter((name) => name !== 'undo'));
    expect(apart(sources)).toEqual([]);
  });

  it('send each operation of the platform from one place', () => {
    expect(sentTwice(sources)).toEqual([]);
  });

  it('run and compile queries by the same functions', () => {
    expect(askingData(sources)).toEqual([]);
  });

  it('would be found apart with an editor or a tool that does its own', () => {
    const changed = (path: string, from: string, to: string): Sources => {
      const text = sources.get(path) ?? '';
      expect(text).toContain(from);
      return new Map([...sources, [path, text.replaceAll(from, to)]]);
    };
    expect(apart(changed('src/features/history/merge.ts', '=> mergeBranch(', '=> own('))).toEqual(['merge']);
    expect(apart(changed('src/tools/platform/logs.ts', 'readLog(', 'own('))).toEqual(['logs']);
    const own = 'await client.call(validateDataModel, request)';
    expect(sentTwice(new Map([...sources, ['src/tools/platform/validate.ts', own]]))).toEqual(['validateDataModel']);
    expect(askingData(new Map([['src/features/playground/a.ts', 'await client.sql(query, {})']]))).toHaveLength(1);
    expect(askingData(new Map([['src/tools/queries/query.ts', 'await (await client).load(query)']]))).toHaveLength(1);
  });
});
