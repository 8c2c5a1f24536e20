import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { views } from '#shell/view-ids.ts';
import { localisedManifest, manifestTexts } from '#support/manifest.ts';

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface ViewEntry {
  readonly id: string;
  readonly when?: string;
  readonly initialSize?: number;
}

interface Manifest {
  readonly icon: string;
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly views: Readonly<Record<string, readonly ViewEntry[]>>;
    readonly viewsContainers: Readonly<
      Record<'activitybar' | 'secondarySidebar', readonly { readonly id: string; readonly icon: string }[]>
    >;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string }[];
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly id: string; readonly media: { readonly markdown?: string } }[];
    }[];
  };
}

const manifest = JSON.parse(localisedManifest()) as Manifest;
const { commands, menus, configuration } = manifest.contributes;
const ids = commands.map(({ command }) => command);
const settings = configuration.flatMap(({ properties }) => Object.entries(properties));

/** Everything in `src` as one text: what is declared must be used there. */
const source = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`src/${name}`, 'utf8'))
  .join('\n');

/** Kinds of rows that a clause is for, as far as it names them: `/^(a|b)\.c/` is for `a.c` and `b.c`. */
function rowsOf(when = ''): readonly string[] {
  const [, is, pattern = ''] = /viewItem (?:== (\S+)|=~ \/(.+?)\/(?: |$))/.exec(when) ?? [];
  if (is !== undefined) return [is];
  const plain = pattern
    .replaceAll(/\(\?![^)]*\)/g, '')
    .replaceAll(/[\^$\\]/g, '')
    .replaceAll('.*', '.any');
  const [before = '', choices = '', after = ''] = plain.split(/[()]/);
  return choices.split('|').map((choice) => before + choice + after);
}

function isFor(when: string | undefined, row: string): boolean {
  const [, is, pattern = '^$'] = /viewItem (?:== (\S+)|=~ \/(.+?)\/(?: |$))/.exec(when ?? '') ?? [];
  return is === undefined ? new RegExp(pattern).test(row) : is === row;
}

describe('manifest', () => {
  it('declares every command of the signature table, and no other', () => {
    const signatures = [...source.matchAll(/^ {2}'(modelbench\.[\w.]+)': \(/gm)].map(([, id]) => id ?? '');
    expect(signatures.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id) => !source.includes(`'${id}'`))).toEqual([]);
  });

  it('titles commands without the product’s name and gives them a category', () => {
    expect(commands.filter(({ category }) => !category?.startsWith('Modelbench'))).toEqual([]);
    expect(commands.filter(({ title }) => title.startsWith('Modelbench'))).toEqual([]);
  });

  it('uses only declared commands in menus and welcome texts', () => {
    const used = Object.values(menus).flatMap((entries) => entries.flatMap(({ command }) => command ?? []));
    const linked = manifest.contributes.viewsWelcome.flatMap(({ contents }) =>
      [...contents.matchAll(/command:(modelbench[\w.]+)/g)].map(([, id]) => id ?? ''),
    );
    expect([...used, ...linked].filter((id) => id.startsWith('modelbench.') && !ids.includes(id))).toEqual([]);
  });

  it('shows Changes first, then branches and deployments, and the chat in a container of its own', () => {
    const views = Object.entries(manifest.contributes.views).map(([container, all]) => [
      container,
      all.map(({ id }) => id),
    ]);
    expect(Object.fromEntries(views)).toEqual({
      modelbench: [
        'modelbench.changes',
        'modelbench.branches',
        'modelbench.deployments',
        'modelbench.workspace',
        'modelbench.administration',
        'modelbench.apiExplorer',
      ],
      'modelbench-chat': ['modelbench.chat'],
    });
  });

  it('offers every button of a row in its menu as well, which the keyboard opens', () => {
    const entries = menus['view/item/context'] ?? [];
    const viewOf = (when = ''): string => /view == (\S+)/.exec(when)?.[1] ?? '';
    const inMenus = entries.filter(({ group }) => !group?.startsWith('inline'));
    const onlyButtons = entries.filter(
      ({ command, when, group }) =>
        group?.startsWith('inline') &&
        !rowsOf(when).every((row) =>
          inMenus.some(
            (other) => other.command === command && viewOf(other.when) === viewOf(when) && isFor(other.when, row),
          ),
        ),
    );
    expect(onlyButtons).toEqual([]);
  });

  it('offers every button of a changed file in its menu in Source Control as well', () => {
    for (const place of ['scm/resourceState/context', 'scm/resourceGroup/context']) {
      const entries = menus[place] ?? [];
      const inMenu = entries
        .filter(({ group }) => !group?.startsWith('inline'))
        .map(({ command, when }) => command + (when ?? ''));
      const buttons = entries.filter(({ group }) => group?.startsWith('inline'));
      expect(buttons.filter(({ command, when }) => !inMenu.includes(command + (when ?? '')))).toEqual([]);
      expect(entries.filter(({ when }) => !when?.startsWith('scmProvider == modelbench && '))).toEqual([]);
    }
  });

  it('gives each command of the palette a title of its own', () => {
    const hidden = new Set(
      (menus['commandPalette'] ?? []).filter(({ when }) => when === 'false').map(({ command }) => command),
    );
    const offered = commands.filter(({ command }) => !hidden.has(command)).map(({ title }) => title.replace(/…$/, ''));
    expect(offered.filter((title, index) => offered.indexOf(title) !== index)).toEqual([]);
  });

  it('offers what acts on the focus only where that has it', () => {
    const clauses = new Map((menus['commandPalette'] ?? []).map(({ command, when }) => [command, when]));
    for (const [command, key] of [
      ['modelbench.chat.acceptProposal', 'resourceScheme'],
      ['modelbench.chat.acceptProposalHunks', 'resourceScheme'],
      ['modelbench.chat.rejectProposal', 'resourceScheme'],
      ['modelbench.data.runSql', 'editorLangId'],
      ['modelbench.apiExplorer.send', 'resourceScheme'],
      ['modelbench.plan.apply', 'modelbench.planOpen'],
    ]) {
      expect(`${command} ${clauses.get(command)}`).toContain(` ${key}`);
    }
  });

  it('ties every item menu entry to its view and group', () => {
    const entries = menus['view/item/context'] ?? [];
    expect(entries.filter(({ when, group }) => !when?.includes('viewItem') || group === undefined)).toEqual([]);
  });

  it('shows at most three inline icons on a row', () => {
    const inline = (menus['view/item/context'] ?? []).filter(({ group }) => group?.startsWith('inline'));
    const perPlace = Map.groupBy(inline, ({ when, group }) => `${when} ${group}`);
    expect([...perPlace.values()].filter((entries) => entries.length > 1)).toEqual([]);
    expect(inline.filter(({ group }) => Number(group?.split('@')[1]) > 3)).toEqual([]);
  });

  it('declares every view of the protocol and a welcome text for each tree', () => {
    const declared = Object.values(manifest.contributes.views).flatMap((list) => list.map(({ id }) => id));
    const trees = Object.values(views).filter((id) => id !== views.chat);
    expect(trees.filter((id) => !declared.includes(id))).toEqual([]);
    const welcomed = new Set(manifest.contributes.viewsWelcome.map(({ view }) => view));
    expect(trees.filter((id) => !welcomed.has(id))).toEqual([]);
  });

  it('gives Changes ten rows and more in a window of 900 pixels, however many of the usual views are open', () => {
    const usual = (manifest.contributes.views['modelbench'] ?? []).filter(({ when }) => when === undefined);
    const size = (id: string): number => usual.find((view) => view.id === id)?.initialSize ?? 20;
    // What VS Code's title bar, status bar and the container's title leave; each view has a header of one row.
    const height = 795;
    const row = 22;
    const share = size('modelbench.changes') / usual.reduce((sum, { id }) => sum + size(id), 0);
    expect(Math.floor((height * share - row) / row)).toBeGreaterThanOrEqual(10);
    expect(size('modelbench.changes')).toBeGreaterThan(size('modelbench.deployments'));
  });

  it('gives the chat a container of its own beside the model, so that it has the whole height', () => {
    const [container] = Object.entries(manifest.contributes.views).find(([, list]) =>
      list.some(({ id }) => id === views.chat),
    ) ?? [''];
    expect(manifest.contributes.views[container]?.map(({ id }) => id)).toEqual([views.chat]);
    const { activitybar, secondarySidebar } = manifest.contributes.viewsContainers;
    expect(secondarySidebar.map(({ id }) => id)).toEqual([container]);
    const icons = [...activitybar, ...secondarySidebar].map(({ icon }) => icon);
    expect(icons.filter((icon) => !existsSync(icon))).toEqual([]);
  });

  it('describes every setting, with a scope and a default', () => {
    const poor = settings.filter(
      ([, each]) =>
        each['default'] === undefined ||
        each['scope'] === undefined ||
        (each['description'] ?? each['markdownDescription']) === undefined,
    );
    expect(poor.map(([name]) => name)).toEqual([]);
    const names = settings.map(([name]) => name);
    expect(
      manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.filter((name) => !names.includes(name)),
    ).toEqual([]);
  });

  it('has a text for each key, and no key without a use', () => {
    const texts = manifestTexts();
    const used = [...readFileSync('package.json', 'utf8').matchAll(/%([\w.-]+)%/g)].map(([, key]) => key ?? '');
    expect(used.filter((key) => !texts[key])).toEqual([]);
    expect(Object.keys(texts).filter((key) => !used.includes(key))).toEqual([]);
  });

  it('has the step of the walkthrough that “Try It Without One” opens', () => {
    const source = readFileSync('src/compose/connect-commands.ts', 'utf8');
    const [, step] = /openWalkthrough',\s*\{[^}]*\}#start`, step: '(\w+)'/.exec(source) ?? [];
    const ids = manifest.contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ id }) => id));
    expect(ids).toContain(step);
  });

  it('has every file that it names', () => {
    const pages = manifest.contributes.walkthroughs.flatMap(({ steps }) =>
      steps.flatMap(({ media }) => media.markdown ?? []),
    );
    expect([manifest.icon, 'media/icon.svg', ...pages].filter((path) => !existsSync(path))).toEqual([]);
  });
});
