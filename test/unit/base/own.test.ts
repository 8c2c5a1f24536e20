import { describe, expect, it } from 'vitest';
import { own } from '#base/own.ts';
import { checkValues } from '#features/administration/attribute-values.ts';
import { bodyProblem } from '#features/administration/body-problem.ts';
import { fieldLabel } from '#features/administration/field-label.ts';
import { parseAgentFile } from '#model/agents/agent-file.ts';
import { unescaped } from '#features/chat/page/markdown/plain.ts';
import { problemsOf } from '#support/language/problems.ts';
import { readPattern } from '#sync/core/selection/ignore-pattern.ts';

/** What a plain lookup finds in every table. */
const names = ['constructor', 'hasOwnProperty', 'isPrototypeOf', 'toString', 'valueOf', '__proto__'];

describe.each(names)('a name that every object has: %s', (name) => {
  it('is not an entry of a table, unless it was put there', () => {
    expect(own({ a: 1 }, name)).toBeUndefined();
    expect(own(Object.fromEntries([[name, 1]]), name)).toBe(1);
  });

  it('is a field, a type and an entity like any other unknown one', () => {
    expect(fieldLabel(name).toLowerCase()).not.toContain('native code');
    expect(unescaped(`&${name};`)).toBe(`&${name};`);
    expect(checkValues({ a: 1 }, [{ id: '1', name: 'a', type: name }]).ok).toBe(true);
    expect(bodyProblem({ type: 'object', properties: { a: { type: name } } }, { a: 1 }, false)).toBeUndefined();
  });

  it('is a class of characters that an ignore file misspells', () => {
    const pattern = readPattern(`a[[:${name}:]]`);
    expect(pattern).toEqual(readPattern('a[[:nothing:]]'));
  });

  it('is neither a section of a model nor a kind of an agent file', () => {
    const problems = (key: string, type: string): readonly string[] =>
      problemsOf({
        'a.yml': `${key}:\n  - name: a\n    sql_table: t\ncubes:\n  - name: b\n    sql_table: t\n    dimensions:\n      - name: x\n        type: ${type}\n        sql: x\n`,
      }).map(({ code }) => code);
    expect(problems(name, 'string')).toEqual(problems('nothing', 'string'));
    expect(problems('views', name)).toEqual(problems('views', 'nothing'));
    const kinds = (kind: string): readonly string[] =>
      parseAgentFile('agents/rules/a.md', `---\nkind: ${kind}\n---\nText\n`).problems.map(({ code }) => code);
    expect(kinds(name)).toEqual(kinds('nothing'));
  });
});
