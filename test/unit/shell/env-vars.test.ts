import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvVars } from '#api/resources/runtime.ts';
import type { Served } from '#api/resources/served.ts';
import {
  mergedVariables,
  readVariables,
  shownVariables,
  type Variable,
  variableChanges,
  variableProblems,
} from '#shell/env-vars.ts';
import { ClientUnderTest, json } from '#support/api/client-under-test.ts';

describe('environment variables', () => {
  const shown: readonly Variable[] = [
    { name: 'DB_HOST', value: 'db' },
    { name: 'DB_PASS', value: '********', isSecret: true },
  ];
  const edited = (...variables: readonly Variable[]): unknown => ({ env_variables: variables });

  it('takes an untouched mask as unchanged', () => {
    const read = readVariables(edited(...shown), shown);
    expect(read.ok && variableChanges(shown, read.value)).toEqual([]);
  });

  it('never writes a mask back as a value', () => {
    const copied = edited({ name: 'OTHER', value: '********', isSecret: true });
    const refused = readVariables(copied, shown);
    expect(!refused.ok && refused.error).toContain('“OTHER”');
    const cut = edited({ name: 'DB_PASS', value: '*****', isSecret: true });
    expect(readVariables(cut, shown).ok).toBe(false);
  });

  it('lists what changes by name only', () => {
    const after = [
      { name: 'DB_HOST', value: 'db2' },
      { name: 'NEW', value: 'x' },
    ];
    expect(variableChanges(shown, after)).toEqual([
      { name: 'DB_HOST', change: 'changed' },
      { name: 'NEW', change: 'added' },
      { name: 'DB_PASS', change: 'removed' },
    ]);
  });

  it.each([
    [undefined, 'The document must be an object with “env_variables”.'],
    [[], 'The document must be an object with “env_variables”.'],
    [{}, 'The document must be an object with “env_variables”.'],
    [edited({ name: '1A', value: 'x' }), '“1A”: A name has letters, digits and “_” only'],
    [edited({ name: '', value: 'x' }), 'Variable 1: A name has letters'],
    [edited({ name: 'A', value: 'x' }, { name: 'A', value: 'y' }), '“A” appears twice.'],
    [
      {
        env_variables: [
          { name: 'B', value: 'x' },
          { name: 'A', value: 1 },
        ],
      },
      '“A”: "value" must be text: put numbers in quotes.',
    ],
    [{ env_variables: [{ name: 'A' }] }, '“A”: “value” is missing.'],
    [{ env_variables: [{ value: 'hunter2' }] }, 'Variable 1: “name” is missing.'],
    [{ env_variables: ['A=1'] }, 'Variable 1 must be an object with “name” and “value”.'],
    [{ env_variables: [{ name: 'A', value: 'x', isSecret: 'yes' }] }, '“A”: "isSecret" must be true or false.'],
    [{ env_variables: [{ name: 'A', value: 'x', secret: true }] }, '“A”: there is no field “secret”.'],
  ])('says what is wrong with %j', (document, part) => {
    const read = readVariables(document, shown);
    expect(!read.ok && read.error).toContain(part);
  });

  it('marks every mistake where it is, and what may be meant otherwise as a warning', () => {
    const wrong = edited(
      { name: 'DB_HOST', value: 'db***' },
      { name: 'DB_PASS', value: '********', isSecret: false },
      { name: 'COPY', value: '********' },
      { name: 'DB_HOST', value: 'db' },
    );
    const marks = variableProblems(wrong, shown).map(({ path, severity }) => [severity, ...path.slice(1)].join(' '));
    expect(marks).toEqual(['warning 0 value', 'warning 1 isSecret', 'error 2 value', 'error 3 name']);
    expect(variableProblems(edited({ name: 'A B', value: 1 as never }), shown)).toMatchInlineSnapshot(`
      [
        {
          "message": "“A B”: A name has letters, digits and “_” only, and does not begin with a digit.",
          "path": [
            "env_variables",
            0,
            "name",
          ],
          "severity": "error",
        },
        {
          "message": "“A B”: "value" must be text: put numbers in quotes.",
          "path": [
            "env_variables",
            0,
            "value",
          ],
          "severity": "error",
        },
      ]
    `);
    expect(variableProblems(edited(...shown), shown)).toEqual([]);
    expect(JSON.stringify(variableProblems(wrong, shown))).not.toContain('db***');
  });
});

describe('environment variables of a platform that shows less, or more', () => {
  const written = (rows: readonly Served[], edit: (shown: readonly Variable[]) => readonly Variable[]) => {
    const shown = shownVariables(rows);
    const read = readVariables(structuredClone({ env_variables: edit(shown) }), shown);
    return read.ok ? { changes: variableChanges(shown, read.value), sent: read.value } : read.error;
  };

  it.each([
    { name: 'DB_PASS', isSecret: true },
    { name: 'DB_PASS', value: '', isSecret: true },
    { name: 'DB_PASS', value: undefined },
    { name: 'DB_PASS', value: null },
  ])('never empties a secret that came as %j', (secret) => {
    const result = written([{ name: 'A', value: '1' }, secret], ([a, ...others]) => [
      { ...a, name: 'A', value: '2' },
      ...others,
    ]);
    expect(result).toMatchObject({ changes: [{ name: 'A', change: 'changed' }] });
    const [, sent] = typeof result === 'string' ? [] : result.sent;
    expect(sent && 'value' in sent).toBe(false);
  });

  it('reads every row as it is served, and nothing where a row is not an object', async () => {
    const rows = [{ name: 'A', value: 5 }, { value: 'no name' }];
    const under = (body: unknown) => new ClientUnderTest(() => json(body)).client;
    expect(await readEnvVars(under({ data: { env_variables: rows } }), '1')).toEqual(rows);
    const refused = { kind: 'invalidResponse', field: 'env_variables' };
    await expect(readEnvVars(under({ env_variables: [...rows, 'B'] }), '1')).rejects.toMatchObject(refused);
    await expect(readEnvVars(under({}), '1')).rejects.toMatchObject(refused);
  });

  it('writes a value that the user typed for such a secret', () => {
    const result = written([{ name: 'DB_PASS', isSecret: true }], ([row]) => [
      { ...row, name: 'DB_PASS', value: 'new' },
    ]);
    expect(result).toMatchInlineSnapshot(`
      {
        "changes": [
          {
            "change": "changed",
            "name": "DB_PASS",
          },
        ],
        "sent": [
          {
            "isSecret": true,
            "name": "DB_PASS",
            "value": "new",
          },
        ],
      }
    `);
  });

  it('asks for a value where a secret without one is renamed', () => {
    expect(written([{ name: 'OLD', isSecret: true }], () => [{ name: 'NEW', isSecret: true }])).toContain(
      '“NEW”: “value” is missing.',
    );
  });

  it('saves beside a mask that is not marked as a secret', () => {
    const rows = [{ name: 'PASS', value: '****' }];
    expect(written(rows, (shown) => [...shown, { name: 'B', value: '1' }])).toMatchInlineSnapshot(`
      {
        "changes": [
          {
            "change": "added",
            "name": "B",
          },
        ],
        "sent": [
          {
            "name": "PASS",
            "value": "****",
          },
          {
            "name": "B",
            "value": "1",
          },
        ],
      }
    `);
  });

  it('writes nothing where nothing was edited, and keeps fields that it does not know', () => {
    const row = fc.record(
      {
        name: fc.string(),
        value: fc.oneof(fc.string(), fc.constantFrom(undefined, null, 5, true)),
        isSecret: fc.oneof(fc.boolean(), fc.constantFrom(null, 'yes')),
        scope: fc.json(),
      },
      { requiredKeys: ['name'] },
    );
    const names = fc.uniqueArray(
      fc.oneof(fc.stringMatching(/^[A-Z]\w{0,5}$/), fc.string(), fc.constantFrom('my-var', '1')),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(names, fc.array(row, { minLength: 4, maxLength: 4 }), (all, rows) => {
        const served = all.map((name, at) => ({ ...rows[at], name }));
        expect(written(served, (shown) => shown)).toMatchObject({ changes: [], sent: shownVariables(served) });
        const added = { name: 'added_', value: 'x' };
        expect(written(served, (shown) => [...shown, added])).toMatchObject({
          changes: [{ name: 'added_', change: 'added' }],
          sent: [...shownVariables(served), added],
        });
      }),
    );
  });
});

describe('merging environment variables', () => {
  const name = fc.constantFrom('A', 'B', 'C', 'D');
  const variables = fc.uniqueArray(fc.record({ name, value: fc.constantFrom('1', '2', '3') }), {
    selector: (variable) => variable.name,
  });

  it('loses no change of either side, or says which names both changed', () => {
    fc.assert(
      fc.property(variables, variables, variables, (shown, edited, now) => {
        const { variables: merged, contested } = mergedVariables(shown, edited, now);
        const valueIn = (of: readonly Variable[], one: string) => of.find((each) => each.name === one)?.value;
        for (const one of ['A', 'B', 'C', 'D']) {
          const [base, mine, theirs] = [shown, edited, now].map((of) => valueIn(of, one));
          const isContested = mine !== base && theirs !== base && mine !== theirs;
          expect(contested.includes(one)).toBe(isContested);
          const expected = isContested ? valueIn(merged, one) : mine === base ? theirs : mine;
          expect(valueIn(merged, one)).toBe(expected);
        }
        expect(new Set(merged.map((each) => each.name)).size).toBe(merged.length);
      }),
    );
  });
});
