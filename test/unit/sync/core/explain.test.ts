import { describe, expect, it } from 'vitest';
import { linkFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { explainText, type ExplainInput } from '#sync/core/explain.ts';
import type { PlanEntry } from '#sync/core/plan.ts';
import { heldBy } from '#sync/core/held-by.ts';
import { compileIgnore } from '#sync/core/ignore.ts';

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
    expect(heldBy({ ...free, paused: ['byUser'] }, 'model/a.yml')).toContain('Sync is paused');
    expect(heldBy({ ...free, readOnly: 'branch' }, 'model/a.yml')).toContain('read only');
    expect(heldBy({ ...free, readOnly: 'otherWindow' }, 'model/a.yml')).toContain('Another window');
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

  const cases: readonly (readonly [what: string, change: Partial<ExplainInput>, text: string])[] = [
    ['outside of the model folder', { isInside: false, path: 'README.md' }, 'only files in the folder “model”'],
    [
      'a rule in a file',
      { path: 'model/drafts/a.yml', rule: rules.explain('model/drafts/a.yml', false) },
      'its folder model/drafts is left out by “drafts/” in model/.modelbenchignore, line 1',
    ],
    [
      'a rule of the settings',
      { path: 'model/a.bak', rule: rules.explain('model/a.bak', false) },
      'it is left out by “*.bak” in the setting modelbench.sync.ignore (entry 1)',
    ],
    [
      'a built-in rule',
      { rule: rules.explain('model/.env', false) },
      'the built-in rule “.*”, which cannot be changed',
    ],
    ['a rule that keeps it', { rule: rules.explain('model/keep.yml', false) }, 'Kept in sync by “!keep.yml”'],
    ['a name', { name: 'reservedName' }, 'a name that Windows reserves'],
    ['a link', { local: { kind: 'frozen', reason: 'symlink' } }, 'a symbolic link'],
    [
      'a frozen file of the platform',
      { entry: { kind: 'frozen', path: 'model/a.yml', side: 'remote', reason: 'notText' } },
      'on the platform it is left alone (the platform sends files as text',
    ],
    ['a change', { entry: upload }, 'To be uploaded: the file changed here since the last sync'],
    [
      'what holds it back',
      { entry: upload, held: 'The platform answers 503.' },
      'Held back: The platform answers 503.',
    ],
    [
      'a guard',
      {
        entry: upload,
        guards: [{ kind: 'rootChanged', blocks: 'both', confirmable: true, message: 'Check the folder.' }],
      },
      'Held back: Check the folder.',
    ],
    [
      'a conflict that cannot be read',
      {
        entry: {
          ...{ kind: 'conflict', path: 'model/a.yml', reason: 'bothChanged', base: 'a', local: 'b', remote: 'c' },
          ...{ size: 1, eolOnly: false, unread: 'It is not text.' },
        },
      },
      'Conflict: changed on both sides. Nothing is written until you choose a version. It is not text.',
    ],
    ['unsaved changes', { isDirty: true }, 'unsaved changes in an editor'],
    ['a change since the last scan', { remote: { hash: 'b' } }, 'Changed since the last scan'],
    ['no such file', { local: { kind: 'absent' }, remote: undefined }, 'there is no such file here or on the platform'],
  ];

  it.each(cases)('names %s', (_, change, text) => {
    expect(why(change)).toContain(text);
  });

  it('combines what the folder and the last plan say', async () => {
    const linked = await pulledFolder();
    const [file = ''] = linked.files();
    linked.write('model/.modelbenchignore', '# mine\n/left-out.yml\n');
    linked.write('model/left-out.yml', '# x\n');
    linked.write(file, '# changed\n');
    await linked.sync.plan();
    expect(await linked.sync.maintenance.explain(file, 'model')).toContain('To be uploaded');
    expect(await linked.sync.maintenance.explain('model/left-out.yml', 'model')).toContain(
      'model/.modelbenchignore, line 2',
    );
    expect(await linked.sync.maintenance.explain('modelbench.json', 'model')).toContain(
      'only files in the folder “model”',
    );
    expect(await linked.sync.maintenance.explain('model/none.yml', 'model')).toContain('no such file');
  });

  it('needs no plan', async () => {
    const linked = await linkFolder();
    expect(await linked.sync.maintenance.explain('model/a.yml', 'model')).toContain('no such file');
  });
});
