// npm run new:command -- build.copyError "Copy Build Error": a command with its entry, title, handler, use-case and test.
import { parseArgs } from 'node:util';
import { root } from '../run.ts';
import {
  CallError,
  escaped,
  insertBefore,
  kebabCase,
  literal,
  runTool,
  type Skeleton,
  Sources,
  withImport,
  writeSkeleton,
} from './skeleton.ts';

const usage = `Usage: npm run new:command -- ID "Title" [options]
  ID         without "modelbench.", for example build.copyError; its beginning decides where it belongs
  --effect   changes | runs | reads: what it may do (src/shell/commands/command.ts); reads by default
  --beside   the id of the command to put it beside; the last one with the same beginning unless said otherwise
  --feature  the folder of src/features for its work; the one of that command's handler unless said otherwise`;

const effects = ['changes', 'runs', 'reads'] as const;

/** The arguments of the tool. */
export interface NewCommand {
  /** Without `modelbench.`. */
  readonly id: string;
  readonly title: string;
  readonly effect?: string | undefined;
  readonly beside?: string | undefined;
  readonly feature?: string | undefined;
}

/** Returns everything that a command needs: its entries in the table and the manifest, its handler, its use-case and a test. */
export function newCommand(sources: Sources, wanted: NewCommand): Skeleton {
  const { id, title, effect = 'reads' } = checked(wanted);
  const tables = sources.below('src/shell/commands');
  const known = tables.flatMap((path) =>
    [...sources.read(path).matchAll(/^ *'(modelbench\.[\w.]+)':/gm)].map(([, found = '']) => found),
  );
  if (known.includes(whole(id))) throw new CallError(`There is a command ${whole(id)} already.`);
  const neighbour = wanted.beside === undefined ? neighbourOf(known, id) : whole(wanted.beside);
  const table = fileWith(sources, tables, neighbour);
  const handlers = fileWith(
    sources,
    sources.below('src').filter((path) => !tables.includes(path) && !path.endsWith('/context-keys.ts')),
    neighbour,
  );
  if (table === undefined || handlers === undefined)
    throw new CallError(`There is no handler of a command ${neighbour}: name another one with --beside.`);
  const feature = wanted.feature ?? /^src\/features\/([^/]+)\//.exec(handlers)?.[1];
  if (feature === undefined) throw new CallError(`${neighbour} belongs to no feature: name one with --feature.`);
  if (!sources.has(`src/features/${feature}`)) throw new CallError(`There is no src/features/${feature}.`);
  const name = id.split('.').at(-1) ?? id;
  const useCase = `src/features/${feature}/${kebabCase(name)}.ts`;
  const test = `test/unit/features/${feature}/${kebabCase(name)}.test.ts`;
  for (const path of [useCase, test]) if (sources.has(path)) throw new CallError(`${path} is there already.`);
  const specifier = `#features/${feature}/${kebabCase(name)}.ts`;
  return {
    files: new Map([
      [table, tableWith(sources.read(table), neighbour, whole(id), effect)],
      [
        handlers,
        withImport(
          insertBefore(
            sources.read(handlers),
            lineOf(neighbour),
            `    '${whole(id)}': () => ${name}(),`,
            `handler of ${neighbour}`,
          ),
          `import { ${name} } from '${specifier}';`,
        ),
      ],
      ['package.json', manifestWith(sources.read('package.json'), neighbour, id)],
      ['package.nls.json', titlesWith(sources.read('package.nls.json'), neighbour, id, title)],
      [useCase, useCaseText(name, title)],
      [test, testText(specifier, name, title)],
    ]),
    next: [
      `say in ${test} what the command does, and write it in ${useCase}`,
      `what it acts on goes into ${table}; ${handlers} passes it on, and shows the result`,
      `menus and an icon go into package.json (contributes.menus); its condition for the palette is that of ${neighbour}, and test/unit/shell/vscode/palette.test.ts limits what the palette offers`,
      ...(id.startsWith('language.')
        ? ['the page of the language server (test/language.md) names it with its tests']
        : []),
      'CHANGELOG.md tells users of it',
    ],
  };
}

function checked(wanted: NewCommand): NewCommand {
  const { id, title, effect = 'reads' } = wanted;
  if (!/^[a-z]\w*(\.[a-z]\w*)*$/i.test(id) || id.startsWith('modelbench.'))
    throw new CallError(`“${id}” is not the id of a command: write it like build.copyError.`);
  if (title.trim() === '') throw new CallError('The command needs a title.');
  if (!(effects as readonly string[]).includes(effect))
    throw new CallError(`“${effect}” is not an effect: choose one of ${effects.join(', ')}.`);
  return wanted;
}

const whole = (id: string): string => (id.startsWith('modelbench.') ? id : `modelbench.${id}`);

/** Matches the line of an object with the entry of a command. */
const lineOf = (id: string): RegExp => new RegExp(`^ *'${escaped(id)}':`, 'm');

const fileWith = (sources: Sources, paths: readonly string[], id: string): string | undefined =>
  paths.find((path) => lineOf(id).test(sources.read(path)));

/** Returns the last known command with the same prefix; the prefix that all commands share does not count. */
function neighbourOf(known: readonly string[], id: string): string {
  const beginning = id.slice(0, id.lastIndexOf('.') + 1);
  const last = beginning === '' ? undefined : known.findLast((other) => other.startsWith(whole(beginning)));
  if (last !== undefined) return last;
  throw new CallError(
    beginning === ''
      ? `“${id}” belongs to no area: name the command to put it beside with --beside.`
      : `No command begins with ${whole(beginning)}: name the one to put it beside with --beside.`,
  );
}

function tableWith(text: string, neighbour: string, id: string, effect: string): string {
  const added = insertBefore(text, lineOf(neighbour), `  '${id}': ${effect}(),`, `entry of ${neighbour}`);
  const imported = /^import \{([^}]+)\} from '\.\/command\.ts';$/m.exec(added);
  if (imported === null) throw new Error(`The table of ${neighbour} does not import ./command.ts any more.`);
  const [statement, names = ''] = imported;
  if (names.split(',').some((name) => name.trim() === effect)) return added;
  return added.replace(statement, `import { ${effect},${names}} from './command.ts';`);
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string }[] };
  };
}

/** Returns the manifest with the command. It gets its neighbour's condition for the palette, whose number of entries is limited. */
function manifestWith(text: string, neighbour: string, id: string): string {
  const manifest = JSON.parse(text) as Manifest;
  const { commands, menus } = manifest.contributes;
  const at = commands.findIndex(({ command }) => command === neighbour);
  const added = { command: whole(id), title: `%command.${id}%`, category: 'Modelbench' };
  const inPalette = menus.commandPalette.findIndex(({ command }) => command === neighbour);
  const condition = menus.commandPalette[inPalette];
  const commandPalette = condition
    ? menus.commandPalette.toSpliced(inPalette, 0, { ...condition, command: whole(id) })
    : menus.commandPalette;
  const contributes = {
    ...manifest.contributes,
    commands: commands.toSpliced(at, 0, added),
    menus: { ...menus, commandPalette },
  };
  return `${JSON.stringify({ ...manifest, contributes }, undefined, 2)}\n`;
}

function titlesWith(text: string, neighbour: string, id: string, title: string): string {
  const titles = Object.entries(JSON.parse(text) as Record<string, string>);
  const at = titles.findIndex(([key]) => `modelbench.${key.replace(/^command\./, '')}` === neighbour);
  const added = titles.toSpliced(at === -1 ? titles.length : at, 0, [`command.${id}`, title]);
  return `${JSON.stringify(Object.fromEntries(added), undefined, 2)}\n`;
}

const useCaseText = (
  name: string,
  title: string,
): string => `/** What “${title}” does. All that it needs comes in as arguments, so that its test needs no VS Code. */
export function ${name}(): string {
  throw new Error(${literal(`“${title}” is not written yet.`)});
}
`;

const testText = (
  specifier: string,
  name: string,
  title: string,
): string => `import { describe, expect, it } from 'vitest';
import { ${name} } from '${specifier}';

describe(${literal(title)}, () => {
  it('does what its title says', () => {
    expect(${name}()).toBe('what the user gets');
  });
});
`;

if (import.meta.main) {
  await runTool(usage, async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { effect: { type: 'string' }, beside: { type: 'string' }, feature: { type: 'string' } },
    });
    const [id = '', title = ''] = positionals;
    return writeSkeleton(root, newCommand(new Sources(root), { id, title, ...values }));
  });
}
