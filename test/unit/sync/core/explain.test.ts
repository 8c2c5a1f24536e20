import { describe, expect, it } from 'vitest';
import { linkFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { explainText, type ExplainInput } from '#sync/core/status/explain.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { heldBy } from '#sync/core/status/held-by.ts';
import { compileIgnore } from '#sync/core/selection/ignore.ts';

const inSync: ExplainInput = {
  path: 'model/a.yml',
  modelFolder: 'model',
  isInside: true,
  local: { kind: 'file', hash: 'aaaaaaaaaaaaaaaa', size: 12 },
  base: { path: 'model/a.yml', hash: 'aaaaaaaaaaaaaaaa', size: 12 },
  remote: { hash: 'aaaaaaaaaaaaaaaa' },
  rule: undefined,
  entry: undefined,
  guards: [],
  name: undefined,
  isDirty: false,
  held: undefined,
};
const why = (change: Partial<ExplainInput>): string => explainText({ ...inSync, ...change });
const rules = compileIgnore(['*.bak'], [{ folder: 'model', name: '.modelbenchignore', text: 'drafts/\n!keep.yml\n' }]);
const upload: PlanEntry = {
  kind: 'upload',
  path: 'model/a.yml',
  reason: 'changed',
  hash: 'b',
  size: 1,
  expectedRemote: 'a',
};

describe('what holds a change back', () => {
  const free = { outbox: [], paused: [], readOnly: undefined, outage: undefined, error: undefined };
  const waits = { path: 'model/a.yml', reason: { kind: 'unavailable', message: 'the platform answers 503' } } as const;

  it('names a waiting save, a pause, the branch or another window', () => {
    expect(heldBy(free, 'model/a.yml')).toBeUndefined();
    expect(heldBy({ ...free, outbox: [waits] }, 'model/a.yml')).toBe(
      'The saved file is waiting: the platform answers 503.',
    );
    expect(heldBy({ ...free, outbox: [waits] }, 'model/b.yml')).toBeUndefined();
    expect(heldBy({ ...free, paused: ['byUser'] }, 'model/a.yml')).toMatchInlineSnapshot(
      `"Sync is paused. Resume it to upload saved files."`,
    );
    expect(heldBy({ ...free, readOnly: 'branch' }, 'model/a.yml')).toMatchInlineSnapshot(
      `"The branch is read only. Start dev mode to push."`,
    );
    expect(heldBy({ ...free, readOnly: 'otherWindow' }, 'model/a.yml')).toMatchInlineSnapshot(
      `"Another window or command syncs this folder with this branch."`,
    );
    expect(heldBy({ ...free, error: new Error('broken') }, 'model/a.yml')).toBe('broken');
  });
});

describe('the explanation of a file', () => {
  it('names the three versions', () => {
    expect(why({})).toBe(
      [
        'model/a.yml',
        '',
        'In sync: the file is the same here and on the platform.',
        '',
        'Here:             aaaaaaaaaa, 12 B',
        'At the last sync: aaaaaaaaaa, 12 B',
        'On the platform:  aaaaaaaaaa',
        '',
      ].join('\n'),
    );
  });

  const cases: Readonly<Record<string, Partial<ExplainInput>>> = {
    'outside of the model folder': { isInside: false, path: 'README.md' },
    'a rule in a file': { path: 'model/drafts/a.yml', rule: rules.explain('model/drafts/a.yml', false) },
    'a rule of the settings': { path: 'model/a.bak', rule: rules.explain('model/a.bak', false) },
    'a built-in rule': { path: 'model/.env', rule: rules.explain('model/.env', false) },
    'a rule that keeps it': { path: 'model/keep.yml', rule: rules.explain('model/keep.yml', false) },
    'a name': { name: 'reservedName' },
    'a link': { local: { kind: 'frozen', reason: 'symlink' } },
    'a frozen file of the platform': {
      entry: { kind: 'frozen', path: 'model/a.yml', side: 'remote', reason: 'notText' },
    },
    'a change': { entry: upload },
    'what holds it back': { entry: upload, held: 'The platform answers 503.' },
    'a guard': {
      entry: upload,
      guards: [{ kind: 'rootChanged', blocks: 'both', confirmable: true, message: 'Check the folder.' }],
    },
    'a conflict that cannot be read': {
      entry: {
        ...{ kind: 'conflict', path: 'model/a.yml', reason: 'bothChanged', base: 'a', local: 'b', remote: 'c' },
        ...{ size: 1, eolOnly: false, unread: 'It is not text.' },
      },
    },
    'unsaved changes': { isDirty: true },
    'a change since the last scan': { remote: { hash: 'b' } },
    'no such file': { local: { kind: 'absent' }, remote: undefined },
  };

  it('gives the reason between the path and the versions', () => {
    const reasons = Object.entries(cases).map(([name, change]) => {
      const [path, ...rest] = why(change).split('\n\n');
      expect(path).toBe(change.path ?? 'model/a.yml');
      return [name, ...rest.filter((each) => !each.startsWith('Here: '))].join('\n');
    });
    expect(reasons.join('\n\n')).toMatchInlineSnapshot(`
      "outside of the model folder
      Not synced: only files in the folder “model” are synced.


      a rule in a file
      Not synced: its folder model/drafts is left out by “drafts/” in model/.modelbenchignore, line 1.

      a rule of the settings
      Not synced: it is left out by “*.bak” in the setting modelbench.sync.ignore (entry 1).

      a built-in rule
      Not synced: it is left out by the built-in rule “.*”, which cannot be changed.

      a rule that keeps it
      In sync: the file is the same here and on the platform.
      Kept in sync by “!keep.yml” in model/.modelbenchignore, line 2.

      a name
      Not synced: it is left alone (a name that Windows reserves).

      a link
      Not synced: it is left alone (a symbolic link; links are not followed).

      a frozen file of the platform
      Not synced: on the platform it is left alone (the platform sends files as text, and this one is not).

      a change
      To be uploaded: the file changed here since the last sync, and not on the platform.

      what holds it back
      To be uploaded: the file changed here since the last sync, and not on the platform.
      Held back: The platform answers 503.

      a guard
      To be uploaded: the file changed here since the last sync, and not on the platform.
      Held back: Check the folder.

      a conflict that cannot be read
      Conflict: changed on both sides. Nothing is written until you choose a version. It is not text.

      unsaved changes
      In sync: the file is the same here and on the platform.
      The file has unsaved changes in an editor. Sync works with the saved version.

      a change since the last scan
      Changed since the last scan. Refresh the changes to see what follows.

      no such file
      Not synced: there is no such file here or on the platform."
    `);
  });

  it('combines what the folder and the last plan say', async () => {
    const linked = await pulledFolder();
    const [file = ''] = linked.files();
    linked.write('model/.modelbenchignore', '# mine\n/left-out.yml\n');
    linked.write('model/left-out.yml', '# x\n');
    linked.write(file, '# changed\n');
    await linked.sync.plan();
    expect(await linked.sync.maintenance.explain(file, 'model')).toMatchInlineSnapshot(`
      "model/cubes/customers.yml

      To be uploaded: the file changed here since the last sync, and not on the platform.

      Here:             39647ba620, 10 B
      At the last sync: 81e6c9bb82, 2.0 KB
      On the platform:  81e6c9bb82
      "
    `);
    expect(await linked.sync.maintenance.explain('model/left-out.yml', 'model')).toMatchInlineSnapshot(`
      "model/left-out.yml

      Not synced: it is left out by “/left-out.yml” in model/.modelbenchignore, line 2.

      Here:             3a60c52d62, 4 B
      At the last sync: none
      On the platform:  none
      "
    `);
    expect(await linked.sync.maintenance.explain('modelbench.json', 'model')).toMatchInlineSnapshot(`
      "modelbench.json

      Not synced: only files in the folder “model” are synced.
      "
    `);
    expect(await linked.sync.maintenance.explain('model/none.yml', 'model')).toMatchInlineSnapshot(`
      "model/none.yml

      Not synced: there is no such file here or on the platform.

      Here:             none
      At the last sync: none
      On the platform:  none
      "
    `);
  });

  it('needs no plan', async () => {
    const linked = await linkFolder();
    expect(await linked.sync.maintenance.explain('model/a.yml', 'model')).toMatchInlineSnapshot(`
      "model/a.yml

      Not synced: there is no such file here or on the platform.

      Here:             none
      At the last sync: none
      On the platform:  none
      "
    `);
  });
});
