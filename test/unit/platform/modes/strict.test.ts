import { describe, expect, it } from 'vitest';
import { documented, operationAt } from '#platform/modes/documented.ts';
import { readModes } from '#platform/modes/modes.ts';
import { onlyDocumented, problemsOf } from '#platform/modes/types.ts';
import { openWorld, story } from '#support/api/story/world.ts';

/** What a strict platform sends and takes is what the documented API lists, field by field. */

describe('a strict platform', () => {
  it('answers every documented field and no other, with the documented types', async () => {
    const problems: string[] = [];
    const judged = new Set<string>();
    const world = await openWorld({
      modes: readModes('strict'),
      around: async (request, serve) => {
        const response = await serve(request);
        const operation = operationAt(request.method, new URL(request.url).pathname);
        const isJson = response.headers.get('content-type')?.includes('json') === true;
        if (operation === undefined || !isJson || operation.path.startsWith('{chat}')) return response;
        const { json } = operation.answer;
        const type = response.ok ? json : operation.refuses?.['409'] === 'Conflict' ? 'Conflict' : 'Error';
        const value: unknown = await response.clone().json();
        if (type !== undefined) problems.push(...problemsOf(type, value).map((each) => `${operation.id}: ${each}`));
        judged.add(operation.id);
        return response;
      },
    });
    for (const { op, play } of story) {
      if (documented.operations[op.id]?.diamond !== true) await play(world);
    }
    await world.platform.close();
    expect([...new Set(problems)]).toEqual([]);
    expect(judged.size).toBeGreaterThan(70);
  });

  it.each([
    ['Branch', { id: 1.5, name: 'main' }, ['lastHash is required', 'id must be of type integer']],
    ['Environment', { type: 'moon' }, ['type must be one of production, staging, development']],
    ['Pagination', { offset: 0, limit: 20, total: 1, more: true }, ['more is not documented']],
    ['[FileHash]', [{ hash: 'a' }, { hash: 7 }], ['1.hash must be of type string']],
    ['{FileHash}', { 'a.yml': null }, ['a.yml must be an object']],
    ['DashboardConfig?null', null, []],
  ])('would be found to break the type %s', (type, value, problems) => {
    expect(problemsOf(type, value)).toEqual(expect.arrayContaining(problems));
    expect(problemsOf(type, value).length === 0).toBe(problems.length === 0);
  });

  it('keeps an entry of a map whatever it is called, and no field that is only inherited', () => {
    const files = JSON.parse('{"__proto__": {"hash": "a", "size": 3}, "constructor": {"hash": "b"}}') as unknown;
    const kept = onlyDocumented('{FileHash}', files, true);
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"hash":"a"},"constructor":{"hash":"b"}}');
    expect(onlyDocumented('Error', { error: 'x', toString: 'y' }, true)).toEqual({ error: 'x' });
  });
});
