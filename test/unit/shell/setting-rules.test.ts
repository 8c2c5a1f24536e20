import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mergedSetting, settingRules } from '#shell/setting-rules.ts';
import type { SettingName, Settings } from '#shell/settings.ts';

interface Declared {
  readonly default: unknown;
  readonly scope: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Declared>> }[];
  };
};
const declared = new Map(
  contributes.configuration
    .flatMap(({ properties }) => Object.entries(properties))
    .map(([name, property]) => [name.replace('modelbench.', ''), property]),
);

/** What holds when the user has set one thing, or nothing, and the repository another. */
function holds(name: SettingName, user: unknown, repository: unknown): unknown {
  const example = declared.get(name)?.default as never;
  const own = user as never;
  const wish = repository as never;
  const inWorkspace = mergedSetting(name, { default: example, user: own, workspace: wish });
  const inFolder = mergedSetting(name, { default: example, user: own, folder: wish });
  expect(inFolder).toEqual(inWorkspace);
  return inWorkspace;
}

/** Per setting: what the user says, what the repository wishes, what holds. `undefined`: only the default. */
const cases: { readonly [K in SettingName]: readonly (readonly [user: unknown, wish: unknown, holds: unknown])[] } = {
  'sync.onSave': [
    [undefined, true, undefined],
    [false, true, false],
    [true, true, true],
    [undefined, false, false],
    [true, false, false],
    [false, 'true', false],
  ],
  'sync.useGitignore': [
    [undefined, true, true],
    [true, false, true],
    [undefined, false, undefined],
  ],
  'sync.ignore': [
    [['a'], ['b'], ['a', 'b']],
    [['a'], [], ['a']],
    [['secret.yml'], ['!secret.yml', ' !a'], ['secret.yml']],
    [['a'], [5], ['a']],
  ],
  'sync.refreshSeconds': [
    [60, 0, 0],
    [60, 'often', 60],
  ],
  'scm.enabled': [['on', 'off', 'off']],
  'protected.branches': [
    [['main'], [], ['main']],
    [['main'], ['dev'], ['main', 'dev']],
    [undefined, ['dev'], ['dev']],
    [['main'], null, ['main']],
  ],
  'protected.deployments': [
    [['1'], [], ['1']],
    [['1'], ['2'], ['1', '2']],
  ],
  'build.notifyOnFailure': [
    [undefined, false, undefined],
    [true, false, true],
    [false, true, true],
  ],
  'language.severity': [
    [{ deprecated: 'warning' }, { deprecated: 'off' }, { deprecated: 'warning' }],
    [{ deprecated: 'off' }, { deprecated: 'error' }, { deprecated: 'error' }],
    [undefined, { deprecated: 'off' }, undefined],
    [{ deprecated: 'warning' }, { deprecated: 'silent' }, { deprecated: 'warning' }],
    [undefined, [], undefined],
  ],
  'language.codeLens': [[true, false, false]],
  'language.lensForUnused': [[false, true, true]],
  'language.inlayHints': [[true, false, false]],
  'language.engineCheck.run': [
    ['off', 'onSave', 'off'],
    ['onCommand', 'onSave', 'onCommand'],
    ['onSave', 'off', 'off'],
    ['off', 'always', 'off'],
  ],
  'language.engineCheck.limit': [
    [100, 1_000_000, 100],
    [100, 10, 10],
    [100, Infinity, 100],
  ],
  'language.validateOnSave': [
    [undefined, false, false],
    [false, true, false],
    [true, 'yes', true],
  ],
  'language.compareWithDeployBranch': [
    [true, false, true],
    [undefined, false, undefined],
  ],
  'documents.openAs': [['json', 'form', 'form']],
  'administration.enabled': [[false, true, true]],
  'apiExplorer.enabled': [[false, true, true]],
  'chat.sendWith': [['enter', 'ctrlEnter', 'ctrlEnter']],
  'chat.fontSize': [[0, 20, 20]],
  'chat.notifyWhenReady': [[true, false, false]],
  'chat.keepThreads': [
    [30, 1, 30],
    [undefined, 1, undefined],
  ],
  'chat.context': [
    [['file', 'build'], ['file', 'changes'], ['file']],
    [['file'], [], []],
    [[], ['file'], []],
    [['file'], 'file', ['file']],
  ],
  'chat.url': [
    ['', 'https://evil.example', ''],
    [undefined, 'https://evil.example', undefined],
  ],
  'chat.externalId': [['me', 'someone', 'me']],
  'chat.internalId': [['me', 'someone', 'me']],
  'chat.session': [[{}, { email: 'someone@example.com' }, {}]],
  'chat.serviceTokenHeader': [['X-Own', 'X-Other', 'X-Own']],
};

describe('settings of a repository', () => {
  it('have a rule for every setting that the manifest declares, and for no other', () => {
    expect([...declared.keys()].sort()).toEqual(Object.keys(settingRules).sort());
  });

  it.each(Object.keys(cases) as SettingName[])('%s: a repository may only make it stricter, or it is free', (name) => {
    const rows = cases[name];
    expect(rows.length).toBeGreaterThan(0);
    for (const [user, wish, expected] of rows)
      expect([user, wish, holds(name, user, wish)]).toEqual([user, wish, expected]);
  });

  it('are ignored where the manifest declares them as personal', () => {
    const applications = [...declared].filter(([, { scope }]) => scope === 'application').map(([name]) => name);
    const ruled = Object.entries(settingRules).filter(([, { kind }]) => kind === 'application');
    expect(ruled.map(([name]) => name).sort()).toEqual(applications.sort());
  });

  it('may raise the severity of a problem above its default, and never lower it', () => {
    const layers = { default: { deprecated: 'warning' } } as const;
    const merged = (wish: Settings['language.severity']): unknown =>
      mergedSetting('language.severity', { ...layers, workspace: wish });
    expect(merged({ deprecated: 'error' })).toEqual({ deprecated: 'error' });
    expect(merged({ deprecated: 'information' })).toBeUndefined();
  });

  it('tighten one after the other in a workspace of several folders', () => {
    const layers = { default: [], user: ['a'], workspace: ['b'], folder: ['c'] };
    expect(mergedSetting('protected.branches', layers)).toEqual(['a', 'b', 'c']);
  });

  it('are read in one place only', () => {
    const raw = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('shell/vscode/settings.ts'))
      .filter((name) =>
        /getConfiguration\((?!'yaml'\))[^)]*\)\s*\.(?:get|inspect|has)\b/.test(readFileSync(`src/${name}`, 'utf8')),
      );
    expect(raw).toEqual([]);
    expect("vscode.workspace.getConfiguration('modelbench').get('x')").toMatch(
      /getConfiguration\((?!'yaml'\))[^)]*\)\s*\.(?:get|inspect|has)\b/,
    );
  });
});
