import { describe, expect, it } from 'vitest';
import { indented, yaml } from '#support/language/raw.ts';
import { runOn } from '#support/tool-run.ts';
import { check } from '#tools/check/check.ts';

describe('check since a revision', () => {
  it('takes a renamed file for the same, with the lines that were changed in it', async () => {
    const model = (name: string, key: string): string =>
      `# file: ${name}.yml\n${yaml`
        cubes:
          - name: a
            sql_table: t
            joins:
              - {name: b, relationship: many_to_one, sql: "{CUBE.${key}} = {b.id}"}
          - name: b
            sql_table: t
            dimensions:
              - {name: id, sql: id, type: number, primary_key: true}
      `}`;
    const since = async (now: string): Promise<string> =>
      (await runOn(now, check, { since: 'main' }, { base: model('old', 'nope') })).render('text');
    expect((await runOn(model('new', 'nope'), check)).render('text')).toMatchInlineSnapshot(`
      "model/new.yml:5:58: warning: \`a\` has no member \`nope\`. [late-reference]
      1 warning in 1 file."
    `);
    expect(await since(model('new', 'nope'))).toBe('No problems in 1 file.');
    expect(await since(model('new', 'nothing'))).toMatchInlineSnapshot(`
      "model/new.yml:5:58: warning: \`a\` has no member \`nothing\`. [late-reference]
      1 warning in 1 file."
    `);
    const other = yaml`
      cubes:
        - {name: x, sql_table: y, joins: [{name: b, relationship: many_to_one, sql: "{CUBE.x} = 1"}]}
        - {name: b, sql_table: y, dimensions: [{name: id, sql: id, type: number, primary_key: true}]}
    `;
    expect(await since(`# file: new.yml\n${other}`)).toMatchInlineSnapshot(`
      "model/new.yml:2:44: warning: The condition of this join never mentions \`b\`: every row would match every row. [join-without-target]
      1 warning in 1 file."
    `);
  });

  it('lists warnings of changed lines only, and every error', async () => {
    const join = (name: string): string =>
      `            - {name: ${name}, relationship: many_to_one, sql: "{CUBE.nope} = {${name}.id}"}\n`;
    const model = (joins: string, type: string): string =>
      `# file: a.yml\ncubes:\n  - name: a\n    sql_table: t\n    joins:\n${joins}` +
      ['b', 'c']
        .map((name) =>
          indented(
            2,
            yaml`
              - name: ${name}
                sql_table: t
                dimensions:
                  - {name: id, sql: id, type: ${type}, primary_key: true}
            `,
          ),
        )
        .join('');
    const since = async (base: string, now: string): Promise<readonly [hasFindings: boolean, text: string]> => {
      const { hasFindings, render } = await runOn(now, check, { since: 'main', strict: true }, { base });
      return [hasFindings, render('text')];
    };
    const old = model(join('b'), 'number');
    expect((await runOn(old, check, { strict: true })).render('text')).toMatchInlineSnapshot(`
      "model/a.yml:5:64: warning: \`a\` has no member \`nope\`. [late-reference]
      1 warning in 1 file."
    `);
    expect(await since(old, old)).toEqual([false, 'No problems in 1 file.']);
    expect(await since(old, model(join('b') + join('c'), 'number'))).toMatchInlineSnapshot(`
      [
        true,
        "model/a.yml:6:64: warning: \`a\` has no member \`nope\`. [late-reference]
      1 warning in 1 file.",
      ]
    `);
    const broken = model(join('b'), 'nmber');
    expect(await since(broken, broken)).toMatchInlineSnapshot(`
      [
        true,
        "model/a.yml:9:35: error: \`nmber\` is not allowed here. Use one of: string, number, boolean, time, geo, switch. [bad-value]
      model/a.yml:13:35: error: \`nmber\` is not allowed here. Use one of: string, number, boolean, time, geo, switch. [bad-value]
      2 errors in 1 file.",
      ]
    `);
  });
});
