import { describe, expect, it } from 'vitest';
import { documented, type DocumentedType } from '#platform/modes/documented.ts';
import { otherForms } from '#platform/modes/other-forms.ts';

/** Answers an operation in this mode. */
function answer(id: string, json: unknown): unknown {
  const [operation] = Object.entries(documented.operations).filter(([name]) => name === id);
  if (!operation) throw new Error(`There is no ${id}.`);
  const named = { ...operation[1], id } as Parameters<NonNullable<typeof otherForms.answer>>[0];
  return otherForms.answer?.(named, { status: 200, headers: new Headers(), json }).json;
}

const types = (type: DocumentedType | undefined): string => JSON.stringify(type);

describe('the mode other-forms', () => {
  it('answers with the same ids and times in other forms, and leaves what is not documented', () => {
    expect(types(documented.operations['listDeployments']?.answer.json)).toContain('Deployment');
    const row = { id: '7', name: '7', created_at: '2026-03-03T23:00:00.123Z', x_other: 7 };
    expect(answer('listDeployments', { data: { deployments: [row] } })).toEqual({
      data: { deployments: [{ id: 7, name: '7', created_at: '2026-03-04T04:30:00+05:30', x_other: 7 }] },
    });
  });

  it('leaves ids with leading zeros, and texts in place of times', () => {
    const row = { id: '007', name: 'Shop', created_at: 'yesterday' };
    expect(answer('listDeployments', { data: { deployments: [row] } })).toEqual({ data: { deployments: [row] } });
  });
});
