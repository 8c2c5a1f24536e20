import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mayWriteModelFile,
  isProposable,
  newFileProblem,
  pathProblem,
  proposedBlocks,
} from '#chat-core/proposed-files.ts';
import { js, prose, yaml } from '#support/language/raw.ts';

const paths = (answer: string): readonly string[] => proposedBlocks(answer).map(({ path }) => path);

describe('proposedBlocks', () => {
  it.each([
    [
      'in the fence',
      prose`
        ~~~yaml model/cubes/a.yml
        cubes: []
        ~~~
      `,
    ],
    [
      'after a colon',
      prose`
        ~~~yaml:model/cubes/a.yml
        cubes: []
        ~~~
      `,
    ],
    [
      'as a title',
      prose`
        ~~~yaml title="model/cubes/a.yml"
        cubes: []
        ~~~
      `,
    ],
    [
      'in a comment',
      prose`
        ~~~yaml
        # model/cubes/a.yml
        cubes: []
        ~~~
      `,
    ],
    [
      'in a named comment',
      prose`
        ~~~yaml
        # File: model/cubes/a.yml
        cubes: []
        ~~~
      `,
    ],
    [
      'in the line above',
      prose`
        Change \`model/cubes/a.yml\` like this:

        ~~~yaml
        cubes: []
        ~~~
      `,
    ],
    [
      'in a plain line above',
      prose`
        Change model/cubes/a.yml, like this:

        ~~~yaml
        cubes: []
        ~~~
      `,
    ],
    [
      'in a bold line above',
      prose`
        **model/cubes/a.yml**

        ~~~yaml
        cubes: []
        ~~~
      `,
    ],
    [
      'in a heading',
      prose`
        ## model/cubes/a.yml

        Like this:

        ~~~yaml
        cubes: []
        ~~~
      `,
    ],
    [
      'in a longer fence',
      prose`
        ~~~yaml model/cubes/a.yml
        cubes: []
        ~~~
      `,
    ],
    [
      'in a block of a list',
      prose`
        - \`model/cubes/a.yml\`:

          ~~~yaml
          cubes: []
          ~~~
      `,
    ],
    [
      'in a quoted block',
      prose`
        > Change \`model/cubes/a.yml\`:
        >
        > ~~~yaml
        > cubes: []
        > ~~~
      `,
    ],
    [
      'in a quotation that ends the block',
      prose`
        > ~~~yaml model/cubes/a.yml
        > cubes: []
        After it.
      `,
    ],
    [
      'in a quotation of a list in a quotation',
      prose`
        > - > ~~~yaml model/cubes/a.yml
        >   > cubes: []
        >   > ~~~
      `,
    ],
    [
      'with a dot in front',
      prose`
        ~~~yaml ./model/cubes/a.yml
        cubes: []
        ~~~
      `,
    ],
  ])('reads a path that is named %s', (_where, answer) => {
    expect(proposedBlocks(answer)).toMatchObject([{ path: 'model/cubes/a.yml', text: 'cubes: []\n' }]);
  });

  // @shows chat-complaint-20
  it('reads no path that is not meant, and no block without one', () => {
    expect(paths('```yaml\ncubes: []\n```')).toEqual([]);
    expect(paths('Either `a.yml` or `b.yml`:\n\n```yaml\ncubes: []\n```')).toEqual([]);
    expect(paths('`a.yml` is fine.\n\nNow run this:\n\n```sql\nSELECT 1\n```')).toEqual([]);
    expect(paths('```yaml a.yml\n\n```')).toEqual([]);
    expect(paths('```yaml a.yml\ncubes: []')).toEqual([]);
    expect(paths('See https://example.com/a.yml:\n\n```yaml\ncubes: []\n```')).toEqual([]);
  });

  it('keeps all blocks in order, and leaves comments of the code alone', () => {
    const answer = prose`
      ~~~yaml a.yml
      one: 1
      ~~~

      ~~~js b.js
      // explains
      cube('b', {})
      ~~~

      ~~~yaml a.yml
      two: 2
      ~~~
    `;
    expect(proposedBlocks(answer).map(({ path, text }) => [path, text])).toEqual([
      ['a.yml', 'one: 1\n'],
      [
        'b.js',
        js`
          // explains
          cube('b', {})
        `,
      ],
      ['a.yml', 'two: 2\n'],
    ]);
  });

  it('keeps the indentation and the quotation marks of code in a quotation', () => {
    const answer = '>```yaml a.yml\n>cubes:\n> - name: a\n>   sql: >\n>     SELECT 1\n> > 2\n>```\n';
    expect(proposedBlocks(answer)).toMatchInlineSnapshot(`
      [
        {
          "above": "",
          "language": "yaml",
          "path": "a.yml",
          "text": "cubes:
      - name: a
        sql: >
          SELECT 1
      > 2
      ",
        },
      ]
    `);
  });

  it('reads no block that only begins in a quotation', () => {
    expect(paths('> ```yaml a.yml\n\n')).toEqual([]);
    expect(paths('> ```yaml a.yml\n> one: 1')).toEqual([]);
    expect(paths('> In `a.yml`:\n\n```yaml\n> ```yaml b.yml\n> one: 1\n> ```\n```')).toEqual(['a.yml']);
  });

  it('cuts a block of several files', () => {
    const answer = prose`
      ~~~yaml
      # a.yml
      one: 1
      ---
      # b.yml
      two: 2
      ~~~
    `;
    expect(proposedBlocks(answer).map(({ path, text }) => [path, text])).toEqual([
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
    expect(
      pathProblem(
        path,
        yaml`
          cubes:
            - name: a
        `,
        '',
      ),
    ).toMatch(/^[A-Z].*\.$/);
    expect(mayWriteModelFile(path, '')).toBe(false);
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
