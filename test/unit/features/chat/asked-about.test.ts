import { describe, expect, it } from 'vitest';
import { cellAttachment, cellNames, cellQuestion } from '#chat-core/asked-cell.ts';
import {
  buildQuestion,
  changeQuestion,
  type ChangedSides,
  outlinedAt,
  problemQuestion,
} from '#features/chat/asked-about.ts';
import { prose } from '#support/language/raw.ts';

const cell = {
  result: {
    title: 'Orders by status',
    sql: 'SELECT status, MEASURE(count) FROM orders GROUP BY 1',
    columns: [
      { name: 'status', type: 'string' },
      { name: 'count', type: 'number' },
    ],
  },
  column: 1,
  cells: ['shipped', '46'],
};

describe('a question about a value', () => {
  it('names the value by its row', () => {
    expect(cellQuestion(cell)).toBe('/explain Why is count 46 where status = shipped?');
    expect(cellQuestion({ ...cell, column: 0, cells: [null, '9'] })).toBe(
      '/explain Why is status NULL where count = 9?',
    );
  });

  it('takes the expression, the row and the statement along', () => {
    expect(cellNames(cell)).toEqual(['orders.count']);
    const { label, text } = cellAttachment(cell);
    expect(label).toBe('count = 46');
    expect(text).toMatchInlineSnapshot(`
      "Value: count = 46

      Computed as: MEASURE(count)

      Row:
      status = shipped
      count = 46

      SQL:
      SELECT status, MEASURE(count) FROM orders GROUP BY 1"
    `);
  });

  it('has the member of its column where a query of members answered', () => {
    const result = { title: '', sql: '', columns: [{ name: 'orders.count', type: 'number' }] };
    const member = { result, column: 0, cells: ['46'] };
    expect(cellNames(member)).toEqual(['orders.count']);
    expect(cellAttachment(member).text).toBe(prose`
      Value: orders.count = 46

      Row:
      orders.count = 46`);
  });

  it('claims no source where the statement is not plain', () => {
    const odd = { ...cell, result: { ...cell.result, sql: 'SELECT * FROM orders' } };
    expect(cellNames(odd)).toEqual([]);
    expect(cellAttachment(odd).text).not.toContain('Computed as');
  });
});

describe('a question about a problem or a build', () => {
  it('takes the message and the file along', () => {
    const problem = { path: 'model/orders.yml', line: 7, message: 'Unknown key', fileText: 'cubes: []' };
    expect(problemQuestion(problem)).toEqual({
      ask: '/fix ',
      attached: [
        { label: 'Problem at model/orders.yml:7', detail: 'model/orders.yml', text: 'model/orders.yml:7: Unknown key' },
        { label: 'model/orders.yml', detail: 'model/orders.yml', text: 'cubes: []' },
      ],
    });
  });

  it('takes the errors of the build along', () => {
    expect(buildQuestion('dev-ada', 'Compile errors: x')).toMatchObject({ attached: [{ text: 'Compile errors: x' }] });
  });
});

describe('the member at the cursor', () => {
  const part = (name: string, kind: string, from: number, to: number, children: readonly unknown[] = []): Part =>
    ({ name, kind, from, to, children }) as Part;
  interface Part {
    readonly name: string;
    readonly kind: string;
    readonly from: number;
    readonly to: number;
    readonly children: readonly Part[];
  }
  const at = (line: number, outline: readonly Part[]): string | undefined =>
    outlinedAt(outline, ['cube', 'view'], ({ from, to }) => from <= line && line <= to)?.name;
  const orders = part('orders', 'cube', 2, 9, [part('count', 'measure', 5, 6)]);

  it('is the member, else the cube or view around it', () => {
    expect(at(5, [orders])).toBe('orders.count');
    expect(at(3, [orders])).toBe('orders');
    expect(at(1, [orders])).toBeUndefined();
  });

  it('is never what the outline of another extension has there', () => {
    const yaml = part('cubes', 'array', 1, 20, [part('0', 'module', 2, 9)]);
    expect(at(5, [yaml, orders])).toBe('orders.count');
    expect(at(15, [yaml, orders])).toBeUndefined();
  });
});

describe('a question about a change', () => {
  const none = 'There is no such file.';
  const sides = (texts: Omit<ChangedSides, 'path'>): readonly (readonly [string, string])[] =>
    changeQuestion({ path: 'a.yml', ...texts }).attached.map(({ label, text }) => [label, text]);

  it('names the file', () => {
    expect(changeQuestion({ path: 'a.yml', branch: 'old', folder: 'new' }).ask).toBe('/explain the change of a.yml');
  });

  it.each<readonly [string, Omit<ChangedSides, 'path'>, readonly (readonly [string, string])[]]>([
    [
      'a saved edit',
      { branch: 'old', folder: 'new' },
      [
        ['on the dev branch', 'old'],
        ['in the folder', 'new'],
      ],
    ],
    [
      'a new file',
      { branch: undefined, folder: 'new' },
      [
        ['on the dev branch', none],
        ['in the folder', 'new'],
      ],
    ],
    [
      'a deleted file',
      { branch: 'old', folder: undefined },
      [
        ['on the dev branch', 'old'],
        ['in the folder', none],
      ],
    ],
    [
      'a change to commit',
      { parent: { text: 'old' }, branch: 'new', folder: 'new' },
      [
        ['on the parent branch', 'old'],
        ['on the dev branch', 'new'],
      ],
    ],
    [
      'a file that a commit adds',
      { parent: { text: undefined }, branch: 'new', folder: 'new' },
      [
        ['on the parent branch', none],
        ['on the dev branch', 'new'],
      ],
    ],
    [
      'a change to commit that was edited again',
      { parent: { text: 'old' }, branch: 'new', folder: 'newer' },
      [
        ['on the parent branch', 'old'],
        ['on the dev branch', 'new'],
        ['in the folder', 'newer'],
      ],
    ],
  ])('takes the sides along that differ for %s', (_name, texts, expected) => {
    expect(sides(texts)).toEqual(expected.map(([where, text]) => [`a.yml ${where}`, text]));
  });
});
