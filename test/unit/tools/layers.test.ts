import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Layer, layerNames, layers, reserved } from '../../tools/layers.ts';
import { lintConfig } from '../../tools/lint-config.ts';
import { root } from '../../tools/run.ts';

interface Plant {
  readonly file: string;
  readonly specifier: string;
  readonly allowed: boolean;
}

/** Every import that a layer could try: to each layer by alias and by path, to test code, reserved packages, Node. */
const plants: readonly Plant[] = layerNames.flatMap((layer) => {
  const { imports, node }: Layer = layers[layer];
  const plant = (name: string, specifier: string, allowed: boolean): Plant => ({
    file: `src/${layer}/planted/${name}.ts`,
    specifier,
    allowed,
  });
  const others = layerNames.filter((other) => other !== layer);
  return [
    plant('own', './sibling.ts', true),
    ...others.map((other) => plant(`alias-${other}`, `#${other}/x.ts`, imports.includes(other))),
    ...others.map((other) => plant(`relative-${other}`, `../../${other}/x.ts`, false)),
    ...others.map((other) => plant(`deep-${other}`, `../../../src/${other}/deep/x.ts`, false)),
    plant('alias-platform', '#platform/app.ts', false),
    plant('alias-support', '#support/x.ts', false),
    plant('relative-test', '../../../test/support/x.ts', false),
    plant('node', 'node:fs', node === true),
    ...Object.entries(reserved).map(([pkg, only]) =>
      // VS Code itself may be imported in one folder of its layer.
      plant(`package-${pkg}`, pkg, pkg !== 'vscode' && only.includes(layer)),
    ),
    ...Object.entries(reserved).map(([pkg, only]) => plant(`inside-${pkg}`, `${pkg}/node.js`, only.includes(layer))),
  ];
});

describe('the layer rule', () => {
  let refused: ReadonlySet<string>;
  let circles: ReadonlySet<string>;
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-layers-'));

  beforeAll(() => {
    for (const { file, specifier } of plants) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `import { x } from '${specifier}';\nexport const y = x;\n`);
    }
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
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(layerNames)('holds for every import that %s could try', (layer) => {
    const own = plants.filter(({ file }) => file.startsWith(`src/${layer}/`));
    const expected = own.filter(({ allowed }) => !allowed).map(({ specifier }) => specifier);
    const found = own.filter(({ file }) => refused.has(file)).map(({ specifier }) => specifier);
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(layerNames.length);
  });

  it('lets no two files need each other, not even for their types', () => {
    expect([...circles].sort()).toEqual(['src/base/planted/a.ts', 'src/base/planted/b.ts']);
  });

  it('has a layer for every folder of src that has a project', () => {
    const solution = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
      readonly references: readonly { readonly path: string }[];
    };
    const projects = solution.references.map(({ path }) => path).filter((path) => path.startsWith('./src/'));
    expect(projects.map((path) => path.slice('./src/'.length)).sort()).toEqual([...layerNames].sort());
  });

  it('gives each project exactly the references of its layer', () => {
    for (const name of layerNames) {
      const project = JSON.parse(readFileSync(join(root, `src/${name}/tsconfig.json`), 'utf8')) as {
        readonly references?: readonly { readonly path: string }[];
      };
      const referenced = (project.references ?? []).map(({ path }) => path.slice('../'.length));
      expect({ [name]: referenced.sort() }).toEqual({ [name]: [...layers[name].imports].sort() });
    }
  });

  it('is what the lint configuration holds: run `node test/tools/lint-config.ts` after a change', () => {
    expect(JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8'))).toEqual(lintConfig());
  });
});

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
