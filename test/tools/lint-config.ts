// Writes .oxlintrc.json from the layer table, so that every edge of the graph is a rule: node test/tools/lint-config.ts
import { writeFileSync } from 'node:fs';
import { type Layer, type LayerName, layerNames, layers, reserved } from './layers.ts';
import { mustRun } from './run.ts';

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function edgeRule(name: LayerName, more: readonly Pattern[] = []): object {
  const layer: Layer = layers[name];
  const allowed = layer.imports.join(', ') || 'nothing';
  const banned = layerNames.filter((other) => other !== name && !layer.imports.includes(other));
  const others = layerNames.filter((other) => other !== name);
  const patterns = [
    { regex: `^#(${[...banned, 'platform', 'support'].join('|')})/`, message: `${name} may only import: ${allowed}` },
    {
      regex: String.raw`^(\.\.?/)+(.*/)?(${[...others, 'test'].join('|')})/`,
      message: 'cross a layer with #layer/…, not ../',
    },
    ...Object.entries(reserved)
      .filter(([, only]) => !only.includes(name))
      .map(([pkg, only]) => ({
        regex: `^${escape(pkg)}(/|$)`,
        message: `only src/${only.join(' and src/')} may import ${pkg}`,
      })),
    ...more,
    ...(layer.node ? [] : [{ regex: '^node:', message: 'a pure layer: inject it through a port' }]),
  ];
  return { files: [`src/${name}/**`], rules: importRule(patterns) };
}

interface Pattern {
  readonly regex: string;
  readonly message: string;
}

const importRule = (patterns: readonly Pattern[]): object => ({ 'no-restricted-imports': ['error', { patterns }] });

/** VS Code's own API draws links and icons of any text, and opens any address: the guarded one takes safe text only. */
const rawApi: Pattern = {
  regex: '^vscode$',
  message: "import * as vscode from '#vscode/guarded/vscode.ts': it takes only UserText",
};

/** The whole lint configuration, as `.oxlintrc.json` holds it. */
export function lintConfig(): object {
  return {
    $schema: './node_modules/oxlint/configuration_schema.json',
    ignorePatterns: [
      'node_modules',
      'dist',
      '.vscode-test',
      '.platform',
      '.cache',
      'test-results',
      'test/fixtures',
      'media',
    ],
    plugins: ['typescript', 'import', 'unicorn', 'promise', 'vitest'],
    categories: { correctness: 'error', suspicious: 'error' },
    options: { typeAware: true },
    rules: {
      'typescript/no-explicit-any': 'error',
      'typescript/no-floating-promises': 'error',
      'typescript/no-misused-promises': 'error',
      'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'typescript/only-throw-error': 'error',
      'typescript/no-unsafe-assignment': 'error',
      'typescript/no-non-null-assertion': 'error',
      'typescript/consistent-type-imports': 'error',
      // Of types as well: a knot of types is one that nobody can read piece by piece.
      'import/no-cycle': ['error', { ignoreTypes: false }],
      'import/no-default-export': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', { max: 14 }],
      'no-console': 'error',
      // TypeScript says so too, and sees what VS Code gives at run time.
      'import/namespace': 'off',
      'no-await-in-loop': 'off',
      'unicorn/no-array-sort': 'off',
      'unicorn/no-array-reverse': 'off',
      'unicorn/consistent-function-scoping': 'off',
      'no-shadow': 'off',
      'import/no-named-as-default-member': 'off',
      'import/no-named-as-default': 'off',
      'unicorn/no-useless-spread': 'off',
      'promise/no-promise-in-callback': 'off',
      'promise/always-return': 'off',
      'typescript/no-unsafe-type-assertion': 'off',
      'import/no-unassigned-import': 'off',
      'vitest/require-mock-type-parameters': 'off',
      'vitest/valid-title': 'off',
    },
    overrides: [
      ...layerNames.map((name) => edgeRule(name, name === 'vscode' ? [rawApi] : [])),
      { ...edgeRule('vscode'), files: ['src/vscode/guarded/**'] },
      {
        files: ['test/**', '*.mjs', '*.config.ts'],
        rules: {
          'no-console': 'off',
          'max-lines-per-function': 'off',
          'import/no-default-export': 'off',
          'import/no-cycle': 'error',
          'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
        },
      },
      // Plain JavaScript that runs before anything is installed: no types to check.
      { files: ['**/*.mjs'], rules: { 'typescript/no-unsafe-assignment': 'off' } },
    ],
  };
}

if (import.meta.main) {
  writeFileSync('.oxlintrc.json', `${JSON.stringify(lintConfig(), undefined, 2)}\n`);
  await mustRun('oxfmt', ['.oxlintrc.json']);
}
