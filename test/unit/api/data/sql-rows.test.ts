import { describe, expect, it } from 'vitest';
import type { SqlBatch } from '#api/data/sql-batches.ts';
import { sqlRows } from '#api/data/sql-rows.ts';

const client = (...batches: readonly SqlBatch[]) => ({
  cubeSql: async function* () {
    yield* await Promise.resolve(batches);
  },
});

describe('sqlRows', () => {
  it('collects rows of all batches by the names of their columns', async () => {
    const columns = ['month', 'revenue'].map((name) => ({ name, type: 'String' }));
    const answered = client(
      { kind: 'schema', columns },
      { kind: 'rows', rows: [['2026-01', '12']] },
      { kind: 'rows', rows: [['2026-02']] },
    );
    expect(await sqlRows(answered, 'SELECT 1', {})).toEqual([
      { month: '2026-01', revenue: '12' },
      { month: '2026-02', revenue: null },
    ]);
  });
});
