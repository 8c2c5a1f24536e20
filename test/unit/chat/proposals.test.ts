import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineChanges } from '#base/merge-lines.ts';
import { ProposalReview, landing } from '#chat/proposal-review.ts';
import { isModelFile, isProposable, newFileProblem, pathProblem, proposedBlocks } from '#chat/proposed-files.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { MemoryProposalFiles, judge, recordsIn } from '#support/chat/memory-proposals.ts';

const paths = (markdown: string): readonly string[] => proposedBlocks(markdown).map(({ path }) => path);

describe('proposedBlocks', () => {
  it.each([
    ['in the fence', '```yaml model/cubes/a.yml\ncubes: []\n```'],
    ['after a colon', '```yaml:model/cubes/a.yml\ncubes: []\n```'],
    ['as a title', '```yaml title="model/cubes/a.yml"\ncubes: []\n```'],
    ['in a comment', '```yaml\n# model/cubes/a.yml\ncubes: []\n```'],
    ['in a named comment', '```yaml\n# File: model/cubes/a.yml\ncubes: []\n```'],
    ['in the line above', 'Change `model/cubes/a.yml` like this:\n\n```yaml\ncubes: []\n```'],
    ['in a plain line above', 'Change model/cubes/a.yml, like this:\n\n```yaml\ncubes: []\n```'],
    ['in a bold line above', '**model/cubes/a.yml**\n```yaml\ncubes: []\n```'],
    ['in a heading', '## model/cubes/a.yml\n\nLike this:\n\n```yaml\ncubes: []\n```'],
    ['in a longer fence', '````yaml model/cubes/a.yml\ncubes: []\n````'],
    ['in a block of a list', '- `model/cubes/a.yml`:\n\n  ```yaml\n  cubes: []\n  ```'],
    ['with a dot in front', '```yaml ./model/cubes/a.yml\ncubes: []\n```'],
  ])('reads a path that is named %s', (_where, markdown) => {
    expect(proposedBlocks(markdown)).toMatchObject([{ path: 'model/cubes/a.yml', text: 'cubes: []\n' }]);
  });

  it('takes no path for meant that is not, and no block without one', () => {
    expect(paths('```yaml\ncubes: []\n```')).toEqual([]);
    expect(paths('Either `a.yml` or `b.yml`:\n\n```yaml\ncubes: []\n```')).toEqual([]);
    expect(paths('`a.yml` is fine.\n\nNow run this:\n\n```sql\nSELECT 1\n```')).toEqual([]);
    expect(paths('```yaml a.yml\n\n```')).toEqual([]);
    expect(paths('```yaml a.yml\ncubes: []')).toEqual([]);
    expect(paths('See https://example.com/a.yml:\n\n```yaml\ncubes: []\n```')).toEqual([]);
  });

  it('keeps all blocks in order, and leaves comments of the code alone', () => {
    const markdown = [
      '```yaml a.yml\none: 1\n```',
      '```js b.js\n// explains\ncube(`b`, {})\n```',
      '```yaml a.yml\ntwo: 2\n```',
    ].join('\n\n');
    expect(proposedBlocks(markdown).map(({ path, text }) => [path, text])).toEqual([
      ['a.yml', 'one: 1\n'],
      ['b.js', '// explains\ncube(`b`, {})\n'],
      ['a.yml', 'two: 2\n'],
    ]);
  });

  it('cuts a block of several files', () => {
    const markdown = '```yaml\n# a.yml\none: 1\n---\n# b.yml\ntwo: 2\n```';
    expect(proposedBlocks(markdown).map(({ path, text }) => [path, text])).toEqual([
      ['a.yml', 'one: 1\n'],
      ['b.yml', 'two: 2\n'],
    ]);
  });
});

describe('pathProblem', () => {
  it.each([
    '../secrets.yml',
    'model/../../a.yml',
    '/etc/a.yml',
    'C:\\a.yml',
    '.vscode/tasks.yml',
    'model/.git/hooks.js',
    'package.json',
    'run.sh',
    'a.ts',
    '//x.yml',
    'model/con.yml',
    'model/a\u202e.yml',
    'model/%2e%2e/a.yml',
    'node_modules/x/index.js',
  ])('refuses %s in one sentence', (path) => {
    expect(pathProblem(path, 'cubes:\n  - name: a\n', '')).toMatch(/^[A-Z].*\.$/);
    expect(isModelFile(path, '')).toBe(false);
  });

  it.each([
    ['index.js', 'cube(`a`, {})', '', false],
    ['.github/workflows/ci.yml', 'on: push', '', false],
    ['docker-compose.yml', 'services: {}', '', false],
    ['a.yml', 'cubes: []', '', true],
    ['schema/A.js', 'cube(`a`, {})', '', true],
    ['model/b.yml', 'x: 1', '', true],
    ['model/b.js', '', 'model', true],
    ['other/b.js', '', 'model', false],
  ])('judges whether %s is a file of the model', (path, text, modelPath, expected) => {
    expect(isProposable(path, text, modelPath)).toBe(expected);
  });

  it.each([
    ['model/new.yml', undefined],
    ['model/con.yml', /reserved/],
    ['model/new.txt', /ends in/],
  ])('judges the name %s that the user types', (path, expected) => {
    const problem = newFileProblem(path);
    if (expected) expect(problem).toMatch(expected);
    else expect(problem).toBeUndefined();
  });

  it('lets no path lead out of the folder, whatever the answer', () => {
    const segment = fc.constantFrom('..', '.', '', 'model', 'a.yml', '.hidden', '\\', 'x.js', ':', '~');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const name = segments.join('/');
        for (const path of paths(`\`${name}\`:\n\`\`\`yaml ${name}\n# ${name}\na: 1\n\`\`\``)) {
          if (pathProblem(path, 'cubes: []', '') === undefined) expect(path).not.toMatch(/(?:^|\/)\.|^\/|\\|:/);
        }
      }),
    );
  });
});

const measure = (name: string, type = 'sum'): string =>
  `      - name: ${name}\n        sql: ${name}\n        type: ${type}\n`;
const cube = (...measures: readonly string[]): string =>
  `cubes:\n  - name: a\n    sql_table: a\n    measures:\n${measures.join('')}`;
const CUBE = cube(measure('one'), measure('two'));
const A = 'model/a.yml';
const NEW = 'model/new.yml';
const added = CUBE + measure('three');
const newFile = 'cubes:\n  - name: n\n    sql_table: n\n';
const inFence = (path: string, text: string): string => `\`\`\`yaml ${path}\n${text}\`\`\`\n`;
const both = `${inFence(A, measure('three'))}\n${inFence(NEW, newFile)}`;

/** An answer to a question that was sent while the files were as they are given. */
async function setUp(options: { readonly answer?: string; readonly before?: string; readonly branch?: string } = {}) {
  const { answer = both, before = CUBE, branch } = options;
  const disk = new MemoryProposalFiles();
  disk.texts.set(A, before);
  const stored = new MemoryFiles();
  await recordsIn(stored).begin('1-message', {
    local: disk.texts,
    branch: new Map(branch === undefined ? [] : [[A, branch]]),
    isComplete: true,
  });
  const open = (): ProposalReview =>
    new ProposalReview(
      { files: disk, records: recordsIn(stored), judge },
      { turn: '1-message', blocks: proposedBlocks(answer), modelPath: 'model' },
    );
  const review = open();
  /** Shows and accepts, as the user does. */
  const accept = async (...wanted: readonly string[]): Promise<void> => {
    await review.changes(wanted);
    expect(await review.accept(wanted)).toEqual({ unseen: [], conflicts: [] });
  };
  return { disk, stored, review, open, accept };
}

const states = async (subject: ProposalReview): Promise<readonly string[]> =>
  (await subject.items()).map(({ state }) => state);

describe('ProposalReview', () => {
  it('shows what would change, and writes nothing unasked', async () => {
    const { disk, review } = await setUp();
    expect(await review.items()).toMatchObject([
      { path: A, state: 'open', isNew: false, added: 3, removed: 0, canAccept: true, canUndo: false },
      { path: NEW, state: 'open', isNew: true, added: 3, removed: 0, canAccept: true, canUndo: false },
    ]);
    expect(disk.writes).toEqual([]);
  });

  it('writes nothing that was not shown as it is now', async () => {
    const { disk, review } = await setUp();
    expect(await review.accept([A])).toEqual({ unseen: [A], conflicts: [] });
    await review.changes([A]);
    disk.texts.set(A, `# Mine.\n${CUBE}`);
    expect(await review.accept([A])).toEqual({ unseen: [A], conflicts: [] });
    expect(disk.writes).toEqual([]);
    await review.changes([A]);
    await review.accept([A]);
    expect(disk.texts.get(A)).toBe(`# Mine.\n${added}`);
  });

  it('never offers a piece of a file as the file', async () => {
    const { disk, accept } = await setUp({ answer: inFence(A, measure('three')) });
    await accept(A);
    expect(disk.texts.get(A)).toBe(added);
  });

  it('keeps what was saved since the question', async () => {
    const { disk, review, accept } = await setUp();
    const later = CUBE.replace('sql_table: a', 'sql_table: public.a');
    disk.texts.set(A, later);
    expect((await review.items())[0]).toMatchObject({
      added: 3,
      removed: 0,
      note: expect.stringMatching(/your changes stay/) as string,
    });
    await accept(A);
    expect(disk.texts.get(A)).toBe(later + measure('three'));
  });

  it('keeps unsaved edits', async () => {
    const { disk, accept, review } = await setUp();
    disk.texts.set(A, `# Mine.\n${CUBE}`);
    disk.unsaved.add(A);
    await accept(A);
    expect(disk.texts.get(A)).toBe(`# Mine.\n${added}`);
    expect((await review.items())[0]).toMatchObject({ state: 'accepted', note: 'In the editor, not saved yet.' });
  });

  it('keeps local work that the branch did not have when the agent read it', async () => {
    const mine = cube(measure('mine'), measure('one'), measure('two'));
    const answer = inFence(A, CUBE.replace('sql: two', 'sql: second'));
    const { disk, accept } = await setUp({ answer, before: mine, branch: CUBE });
    await accept(A);
    expect(disk.texts.get(A)).toBe(mine.replace('sql: two', 'sql: second'));
  });

  it('opens the merge editor where the user changed the same lines, and chooses nothing', async () => {
    const answer = inFence(A, CUBE.replace('sql: two', 'sql: second'));
    const { disk, review } = await setUp({ answer });
    const mine = CUBE.replace('sql: two', 'sql: zwei');
    disk.texts.set(A, mine);
    await review.changes([A]);
    expect(await review.accept([A])).toEqual({ unseen: [], conflicts: [A] });
    await review.merge(A);
    expect(disk.texts.get(A)).toBe(mine);
    expect(await states(review)).toEqual(['open']);
    disk.resolve = ({ base, theirs, mine: now }) => {
      expect([base, theirs, now]).toEqual([CUBE, CUBE.replace('sql: two', 'sql: second'), mine]);
      return CUBE.replace('sql: two', 'sql: both');
    };
    await review.merge(A);
    expect(await states(review)).toEqual(['accepted']);
    await review.undo([A]);
    expect(disk.texts.get(A)).toBe(mine);
  });

  it('merges again where a file changes in the moment it is written', async () => {
    const { disk, review } = await setUp({ answer: inFence(A, measure('three')) });
    await review.changes([A]);
    disk.beforeWrite = () => disk.texts.set(A, `# Now.\n${CUBE}`);
    // What is written then was not seen.
    expect(await review.accept([A])).toEqual({ unseen: [A], conflicts: [] });
    expect(disk.texts.get(A)).toBe(`# Now.\n${CUBE}`);
    expect(await states(review)).toEqual(['open']);
  });

  it('accepts some of the changes of a file, and the others later', async () => {
    const answer = inFence(A, cube(measure('zero'), measure('one'), measure('two'), measure('three')));
    const { disk, review } = await setUp({ answer });
    const [change] = await review.changes([A]);
    expect(change?.hunks).toHaveLength(2);
    await review.accept([A], change?.hunks.slice(1));
    expect(disk.texts.get(A)).toBe(added);
    expect((await review.items())[0]).toMatchObject({ state: 'partly', added: 3, canAccept: true, canUndo: true });
    disk.texts.set(A, `# Mine.\n${added}`);
    await review.changes([A]);
    await review.accept([A]);
    expect((await review.items())[0]).toMatchObject({ state: 'accepted' });
    await review.undo([A]);
    expect(disk.texts.get(A)).toBe(`# Mine.\n${CUBE}`);
    expect(await states(review)).toEqual(['open']);
  });

  it('accepts and rejects one at a time, and takes each back', async () => {
    const { disk, review, accept } = await setUp();
    await accept(NEW);
    await review.reject([A]);
    expect(await states(review)).toEqual(['rejected', 'accepted']);
    expect(disk.texts.get(A)).toBe(CUBE);
    await review.undo([NEW, A]);
    expect(await states(review)).toEqual(['open', 'open']);
    expect(disk.texts.has(NEW)).toBe(false);
  });

  it('accepts all in one step', async () => {
    const { disk, review, accept } = await setUp();
    await accept(A, NEW);
    expect(disk.writes).toEqual([[A, NEW]]);
    await review.undo([A, NEW]);
    expect([...disk.texts]).toEqual([[A, CUBE]]);
  });

  it('stays decided after a reload, whatever became of the files', async () => {
    const { disk, review, open, accept } = await setUp();
    await accept(A);
    await review.reject([NEW]);
    const reloaded = open();
    expect(await states(reloaded)).toEqual(['accepted', 'rejected']);
    disk.texts.set(A, `# Later work.\n${added}`);
    expect((await reloaded.items())[0]).toMatchObject({
      state: 'accepted',
      canUndo: true,
      note: 'The file was changed since.',
    });
    await reloaded.changes([A, NEW]);
    await reloaded.accept([A, NEW]);
    expect(disk.texts.get(A)).toBe(`# Later work.\n${added}`);
    disk.texts.delete(A);
    expect((await open().items())[0]).toMatchObject({ state: 'accepted', canUndo: false });
  });

  it('undoes after a reload, and keeps what was written since', async () => {
    const { disk, open, accept } = await setUp();
    await accept(A);
    disk.texts.set(A, `# Later work.\n${added}`);
    const reloaded = open();
    await reloaded.undo([A]);
    expect(disk.texts.get(A)).toBe(`# Later work.\n${CUBE}`);
    expect((await open().items())[0]).toMatchObject({ state: 'open' });
  });

  it('opens the merge editor where an undo meets later work in the same lines', async () => {
    const { disk, review, accept } = await setUp();
    await accept(A);
    const later = added.replace('sql: three', 'sql: third');
    disk.texts.set(A, later);
    await review.undo([A]);
    expect(disk.texts.get(A)).toBe(later);
    expect(disk.conflicts).toMatchObject([{ path: A, base: added, mine: later, theirs: CUBE }]);
    expect((await review.items())[0]).toMatchObject({ state: 'accepted' });
  });

  it('deletes a file that it made only as it made it', async () => {
    const { disk, review, accept } = await setUp();
    await accept(NEW);
    disk.texts.set(NEW, `${newFile}    title: Mine\n`);
    expect((await review.items())[1]).toMatchObject({ state: 'accepted', canUndo: false });
    await review.undo([NEW]);
    expect(disk.texts.get(NEW)).toBe(`${newFile}    title: Mine\n`);
  });

  it('keeps a way back where the window ends between the decision and the write', async () => {
    const { disk, review, open } = await setUp();
    await review.changes([A]);
    disk.write = () => new Promise(() => undefined);
    void review.accept([A]);
    await expect.poll(() => states(open())).toEqual(['accepted', 'open']);
    expect((await open().items())[0]).toMatchObject({ canUndo: true, note: 'The file has its earlier text again.' });
    await open().undo([A]);
    expect(await states(open())).toEqual(['open', 'open']);
  });

  it('is open again where the write failed', async () => {
    const { disk, review } = await setUp();
    await review.changes([A]);
    disk.write = () => Promise.reject(new Error('The disk is full.'));
    await expect(review.accept([A])).rejects.toThrow('The disk is full.');
    expect(await states(review)).toEqual(['open', 'open']);
  });

  it('offers an answer whose files are not known as a draft', async () => {
    const disk = new MemoryProposalFiles();
    disk.texts.set(A, CUBE);
    const blocks = proposedBlocks(inFence(A, cube(measure('old'))));
    const input = { turn: '0-message', blocks, modelPath: 'model' };
    const review = new ProposalReview({ files: disk, records: recordsIn(new MemoryFiles()), judge }, input);
    expect(await review.items()).toMatchObject([
      { state: 'draft', note: expect.stringMatching(/not known/) as string },
    ]);
    await review.changes([A]);
    await review.accept([A]);
    expect(disk.texts.get(A)).toBe(CUBE);
    expect(review.draft(A)).toBe(cube(measure('old')));
  });

  it('refuses a result that must not take the place of the file, and says why', async () => {
    const { disk, stored } = await setUp();
    const refusing = { ...judge, problem: () => Promise.resolve('It would remove the measure “one” of “a”.') };
    const review = new ProposalReview(
      { files: disk, records: recordsIn(stored), judge: refusing },
      { turn: '1-message', blocks: proposedBlocks(both), modelPath: 'model' },
    );
    expect((await review.items())[0]).toMatchObject({
      state: 'open',
      canAccept: false,
      note: 'It would remove the measure “one” of “a”.',
    });
    await review.changes([A]);
    await review.accept([A]);
    expect(disk.writes).toEqual([]);
  });

  it('judges each path by itself, and says in one sentence why one is refused', async () => {
    const answer = [A, `${A}/x.yml`, 'model/con.yml', 'other.yml', 'model/A.yml', '../b.yml']
      .map((path) => inFence(path, path === A ? measure('three') : newFile))
      .join('\n');
    const { disk, review, accept } = await setUp({ answer });
    disk.unreadable.add(`${A}/x.yml`);
    disk.refusals.set('model/A.yml', 'model/a.yml exists, and the names differ only in letter case.');
    const items = await review.items();
    expect(items.map(({ path, state }) => [path, state])).toEqual([
      [A, 'open'],
      [`${A}/x.yml`, 'refused'],
      ['model/con.yml', 'refused'],
      ['other.yml', 'refused'],
      ['model/A.yml', 'refused'],
      ['../b.yml', 'refused'],
    ]);
    for (const { note } of items.slice(1)) {
      expect(note).toMatch(/^[A-Zm][^\n]*\.$/);
      expect(note).not.toContain('/home');
    }
    await accept(A, 'model/con.yml', 'model/A.yml', '../b.yml');
    expect(disk.writes).toEqual([[A]]);
  });

  it('refuses one of two new files whose names differ only in letter case', async () => {
    const answer = `${inFence(NEW, newFile)}\n${inFence('model/New.yml', newFile)}`;
    const { review } = await setUp({ answer });
    expect(await states(review)).toEqual(['open', 'refused']);
  });

  it('ignores paths that were not proposed', async () => {
    const { disk, accept } = await setUp();
    await accept('model/b.yml', '../x.yml');
    expect(disk.writes).toEqual([]);
  });

  it('shows a file that has the change already as accepted', async () => {
    const { disk, review } = await setUp();
    disk.texts.set(A, added);
    expect((await review.items())[0]).toMatchObject({ state: 'accepted', canUndo: false });
  });

  it('keeps the end of a file', async () => {
    const { disk, accept } = await setUp({ before: CUBE.trimEnd() });
    await accept(A);
    expect(disk.texts.get(A)).toBe(added.trimEnd());
  });

  it('puts what it replaces into the trash', async () => {
    const { disk, accept } = await setUp();
    await accept(A, NEW);
    expect(disk.trash).toEqual([[A, CUBE]]);
  });

  it('loses no line that the user wrote, whatever is clicked and written in between', async () => {
    const click = fc.oneof(
      fc.constantFrom('accept', 'reject', 'undo', 'reload', 'hunk').map((kind) => ({ kind, line: 0 })),
      fc.nat(8).map((line) => ({ kind: 'write', line })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(click, { maxLength: 14 }), async (clicks) => {
        const answer = inFence(A, cube(measure('zero'), measure('one', 'max'), measure('two'), measure('three')));
        const { disk, review, open } = await setUp({ answer });
        let subject = review;
        const written: string[] = [];
        for (const { kind, line } of clicks) {
          if (kind === 'write') {
            const lines = (disk.texts.get(A) ?? '').split('\n');
            const mine = `# mine ${written.length}`;
            lines.splice(line, 0, mine);
            written.push(mine);
            disk.texts.set(A, lines.join('\n'));
          } else if (kind === 'reload') subject = open();
          else if (kind === 'reject') await subject.reject([A]);
          else if (kind === 'undo') await subject.undo([A]);
          else {
            const [change] = await subject.changes([A]);
            await subject.accept([A], kind === 'hunk' ? change?.hunks.slice(0, 1) : undefined);
          }
          const now = disk.texts.get(A) ?? '';
          for (const mine of written) expect(now.split('\n')).toContain(mine);
          for (const name of ['one', 'two']) expect(now).toContain(`name: ${name}\n`);
        }
        expect(lineChanges(disk.texts.get(A) ?? '', disk.texts.get(A) ?? '')).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('ProposalRecords', () => {
  it('keeps what is decided when its file is damaged in other places, and nothing of a damaged text', async () => {
    const stored = new MemoryFiles();
    const records = recordsIn(stored);
    const hash = await records.keep('text');
    expect(await records.text(hash)).toBe('text');
    const name = [...stored.content.keys()].find((key) => key.includes(hash)) ?? '';
    stored.content.set(name, 'other');
    expect(await records.text(hash)).toBeUndefined();
    stored.content.set('proposal-thread.json', '{ damaged');
    expect(await records.decision('1-message', A)).toBeUndefined();
  });

  it('keeps a bounded number of texts, those of the newest turns', async () => {
    const stored = new MemoryFiles();
    const records = recordsIn(stored);
    for (let turn = 1; turn <= 420; turn++) {
      await records.begin(`${turn}-message`, {
        local: new Map([[A, `text ${turn}`]]),
        branch: new Map(),
        isComplete: true,
      });
      await records.settle(`${turn}-message`, [A]);
    }
    expect(await records.versions('420-message', A)).toEqual(['text 420']);
    expect(await records.versions('1-message', A)).toBeUndefined();
    expect(stored.content.size).toBeLessThan(410);
  });

  it('does not take a file for new that the model was too large to keep', async () => {
    const records = recordsIn(new MemoryFiles());
    await records.begin('1-message', { local: new Map(), branch: new Map(), isComplete: false });
    await records.settle('1-message', [A]);
    expect(await records.versions('1-message', A)).toBeUndefined();
  });
});

describe('landing', () => {
  const dev = { name: 'dev-ada', isDefault: false };
  it.each([
    [dev, dev, { kind: 'ok' }],
    [undefined, dev, { kind: 'ok' }],
    [dev, undefined, { kind: 'noDevBranch' }],
    [dev, { name: 'main', isDefault: true }, { kind: 'noDevBranch' }],
    [{ name: 'main', isDefault: true }, dev, { kind: 'otherBranch', from: 'main', to: 'dev-ada' }],
  ])('of an answer on %j while %j is active', (answered, active, expected) => {
    expect(landing(answered, active)).toEqual(expected);
  });
});
