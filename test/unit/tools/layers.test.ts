import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrows, reserved, type Zone, zones } from '../../tools/layers.ts';
import { lintConfig } from '../../tools/lint-config.ts';
import { root } from '../../tools/run.ts';

interface Plant {
  readonly zone: string;
  readonly file: string;
  readonly specifier: string;
  readonly allowed: boolean;
  /** Only a type is imported. */
  readonly isType?: true;
}

const folders = zones.filter(({ folder }) => !folder.endsWith('.ts'));

/** What a file of one zone names when it imports from another one: by alias, and by path. */
function plantsOf({ folder, imports, node, apiValues, packages = [] }: Zone): readonly Plant[] {
  const plant = (name: string, specifier: string, allowed: boolean): Plant => ({
    zone: folder,
    file: `src/${folder}/planted/${name}.ts`,
    specifier,
    allowed,
  });
  const others = folders.map((zone) => zone.folder).filter((other) => other !== folder);
  const here = `src/${folder}/planted`;
  // A file may be named by its path from inside the same folder, as far as its zone may import it at all.
  const byPath = (other: string): boolean => folder.startsWith(`${other}/`) && imports.includes(other);
  return [
    plant('own', './sibling.ts', true),
    plant('own-alias', `#${folder}/x.ts`, true),
    ...others.map((other, at) =>
      plant(`alias-${at}`, `#${other}/x.ts`, imports.includes(other) && !(other === 'api' && apiValues)),
    ),
    ...(apiValues ?? []).map((name, at) => plant(`api-${at}`, `#${name}`, true)),
    ...(apiValues ? [{ ...plant('api-type', '#api/types.ts', true), isType: true as const }] : []),
    ...others.map((other, at) => plant(`path-${at}`, posix.relative(here, `src/${other}/x.ts`), byPath(other))),
    ...others.map((other, at) => plant(`deep-${at}`, posix.relative(here, `src/${other}/a/b.ts`), byPath(other))),
    ...imports.filter((name) => name.endsWith('.ts')).map((name, at) => plant(`file-${at}`, `#${name}`, true)),
    plant('alias-platform', '#platform/app.ts', false),
    plant('alias-support', '#support/x.ts', false),
    plant('path-test', posix.relative(here, 'test/support/x.ts'), false),
    plant('node', 'node:fs', node === true),
    ...reserved.map((name) => plant(`package-${name}`, name, packages.includes(name))),
    ...reserved.map((name) => plant(`inside-${name}`, `${name}/node.js`, packages.includes(name))),
  ];
}

const plants = folders.flatMap(plantsOf);

describe('the rule of zones', () => {
  let refused: ReadonlySet<string>;
  let circles: ReadonlySet<string>;
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-layers-'));

  beforeAll(() => {
    for (const { file, specifier, isType } of plants) plantFile(folder, file, specifier, isType);
    plantFile(folder, 'src/extension.ts', '#api/client/client.ts');
    for (const [own, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const text = `import type { ${other} } from './${other}.ts';\nexport type ${own} = ${other} | undefined;\n`;
      writeFileSync(join(folder, `src/base/planted/${own}.ts`), text);
    }
    const found = lint(folder);
    refused = refusedBy(found, 'no-restricted-imports');
    circles = refusedBy(found, 'no-cycle');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  it.each(folders.map((zone) => zone.folder))('holds for every import that src/%s could try', (name) => {
    const own = plants.filter(({ zone }) => zone === name);
    const expected = own.filter(({ allowed }) => !allowed).map(({ specifier }) => specifier);
    const found = own.filter(({ file }) => refused.has(file)).map(({ specifier }) => specifier);
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(folders.length);
  });

  it('holds for the entry', () => {
    expect(refused).toContain('src/extension.ts');
  });

  it('lets no two files need each other, not even for their types', () => {
    expect([...circles].sort()).toEqual(['src/base/planted/a.ts', 'src/base/planted/b.ts']);
  });

  it('has a zone for every file of src', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /\.tsx?$/.test(path));
    const isInZone = (file: string): boolean =>
      zones.some((zone) => file === zone.folder || file.startsWith(`${zone.folder}/`));
    expect(files.filter((file) => !isInZone(file))).toEqual([]);
    const isUsed = (zone: Zone): boolean =>
      files.some((file) => file === zone.folder || file.startsWith(`${zone.folder}/`));
    expect(zones.filter((zone) => !isUsed(zone)).map((zone) => zone.folder)).toEqual([]);
  });

  it('has nothing in a vscode folder that needs nothing of VS Code', () => {
    const host = globSync('src/features/*/vscode/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
    const read = (path: string): string => readFileSync(join(root, path), 'utf8');
    expect(host.length).toBeGreaterThan(100);
    expect(host.filter((path) => belongsOutside(path, read(path)))).toEqual([]);
  });

  it('would find a use-case that lies in a vscode folder', () => {
    const path = 'src/features/a/vscode/use-case.ts';
    expect(belongsOutside(path, "import { x } from '#base/x.ts';\nimport type { Y } from './deps.ts';\n")).toBe(true);
    expect(belongsOutside(path, "import * as vscode from '#shell/vscode/guarded/vscode.ts';\n")).toBe(false);
    expect(belongsOutside(path, "import { x } from './shown.ts';\n")).toBe(false);
    expect(belongsOutside(path, "import type { Y } from '#features/b/vscode/index.ts';\n")).toBe(true);
    expect(belongsOutside(path, "import { y } from '#features/b/vscode/index.ts';\n")).toBe(false);
    expect(belongsOutside('src/features/a/vscode/deps.ts', '')).toBe(false);
  });

  it('lets no feature pass an operation on to what shows it', () => {
    const files = globSync('src/features/**/*.ts', { cwd: root });
    const passes = (path: string): boolean =>
      /^export [^;]*? from '#api\//m.test(readFileSync(join(root, path), 'utf8'));
    expect(files.filter(passes)).toEqual([]);
  });

  it('lets features use each other in one direction only', () => {
    expect(circleOf(arrows)).toBeUndefined();
    expect(circleOf({ ...arrows, accounts: ['chat'] })).toEqual(expect.arrayContaining(['accounts', 'chat']));
  });

  it('stands in the lint configuration: run `node test/tools/lint-config.ts` after a change', () => {
    expect(JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8'))).toEqual(lintConfig());
  });
});

function plantFile(folder: string, file: string, specifier: string, isType = false): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  const text = isType
    ? 'import type { x } from $;\nexport type y = x;\n'
    : 'import { x } from $;\nexport const y = x;\n';
  writeFileSync(join(folder, file), text.replace('$', `'${specifier}'`));
}

/** Files that declare what a feature needs and what it is found by. */
const declarations = /\/(deps|index|lazy)\.ts$/;

/** Whether a file of a `vscode` folder uses neither VS Code, nor Node, nor another file that does: it is a use-case. */
function belongsOutside(path: string, text: string): boolean {
  if (declarations.test(path)) return false;
  // What another feature's host needs may be said by a type of its own; that is nothing of VS Code.
  const needs = /^import type \{[^}]*\} from '#features\/[\w-]+\/vscode\/index\.ts';$/gm;
  const named = [...text.replaceAll(needs, '').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
    ([, specifier = '']) => specifier,
  );
  return !named.some(
    (name) =>
      /^node:|^#shell\/vscode\/|\/vscode\/|^\.\/(?!deps\.ts)|^#sync\/disk/.test(name) && !name.endsWith('/deps.ts'),
  );
}

/** Features that need each other, if there are any. */
function circleOf(graph: Readonly<Record<string, readonly string[]>>): readonly string[] | undefined {
  const visit = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    for (const next of graph[name] ?? []) {
      const circle = visit(next, [...path, name]);
      if (circle) return circle;
    }
    return undefined;
  };
  for (const name of Object.keys(graph)) {
    const circle = visit(name, []);
    if (circle) return circle;
  }
  return undefined;
}

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
}

/** What the repository's own configuration says of a folder. */
function lint(folder: string): readonly Diagnostic[] {
  const config = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as { options?: unknown };
  delete config.options;
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
  const output = outputOf(join(root, 'node_modules/.bin/oxlint'), ['--format=json', '.'], folder);
  return (JSON.parse(output) as { readonly diagnostics: readonly Diagnostic[] }).diagnostics;
}

/** The files that a rule refuses. */
function refusedBy(found: readonly Diagnostic[], rule: string): ReadonlySet<string> {
  return new Set(found.filter(({ code }) => code.includes(rule)).map(({ filename }) => filename.replace(/^\.\//, '')));
}

/** Standard output of a command that ends with an error because it found something. */
function outputOf(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}
