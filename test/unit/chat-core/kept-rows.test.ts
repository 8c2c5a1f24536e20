import { describe, expect, it } from 'vitest';
import { keptRowsFirst } from '#chat-core/kept-rows.ts';
import { QueryRun } from '#chat-core/query-run.ts';
import { ManualClock } from '#support/manual-clock.ts';

describe('keptRowsFirst', () => {
  it('gives out the rows that are here, and asks the platform when it runs again', async () => {
    const columns = [{ name: 'n', type: 'number' }];
    let asked = 0;
    const open = keptRowsFirst({ columns, rows: [[1], [2]] }, async function* () {
      asked += 1;
      yield await Promise.resolve({ kind: 'schema' as const, columns });
      yield { kind: 'rows' as const, rows: [[1], [2], [3]] };
    });
    const run = new QueryRun(open, new ManualClock());
    await run.start();
    expect([run.state.value.columns, run.all(), asked]).toEqual([columns, [[1], [2]], 0]);
    await run.start();
    expect([run.all(), asked]).toEqual([[[1], [2], [3]], 1]);
  });
});
