// node test/tools/coverage.ts: writes test/coverage.md, the table of where each operation is defined, served, tested and used.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { operationPlaces } from './operation-places.ts';
import { contributedSettings, parameterGaps, parameterRows, parameterTable } from './parameter-coverage.ts';
import { root } from './run.ts';
import { localisedManifest } from '../support/manifest.ts';

/** The sources, by path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>;

/** One operation's row; paths are from the root of the repository. */
export interface Row {
  readonly op: Operation;
  /** The file with its constant. */
  readonly client: string | undefined;
  /** The file in which the local platform serves it. */
  readonly route: string | undefined;
  /** Test files that send this specific operation, besides the tables that send all of them. */
  readonly tests: readonly string[];
  /** Files of the extension that send it, besides the API Explorer. */
  readonly uses: readonly string[];
  /** The command or view made for it. */
  readonly place: string | undefined;
}

export const tableFile = 'test/coverage.md';

/** Reads every source and test. */
export function readSources(): Sources {
  const files = ['src', 'test/platform', 'test/unit', 'test/e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  return new Map(files.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Returns a row for every operation, by file and name. */
export function coverageRows(
  sources: Sources,
  places: Readonly<Record<string, string>> = operationPlaces,
  table: readonly Operation[] = operations,
): readonly Row[] {
  const imports = new Map([...sources].map(([path, text]) => [path, importedFrom(path, text)]));
  const rows = table.map((op): Row => {
    const client = find(sources, /^src\/api\//, (text) => text.includes(`export const ${op.id} = `));
    const name = `${client} ${op.id}`;
    const importers = [...imports].filter(([, imported]) => imported.has(name)).map(([path]) => path);
    const users = [
      ...importers,
      ...(client !== undefined && isSentBy(sources.get(client) ?? '', op.id) ? [client] : []),
    ];
    return {
      op,
      client,
      route: routeOf(op, sources, users),
      tests: users.filter((path) => /^test\/(unit|e2e)\//.test(path)),
      uses: users.filter((path) => path.startsWith('src/') && !path.startsWith('src/features/api-explorer/')),
      place: places[op.id],
    };
  });
  const key = ({ client, op }: Row): string => `${client} ${op.id}`;
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Returns the gaps, one sentence each, with what to do. */
export function gaps(
  rows: readonly Row[],
  contributed: ReadonlySet<string>,
  places: Readonly<Record<string, string>> = operationPlaces,
): readonly string[] {
  const known = new Set(rows.map(({ op }) => op.id));
  const strangers = Object.keys(places).filter((id) => !known.has(id));
  return [
    ...rows.flatMap((row) => gapsOf(row, contributed)),
    ...strangers.map((id) => `${id}: test/tools/operation-places.ts places an operation that there is not`),
  ];
}

function gapsOf(
  { op, client, route, tests, uses: users, place }: Row,
  contributed: ReadonlySet<string>,
): readonly string[] {
  const found: string[] = [];
  if (client === undefined) found.push('no file of src/api holds its constant');
  if (route === undefined) found.push('the local platform has no route for it');
  if (tests.length === 0) found.push('no test sends it by name');
  const isPlaced = users.some((path) => !path.startsWith('src/api/'));
  if (isPlaced && place === undefined) {
    found.push(`${users.join(', ')} uses it: name its command or view in test/tools/operation-places.ts`);
  }
  if (users.length === 0) found.push('nothing in src calls it besides the API Explorer');
  if (place !== undefined && users.length === 0) found.push(`${place} is its place, but nothing in src uses it`);
  if (place !== undefined && !contributed.has(place)) found.push(`${place} is no command and no view of the manifest`);
  return found.map((gap) => `${op.id}: ${gap}`);
}

/** Returns the table as Markdown. */
export function coverageTable(rows: readonly Row[], titles: ReadonlyMap<string, string>): string {
  const lines = rows.map(({ op, client, route, place }) => {
    const mark = op.described ? ' (optional)' : '';
    const dedicated = place === undefined ? '' : `${titles.get(place) ?? place}, `;
    const cells = [`${op.id}${mark}`, `\`${op.method} ${op.path}\``, client, route, `${dedicated}API Explorer`];
    return `| ${cells.map((cell) => cell ?? '—').join(' | ')} |`;
  });
  return [
    '# Coverage of the APIs',
    '',
    'Generated by `node test/tools/coverage.ts`; `npm test` fails when it is out of date or has a gap. Every operation is sent by',
    'a test of its own, and the tables in `test/unit/api` send each through every failure. Optional ones are only offered',
    'where the server’s description lists it.',
    '',
    '| operation | request | client | route of the local platform | place |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

/** Returns the content of the file: the table of operations and that of their parameters. */
export function wholeTable(rows: readonly Row[], titles: ReadonlyMap<string, string>): string {
  return `${coverageTable(rows, titles)}\n${parameterTable(parameterRows(), titles)}`;
}

/** Returns the titles of the manifest's commands and views, by id. */
export function contributedTitles(manifest: string): ReadonlyMap<string, string> {
  const { contributes } = JSON.parse(manifest) as {
    readonly contributes: {
      readonly commands: readonly { readonly command: string; readonly title: string }[];
      readonly views: Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>;
    };
  };
  return new Map([
    ...contributes.commands.map(({ command, title }) => [command, `*${title}*`] as const),
    ...Object.values(contributes.views)
      .flat()
      .map(({ id, name }) => [id, `view *${name}*`] as const),
  ]);
}

function find(sources: Sources, where: RegExp, holds: (text: string) => boolean): string | undefined {
  return [...sources].find(([path, text]) => where.test(path) && holds(text))?.[0];
}

/** Returns what a file imports from `src/api`, by name or through a module's namespace, as `src/api/resources/branches.ts commit`. */
function importedFrom(path: string, text: string): ReadonlySet<string> {
  const found = new Set<string>();
  // The list of all operations uses none of them.
  if (path === 'src/api/resources/operations.ts') return found;
  const ownFolder = /^(src\/api(?:\/[\w-]+)?)\//.exec(path)?.[1];
  const statement = /import (?:\{([^}]*)\}|\* as (\w+)) from '(#api|\.)\/([\w./-]+)'/g;
  for (const [, named, namespace, from, file] of text.matchAll(statement)) {
    const folder = from === '#api' ? 'src/api' : ownFolder;
    if (folder === undefined) continue;
    const names = named?.split(',').map((name) => name.trim().replace(/ as .*/, '')) ?? [];
    const members = namespace === undefined ? [] : [...text.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, 'g'))];
    for (const name of [...names, ...members.map(([, member]) => member)]) found.add(`${folder}/${file} ${name}`);
  }
  return found;
}

/** Whether the file that defines an operation also sends it, in a function that others import. */
function isSentBy(text: string, id: string): boolean {
  return new RegExp(String.raw`\((?:\w+, )?${id},`).test(text);
}

/**
 * Returns the file of an operation's route. A chat route is written as the path of its form and the path below it, all others as
 * `route(operation, …)`.
 */
function routeOf(op: Operation, sources: Sources, users: readonly string[]): string | undefined {
  if (op.host === 'chat') {
    const path = op.path.replace(/^(\{chat\})?\/api\/v1\/public/, '').replaceAll(/\{(\w+)\}/g, ':$1');
    const [form = '', below = ''] = path.split(/(?=\/chat\/)/);
    return find(
      sources,
      /^test\/platform\/chat\//,
      (text) => text.includes(`'${form}'`) && text.includes(`}${below}\``),
    );
  }
  const call = new RegExp(`\\broute\\(\\s*(?:\\w+\\.)?${op.id}\\b`);
  return users.find((path) => path.startsWith('test/platform/routes/') && call.test(sources.get(path) ?? ''));
}

if (import.meta.main) {
  const manifest = localisedManifest();
  const titles = contributedTitles(manifest);
  const rows = coverageRows(readSources());
  const ids = new Set([...titles.keys(), ...contributedSettings(manifest)]);
  const missing = [...gaps(rows, new Set(titles.keys())), ...parameterGaps(ids)];
  for (const gap of missing) console.error(gap);
  writeFileSync(join(root, tableFile), wholeTable(rows, titles));
  process.exitCode = missing.length === 0 ? 0 : 1;
}
