import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isModelFile, isProposable, newFileProblem, pathProblem, proposedBlocks } from '#chat-core/proposed-files.ts';

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

  // @shows chat-complaint-20
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
    ['model/new.yml', /^$/],
    ['model/con.yml', /reserved/],
    ['model/new.txt', /ends in/],
  ])('judges the name %s that the user types', (path, expected) => {
    expect(newFileProblem(path) ?? '').toMatch(expected);
  });

  it('lets no path lead out of the folder, whatever the answer', () => {
    const segment = fc.constantFrom('..', '.', '', 'model', 'a.yml', '.hidden', '\\', 'x.js', ':', '~');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const name = segments.join('/');
        const taken = paths(`\`${name}\`:\n\`\`\`yaml ${name}\n# ${name}\na: 1\n\`\`\``).filter(
          (path) => pathProblem(path, 'cubes: []', '') === undefined,
        );
        for (const path of taken) expect(path).not.toMatch(/(?:^|\/)\.|^\/|\\|:/);
      }),
    );
  });
});
