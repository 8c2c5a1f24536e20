import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defines, parseBuildErrors, placeOf } from '#model/engine/build-errors.ts';
import { js, yaml } from '#support/language/raw.ts';

const orders = yaml`
  cubes:
    - name: orders
      sql_table: orders
      dimensions:
        - name: id
          sql: id
          type: number
        - {name: status, sql: status, type: strin}
      measures:
        - name: total
          sql: "{CUBE}.nope"
          type: sum
`;
const users = yaml`
  cubes:
    - name: users
      dimensions:
        - name: status
          type: string
`;
const script = js`
  cube(\`events\`, {
    measures: {
      count: { type: \`count\` },
    },
  });
`;
const files = new Map([
  ['model/cubes/orders.yml', orders],
  ['model/cubes/users.yml', users],
  ['model/cubes/events.js', script],
]);

function placed(text: string): string | undefined {
  const [error] = parseBuildErrors(text);
  const position = error && placeOf(error, files);
  const line = position && (files.get(position.path) ?? '').split('\n')[position.line];
  return position && `${position.path}:${position.line + 1} ${line?.slice(position.start, position.end)}`;
}

describe('build errors', () => {
  it('splits the engine’s report by error and keeps what belongs together', () => {
    const errors = parseBuildErrors(
      [
        'Compile errors:',
        'Errors:',
        'orders cube: "dimensions.status" does not match any of the allowed types',
        'Possible reasons (one of):',
        '\t* (dimensions.status.type = strin) must be one of [string, number]',
        'users cube: (measures.x.sql) is required',
        '',
        'cubes/orders.yml Errors:',
        "Unexpected YAML key: foo. Only 'cubes', 'views', and 'view_groups' are allowed here.",
      ].join('\n'),
    );
    expect(errors.map(({ fileName, cube, word }) => [fileName, cube, word])).toEqual([
      [undefined, 'orders', 'status'],
      [undefined, 'users', 'x'],
      ['cubes/orders.yml', undefined, 'foo'],
    ]);
    expect(errors.map(({ message }) => message)).toMatchInlineSnapshot(`
      [
        "orders cube: "dimensions.status" does not match any of the allowed types
      Possible reasons (one of):
      	* (dimensions.status.type = strin) must be one of [string, number]",
        "users cube: (measures.x.sql) is required",
        "Unexpected YAML key: foo. Only 'cubes', 'views', and 'view_groups' are allowed here.",
      ]
    `);
  });

  it('gives each wrong member of a cube its own error and reasons', () => {
    const errors = parseBuildErrors(
      [
        'orders cube: "dimensions.id" does not match any of the allowed types. "dimensions.status" does not match any of the allowed types',
        'Possible reasons (one of):',
        '\t* (dimensions.id.bogus = 1) is not allowed',
        '\t* (dimensions.status.type = strin) must be one of [string]',
      ].join('\n'),
    );
    expect(errors.map(({ word }) => word)).toEqual(['id', 'status']);
    expect(errors[1]?.message).toBe(
      'orders cube: "dimensions.status" does not match any of the allowed types\nPossible reasons (one of):\n\t* (dimensions.status.type = strin) must be one of [string]',
    );
  });

  it.each([
    ['orders cube: "dimensions.status" does not match any of the allowed types', 'model/cubes/orders.yml:8 status'],
    ['users cube: "dimensions.status" is wrong', 'model/cubes/users.yml:4 status'],
    ["orders.nope cannot be resolved. There's no such member or cube.", 'model/cubes/orders.yml:11 nope'],
    ['orders cube: primary key for ‘orders’ is required', 'model/cubes/orders.yml:2 orders'],
    ["[cubes/users.yml] name isn't defined for dimension: {}", 'model/cubes/users.yml:1 cubes:'],
    ['syntax error: unexpected end of input (in cubes/users.yml:3)', 'model/cubes/users.yml:3 dimensions:'],
    ['events cube: "measures.count" is wrong', 'model/cubes/events.js:3 count'],
    [
      'bad indentation (3:4)\n\n 2 |   - name: users\n 3 |     dimensions:\n--------^',
      'model/cubes/users.yml:3 dimensions:',
    ],
  ])('places “%s”', (text, place) => {
    expect(placed(text)).toBe(place);
  });

  it('finds a cube where it is defined, not where another one joins it', () => {
    const [error] = parseBuildErrors('orders cube: "measures.total" does not match any of the allowed types');
    for (const definition of [
      orders,
      yaml`
        cubes:
        - sql_table: orders
          name: orders
          measures:
          - name: total
            type: sums
      `,
    ]) {
      const joins = yaml`
        cubes:
          - name: items
            joins:
              - name: orders
                sql: "{orders.total}"
      `;
      const both = new Map([
        ['model/cubes/items.yml', joins],
        ['model/cubes/orders.yml', definition],
      ]);
      const position = error && placeOf(error, both);
      const line = definition.split('\n')[position?.line ?? -1] ?? '';
      expect(position?.path).toBe('model/cubes/orders.yml');
      expect(line.trim()).toBe('- name: total');
    }
  });

  it('places nothing it cannot find', () => {
    expect(placed('The build ran out of memory.')).toBeUndefined();
    expect(placed('ghosts cube: (dimensions.x) is wrong')).toBeUndefined();
  });

  it('loses no text and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const errors = parseBuildErrors(text);
        for (const error of errors) placeOf(error, files);
        return text.trim() === '' || errors.length > 0 || /Errors:\s*$|^compile errors:/im.test(text);
      }),
    );
    expect(parseBuildErrors('')).toEqual([]);
  });
});

describe('whether texts define a cube', () => {
  it.each([
    ['orders', true],
    ['order', false],
    ['channel', false],
    ['users', false],
  ])('%s: %s', (name, expected) => {
    const text = yaml`
      cubes:
        - name: orders
          joins:
            - name: users
          dimensions:
            - name: channel
    `;
    expect(defines(['views: []\n', text], name)).toBe(expected);
  });

  it('also in flow style', () => {
    const texts = [
      'cubes: [{ name: orders }]\n',
      yaml`
      views:
        - { name: sales, cubes: [{ join_path: users }] }
    `,
    ];
    expect(['orders', 'sales', 'users'].filter((name) => defines(texts, name))).toEqual(['orders', 'sales']);
  });

  it.each([
    ['orders', true],
    ['users', false],
  ])('%s in JavaScript: %s', (name, expected) => {
    expect(defines(['cube(`orders`, {\n  joins: {\n    users: {},\n  },\n});\n'], name)).toBe(expected);
  });
});
