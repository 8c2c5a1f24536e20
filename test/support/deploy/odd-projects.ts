import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';

/** One step that makes a project: paths are relative to it, and those of the folder beside it begin with `../beside`. */
export type MadeEntry =
  | { readonly kind: 'file'; readonly at: string; readonly text: string; readonly mode: number }
  | { readonly kind: 'folder'; readonly at: string }
  | { readonly kind: 'link'; readonly at: string; readonly to: string };

const NAMES = [
  ...['model', 'cubes', 'orders.yml', 'Orders.yml', 'ORDERS.YML', 'cube.js', 'package.json', 'a', 'b', 'c'],
  // The same letters in both normal forms, other alphabets, and names that some systems cannot hold.
  ...[
    'caf\u00E9.yml',
    'cafe\u0301.yml',
    '注文.yml',
    'große Bestellungen (2024) #1.yml',
    '100%.yml',
    '%2e%2e.yml',
    '😀',
  ],
  ...[
    ' leading',
    'trailing ',
    'dot.',
    '..dots',
    '...',
    'con',
    'nul.yml',
    'a:b.yml',
    'what?.yml',
    '"quoted".yml',
    'x|y',
  ],
  // Not `__proto__`: at the top of a project, the command line loses a file of this name.
  ...['constructor', 'toString', '-rf', '~', 'git~1', 'é'.repeat(60)],
  // What one of the two sides may leave out.
  ...[
    '.gitignore',
    '.env',
    '.git',
    '.hidden',
    '.gitkeep',
    'node_modules',
    'Node_Modules',
    'node_modules.md',
    'dashboard-app',
  ],
  ...[
    'cube.py~',
    'old.swp',
    'x.tmp',
    'Thumbs.db',
    'desktop.ini',
    'shop.code-workspace',
    'modelbench.json',
    '.modelbenchignore.md',
  ],
];
const TEXTS = [
  '',
  'cubes: []\n',
  'cubes: []\r\n',
  '\uFEFFcubes:\r\n',
  '\0\u0001\u0002',
  'lone \r return',
  'x'.repeat(70_000),
];

const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: unusualName() });
const inside = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const anywhere = fc.oneof(
  { weight: 3, arbitrary: inside },
  { weight: 1, arbitrary: inside.map((at) => `../beside/${at}`) },
);
/** Links that the command line fails on, or that lead far away. */
const oddTarget = fc.constantFrom('.', '..', '../..', '/', '/../beside', 'nowhere', '/.env', '/a', '/b', '/model');

const file: fc.Arbitrary<MadeEntry> = fc.record({
  kind: fc.constant('file' as const),
  at: anywhere,
  text: fc.constantFrom(...TEXTS),
  mode: fc.constantFrom(0o644, 0o755, 0o600),
});
const folder: fc.Arbitrary<MadeEntry> = fc.record({ kind: fc.constant('folder' as const), at: anywhere });

/** Projects with links to files and folders inside and outside of them, loops, links to nothing, and unusual names. */
export const oddProject: fc.Arbitrary<readonly MadeEntry[]> = fc
  .array(fc.oneof({ weight: 6, arbitrary: file }, { weight: 1, arbitrary: folder }), { minLength: 1, maxLength: 12 })
  .chain((made) => fc.array(linkTo(made), { maxLength: 4 }).map((links) => [...made, ...links]));

/** Links, most of them to one of these entries or to a folder above one. */
function linkTo(made: readonly MadeEntry[]): fc.Arbitrary<MadeEntry> {
  const places = made
    .flatMap(({ at }) => [at, path.posix.dirname(at)])
    .filter((at) => !['.', '..', '../beside'].includes(at));
  const known = fc.constantFrom(...places, 'model').map((at) => `/${at}`);
  return fc.record({
    kind: fc.constant('link' as const),
    at: anywhere,
    to: fc.oneof({ weight: 12, arbitrary: known }, { weight: 1, arbitrary: oddTarget }),
  });
}

/** Makes a project; leaves out the entries for which there is no place. `project`: an absolute path, which may not exist yet. */
export function makeProject(project: string, entries: readonly MadeEntry[]): void {
  mkdirSync(project, { recursive: true });
  mkdirSync(path.join(project, '../beside'), { recursive: true });
  for (const made of entries) {
    const file = path.join(project, made.at);
    try {
      mkdirSync(path.dirname(file), { recursive: true });
      makeEntry(project, file, made);
    } catch {
      // Something else has this name, or the disk cannot hold it.
    }
  }
}

function makeEntry(project: string, file: string, made: MadeEntry): void {
  if (made.kind === 'folder') mkdirSync(file);
  else if (made.kind === 'file') {
    writeFileSync(file, made.text, { flag: 'wx' });
    chmodSync(file, made.mode);
  } else symlinkSync(made.to.startsWith('/') ? path.join(project, made.to) : made.to, file);
}

/** Any name that a folder can hold, but for separators and control characters. */
function unusualName(): fc.Arbitrary<string> {
  return fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .map((text) => text.replaceAll(/[/\\\p{Cc}]/gu, '_'))
    .filter((text) => text.isWellFormed() && text !== '.' && text !== '..');
}
