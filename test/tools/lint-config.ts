// node test/tools/lint-config.ts: writes .oxlintrc.json from the table of zones, so that every edge of the graph is a rule.
import { writeFileSync } from 'node:fs';
import { reserved, type Zone, zones } from './layers.ts';
import { mustRun } from './run.ts';

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const oneOf = (names: readonly string[]): string => `(${names.map(escape).join('|')})`;

/** The zones inside a zone: their files do not belong to it. */
const zonesInside = (folder: string): readonly string[] =>
  zones.map((zone) => zone.folder).filter((other) => other.startsWith(`${folder}/`));

/** The last rule that matches a file wins, so the zones inside another one come after it. */
const outsideIn = [...zones].sort((one, other) => one.folder.length - other.folder.length);

function zoneRules(zone: Zone): readonly object[] {
  // The last group that matches a name wins, so the rules for single names come first.
  const patterns = [...apiRules(zone), aliasRule(zone), ...pathRules(zone), ...packageRules(zone)];
  const files = zone.folder.endsWith('.ts') ? zone.folder : `${zone.folder}/**`;
  const rule = { files: [`src/${files}`], rules: importRule(patterns) };
  if (!isPage(zone)) return [rule];
  return [rule, ...depths.map((depth) => depthRule(zone, patterns, depth))];
}

/** Returns which zones a file may import. Within a group, the last matching pattern wins. */
function aliasRule({ folder, imports }: Zone): Pattern {
  // Its own name is allowed in lazy imports: esbuild finds the separate bundle by it.
  const allowed = [folder, ...imports].sort((one, other) => one.length - other.length);
  const named = (name: string): string => (name.endsWith('.ts') ? `#${name}` : `#${name}/**`);
  return {
    group: ['#*/**', ...allowed.flatMap((name) => [`!${named(name)}`, ...zonesInside(name).map(named)])],
    message: `src/${folder} may only import: ${imports.join(', ') || 'nothing'}`,
  };
}

/** Returns what a zone may use of `api`. This is little if the zone only shows things: use-cases call operations. */
function apiRules({ apiValues }: Zone): readonly Pattern[] {
  if (!apiValues) return [];
  return [
    {
      regex: `^#api/${otherThan(apiValues.map((name) => name.slice('api/'.length)))}$`,
      allowTypeImports: true,
      message: 'call a use-case of the feature: what is sent to the platform is in its pure files',
    },
  ];
}

/** Returns an expression for every text except these: the linter's expressions have no negation. */
function otherThan(texts: readonly string[]): string {
  const firsts = [...new Set(texts.flatMap((text) => text[0] ?? []))];
  const longer = firsts.map((first) => {
    const rests = texts.filter((text) => text.startsWith(first)).map((text) => text.slice(1));
    return escape(first) + otherThan(rests);
  });
  const different = firsts.length === 0 ? '.+' : `[^${firsts.map(escape).join('')}].*`;
  return `(${[...(texts.includes('') ? [] : ['']), different, ...longer].join('|')})`;
}

/** Forbids relative paths into another zone: the alias shows which border is crossed. */
function pathRules({ folder }: Zone): readonly Pattern[] {
  const [top = '', feature = ''] = folder.split('/');
  const siblings = zones.map((zone) => zone.folder.split('/')).filter(([first]) => first === top);
  const names = [
    ...new Set(zones.map((zone) => zone.folder.split('/')[0] ?? '')),
    ...siblings.map(([, second = '']) => second).filter((name) => name !== feature),
    ...zonesInside(folder).map((zone) => zone.split('/').at(-1) ?? ''),
    // A feature's page is beside its VS Code side.
    ...(folder.endsWith('/vscode') ? ['page'] : []),
    'test',
  ].filter((name) => name !== '' && name !== top);
  return [
    {
      regex: String.raw`^(\.\.?/)+(.*/)?${oneOf([...new Set(names)])}/`,
      message: 'cross into another folder with #folder/…, not ../',
    },
  ];
}

function packageRules({ folder, node, packages = [] }: Zone): readonly Pattern[] {
  const only = (name: string): string =>
    zones
      .filter((zone) => zone.packages?.includes(name))
      .map((zone) => `src/${zone.folder}`)
      .join(' and ');
  return [
    ...reserved
      .filter((name) => !packages.includes(name))
      .map((name) => ({
        regex: `^${escape(name)}(/|$)`,
        message: name === 'vscode' ? guarded : `only ${only(name)} may import ${name}`,
      })),
    ...(node ? [] : [{ regex: '^node:', message: `src/${folder} runs without Node: inject it through a port` }]),
  ];
}

/** Possible nesting depths of a page's files. */
const depths = [0, 1, 2, 3];
const isPage = ({ folder }: Zone): boolean => folder.startsWith('features/') && folder.endsWith('/page');

/** Forbids paths out of a page. */
function depthRule({ folder }: Zone, patterns: readonly Pattern[], depth: number): object {
  const out = {
    regex: String.raw`^(\.\./){${depth + 1}}`,
    message: 'a page gets messages from its host, nothing else',
  };
  return { files: [`src/${folder}/${'*/'.repeat(depth)}*`], rules: importRule([...patterns, out]) };
}

type Pattern = ({ readonly regex: string } | { readonly group: readonly string[] }) & {
  readonly message: string;
  readonly allowTypeImports?: true;
};

const importRule = (patterns: readonly Pattern[]): object => ({ 'no-restricted-imports': ['error', { patterns }] });

/** VS Code's own API renders links and icons in any text, and opens any address; the guarded one takes safe text only. */
const guarded = "import * as vscode from '#shell/vscode/guarded/vscode.ts': it takes only UserText";

/** Returns the whole lint configuration, as in `.oxlintrc.json`. */
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
      // Includes types: a cycle of types cannot be read one file at a time.
      'import/no-cycle': ['error', { ignoreTypes: false }],
      'import/no-default-export': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', { max: 14 }],
      // It asks for an origin wherever a message is posted, but ours go to workers and to VS Code, which have none.
      'unicorn/require-post-message-target-origin': 'off',
      'no-console': 'error',
      // TypeScript reports this too, and knows what VS Code provides at run time.
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
      ...outsideIn.flatMap(zoneRules),
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
      // The engine imports these modules as a whole.
      { files: ['src/language-server/engine/realm/shims/*.ts'], rules: { 'import/no-default-export': 'off' } },
      // Plain JavaScript that runs before anything is installed: no types to check.
      { files: ['**/*.mjs'], rules: { 'typescript/no-unsafe-assignment': 'off' } },
    ],
  };
}

if (import.meta.main) {
  writeFileSync('.oxlintrc.json', `${JSON.stringify(lintConfig(), undefined, 2)}\n`);
  await mustRun('oxfmt', ['.oxlintrc.json']);
}
