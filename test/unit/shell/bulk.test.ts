import { describe, expect, it } from 'vitest';
import type { Client } from '#api/client/client.ts';
import { listReports } from '#api/resources/reports.ts';
import { deleteItems, moveItems } from '#shell/bulk.ts';
import { openDesk } from '#support/features.ts';

const answering = (results: readonly object[]): Client => ({ call: () => Promise.resolve({ results }) }) as never;
const folder = { type: 'FOLDER', id: '1', name: 'Sales' } as const;
const report = { type: 'REPORT', id: '1', name: 'Margin' } as const;

describe('bulk operations', () => {
  it('moves and deletes what it can and says what failed and why', async () => {
    const { client } = await openDesk();
    const { items } = await client.call(listReports, { params: { deploymentId: '1' }, query: { first: 5 } });
    const own = items
      .filter(({ canManage }) => canManage)
      .map(({ id, name }) => ({ type: 'REPORT' as const, id, name }));
    const ghost = { type: 'REPORT' as const, id: '999999', name: 'Ghost' };
    const moved = await moveItems(client, '1', [...own.slice(0, 1), ghost], undefined);
    expect(moved.done).toEqual(own.slice(0, 1));
    expect(moved.failed).toEqual([{ item: ghost, error: 'There is no report 999999.' }]);
    const deleted = await deleteItems(client, '1', own.slice(0, 1));
    expect(deleted).toEqual({ done: own.slice(0, 1), failed: [] });
  });

  it('distinguish a report from a folder of the same id', async () => {
    const client = answering([
      { type: 'FOLDER', id: '1', ok: true },
      { type: 'REPORT', id: '1', ok: false, error: 'You may not delete it.' },
    ]);
    expect(await deleteItems(client, '1', [folder, report])).toEqual({
      done: [folder],
      failed: [{ item: report, error: 'You may not delete it.' }],
    });
  });

  it('count an item that a list of results leaves out as failed', async () => {
    const outcome = await moveItems(answering([{ id: '1', ok: true }]), '1', [report, { ...folder, id: '2' }], '9');
    expect(outcome.done).toEqual([report]);
    expect(outcome.failed.map(({ error }) => error)).toEqual(['The platform did not report the result.']);
  });
});
