import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProposalReview, landing } from '#chat/proposal-review.ts';
import { type ProposedFile, isModelFile, isProposable, newFileProblem, proposedFiles } from '#chat/proposed-files.ts';
import { MemoryProposalFiles } from '#support/chat/memory-proposals.ts';

const paths = (markdown: string): readonly string[] => proposedFiles(markdown).map(({ path }) => path);

describe('proposedFiles', () => {
  it.each([
    ['in the fence', '```yaml model/cubes/a.yml\ncubes: []\n```'],
    ['after a colon', '```yaml:model/cubes/a.yml\ncubes: []\n```'],
    ['as a title', '```yaml title="model/cubes/a.yml"\ncubes: []\n```'],
    ['in a comment', '```yaml\n# model/cubes/a.yml\ncubes: []\n```'],
    ['in a named comment', '```yaml\n# File: model/cubes/a.yml\ncubes: []\n```'],
    ['in the line above', 'Change `model/cubes/a.yml` like this:\n\n```yaml\ncubes: []\n```'],
    ['in a bold line above', '**model/cubes/a.yml**\n```yaml\ncubes: []\n```'],
    ['in a longer fence', '````yaml model/cubes/a.yml\ncubes: []\n````'],
  ])('reads a path that is named %s', (_where, markdown) => {
    expect(proposedFiles(markdown)).toEqual([{ path: 'model/cubes/a.yml', text: 'cubes: []\n' }]);
  });

  it('takes no path for meant that is not, and no block without one', () => {
    expect(paths('```yaml\ncubes: []\n```')).toEqual([]);
    expect(paths('Either `a.yml` or `b.yml`:\n\n```yaml\ncubes: []\n```')).toEqual([]);
    expect(paths('`a.yml` is fine.\n\nNow run this:\n\n```sql\nSELECT 1\n```')).toEqual([]);
    expect(paths('```yaml a.yml\n\n```')).toEqual([]);
    expect(paths('```yaml a.yml\ncubes: []')).toEqual([]);
  });

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
    'model/nul.js',
    'model/a\u202eyml.js',
    'model/%2e%2e/a.yml',
    'model/a.yml/../b.yml',
    'node_modules/left-pad/index.js',
    'model/trailing./a.yml',
    'model/e\u0301.yml',
  ])('never takes %s for a model file', (path) => {
    expect(paths(`\`\`\`yaml ${path}\ncubes: []\n\`\`\``)).toEqual([]);
    expect(isModelFile(path, '')).toBe(false);
  });

  it('keeps several files in order, the later text of one path, and leaves comments of the code alone', () => {
    const markdown = [
      '```yaml a.yml\none: 1\n```',
      '```js b.js\n// explains\ncube(`b`, {})\n```',
      '```yaml a.yml\ntwo: 2\n```',
    ].join('\n\n');
    expect(proposedFiles(markdown)).toEqual([
      { path: 'a.yml', text: 'two: 2\n' },
      { path: 'b.js', text: '// explains\ncube(`b`, {})\n' },
    ]);
  });

  it('never gives a path that leads out of the folder, whatever the answer', () => {
    const segment = fc.constantFrom('..', '.', '', 'model', 'a.yml', '.hidden', '\\', 'x.js', ':', '~');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const name = segments.join('/');
        for (const path of paths(`\`${name}\`:\n\`\`\`yaml ${name}\n# ${name}\na: 1\n\`\`\``)) {
          expect(path).not.toMatch(/(?:^|\/)\.|^\/|\\|:/);
        }
      }),
    );
  });
});

describe('a link without a model folder', () => {
  it('takes scripts only from folders for models, and other YAML only when it defines a model', () => {
    const script = 'cube(`a`, {})\n';
    for (const path of ['webpack.config.js', 'src/index.js', 'a.js']) {
      expect(isProposable({ path, text: script }, '')).toBe(false);
    }
    expect(isProposable({ path: 'model/a.js', text: script }, '')).toBe(true);
    expect(isProposable({ path: 'packages/x/cubes/a.js', text: script }, '')).toBe(true);
    expect(isProposable({ path: 'orders.yml', text: 'cubes:\n  - name: orders\n' }, '')).toBe(true);
    expect(isProposable({ path: 'azure-pipelines.yml', text: 'steps:\n  - script: id\n' }, '')).toBe(false);
    expect(isProposable({ path: 'webpack.config.js', text: script }, 'model')).toBe(false);
  });
});

describe('a new file that the user names', () => {
  it('gets the same check as the names of the platform', () => {
    expect(newFileProblem('model/cubes/new.yml')).toBeUndefined();
    expect(newFileProblem('model/con.yml')).toBe('The name is reserved on Windows.');
    expect(newFileProblem('.github/workflows/x.yml')).toBe('The name is hidden, or configures a tool.');
    expect(newFileProblem('model/../x.yml')).toBe('The name has characters or steps that not every system can store.');
    expect(newFileProblem('model/e\u0301.yml')).toBe('The name is not in Unicode normal form.');
    expect(newFileProblem('model/x.sh')).toBe('A model file ends in .yml, .yaml, .js or .jinja.');
  });
});

const proposed: readonly ProposedFile[] = [
  { path: 'model/a.yml', text: 'a: 2\nb: 1\n' },
  { path: 'model/new.yml', text: 'n: 1\n' },
];

function review(disk = new MemoryProposalFiles(), files = proposed) {
  disk.texts.set('model/a.yml', 'a: 1\nb: 1\n');
  return { disk, review: new ProposalReview(disk, files, 'model') };
}

const states = async (subject: ProposalReview): Promise<readonly string[]> =>
  (await subject.items()).map(({ state }) => state);

describe('ProposalReview', () => {
  it('shows what would change, and writes nothing unasked', async () => {
    const { disk, review: subject } = review();
    expect(await subject.items()).toEqual([
      { path: 'model/a.yml', state: 'open', isNew: false, added: 1, removed: 1, canUndo: false, note: undefined },
      { path: 'model/new.yml', state: 'open', isNew: true, added: 1, removed: 0, canUndo: false, note: undefined },
    ]);
    expect(disk.writes).toEqual([]);
  });

  it('accepts and rejects one at a time, and takes each back', async () => {
    const { disk, review: subject } = review();
    await subject.accept(['model/new.yml']);
    await subject.reject(['model/a.yml']);
    expect(await states(subject)).toEqual(['rejected', 'accepted']);
    expect(disk.texts.get('model/a.yml')).toBe('a: 1\nb: 1\n');
    await subject.undo(['model/new.yml', 'model/a.yml']);
    expect(await states(subject)).toEqual(['open', 'open']);
    expect(disk.texts.has('model/new.yml')).toBe(false);
  });

  it('accepts all in one step, and takes all back in one', async () => {
    const { disk, review: subject } = review();
    const all = proposed.map(({ path }) => path);
    await subject.accept(all);
    expect(await states(subject)).toEqual(['accepted', 'accepted']);
    await subject.undo(all);
    expect(disk.writes).toEqual([all, all]);
    expect([...disk.texts]).toEqual([['model/a.yml', 'a: 1\nb: 1\n']]);
  });

  it('follows the files: what was undone in the editor is open again, what was changed since is left alone', async () => {
    const { disk, review: subject } = review();
    await subject.accept(['model/a.yml']);
    disk.texts.set('model/a.yml', 'a: 1\nb: 1\n');
    expect(await states(subject)).toEqual(['open', 'open']);
    await subject.accept(['model/a.yml']);
    disk.texts.set('model/a.yml', 'mine: 1\n');
    const [item] = await subject.items();
    expect(item).toMatchObject({ state: 'accepted', canUndo: false, note: 'Changed since.' });
    await subject.undo(['model/a.yml']);
    expect(disk.texts.get('model/a.yml')).toBe('mine: 1\n');
  });

  it('knows a file that already has the text, with any line ends, and offers no undo it cannot do', async () => {
    const { disk, review: subject } = review();
    disk.texts.set('model/a.yml', 'a: 2\r\nb: 1\r\n');
    const [item] = await subject.items();
    expect(item).toMatchObject({ state: 'accepted', canUndo: false });
    await subject.accept(['model/a.yml']);
    expect(disk.writes).toEqual([]);
  });

  it('does not overwrite unsaved work, nor leave the model’s folder', async () => {
    const { disk, review: subject } = review(new MemoryProposalFiles(), [
      ...proposed,
      { path: 'other.yml', text: 'o: 1\n' },
    ]);
    disk.unsaved.add('model/a.yml');
    await subject.accept(['model/a.yml', 'other.yml']);
    expect(disk.writes).toEqual([]);
    expect((await subject.items()).map(({ note }) => note)).toEqual([
      'Has unsaved changes: save or revert them first.',
      undefined,
      'Outside of the model’s folder (model).',
    ]);
  });

  it('writes nothing that the disk refuses, and shows why', async () => {
    const disk = new MemoryProposalFiles();
    disk.refusals.set('model/new.yml', 'model/new.yml is a symbolic link. Nothing was written.');
    const { review: subject } = review(disk);
    await subject.accept(['model/new.yml']);
    expect(disk.writes).toEqual([]);
    expect((await subject.items())[1]?.note).toBe('model/new.yml is a symbolic link. Nothing was written.');
  });

  it('ignores paths that were not proposed', async () => {
    const { disk, review: subject } = review();
    await subject.accept(['model/b.yml', '../x.yml']);
    expect(disk.writes).toEqual([]);
  });

  it('ends with each file as the last decision left it, whatever the order of clicks', async () => {
    const path = fc.constantFrom(...proposed.map((file) => file.path));
    const click = fc.record({ kind: fc.constantFrom('accept' as const, 'reject' as const, 'undo' as const), path });
    await fc.assert(
      fc.asyncProperty(fc.array(click, { maxLength: 12 }), async (clicks) => {
        const { disk, review: subject } = review();
        const original = new Map(disk.texts);
        const expected = new Map(proposed.map((file) => [file.path, 'open']));
        await Promise.all(
          clicks.map(({ kind, path: at }) => {
            const before = expected.get(at);
            if (kind === 'accept') expected.set(at, 'accepted');
            else if (kind === 'undo') expected.set(at, 'open');
            else if (before !== 'accepted') expected.set(at, 'rejected');
            return subject[kind]([at]);
          }),
        );
        expect(await states(subject)).toEqual(proposed.map((file) => expected.get(file.path)));
        for (const file of proposed) {
          const wanted = expected.get(file.path) === 'accepted' ? file.text : original.get(file.path);
          expect(disk.texts.get(file.path)).toBe(wanted);
        }
      }),
    );
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
