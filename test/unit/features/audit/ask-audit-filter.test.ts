import { describe, expect, it } from 'vitest';
import { askAuditFilter } from '#features/audit/vscode/ask-audit-filter.ts';
import { User } from '../../../vscode/user.ts';
import type { AuditQuery } from '#features/audit/audit-filter.ts';
import { auditChoices, newestEvents, recentEvents } from '#features/audit/audit-log.ts';
import { ClientUnderTest } from '#support/api/client-under-test.ts';
import { type Answer, pick, type } from '../../../vscode/answers.ts';

const query: AuditQuery = { start: '2026-01-01', userEmail: 'ada@shop.example' };

/** What is shown after one thing was changed. */
async function changed(id: string, ...answers: readonly Answer[]): Promise<AuditQuery | undefined> {
  const user = new User();
  let after: AuditQuery | undefined;
  try {
    await user.answering(async () => (after = await askAuditFilter(query, id)), ...answers);
  } finally {
    user.leave();
  }
  return after;
}

describe('askAuditFilter', () => {
  it('changes the period and keeps the user', async () => {
    expect(await changed('period', pick('All Events'))).toEqual({ userEmail: 'ada@shop.example' });
    const range = await changed('period', pick('Between Two Dates…'), type('soon'), type('2026-02-01 2026-02-02'));
    expect(range).toEqual({ start: '2026-02-01', end: '2026-02-02', userEmail: 'ada@shop.example' });
  });

  it('adds a filter, and takes one away that is emptied', async () => {
    expect(await changed('eventName', type(' user.created '))).toEqual({ ...query, eventName: 'user.created' });
    expect(await changed('userEmail', type(''))).toEqual({ start: '2026-01-01' });
  });

  it('changes nothing where the user gives up', async () => {
    expect(await changed('search', { escape: true })).toBeUndefined();
    expect(await changed('period', { escape: true })).toBeUndefined();
  });
});

describe('auditChoices', () => {
  it('says what the events are chosen by', () => {
    const values = (of: AuditQuery): readonly string[] =>
      auditChoices(of).map(({ label, value }) => `${label}: ${value}`);
    expect(values(query)).toEqual(['Period: since 2026-01-01', 'User: ada@shop.example', 'Event: all', 'Text: any']);
    expect(values({ start: '2026-02-01', end: '2026-02-02', search: 'x' })).toEqual([
      'Period: 2026-02-01 to 2026-02-02',
      'User: all',
      'Event: all',
      'Text: x',
    ]);
    expect(values({})[0]).toBe('Period: all');
  });

  it('begins with the events of the last seven days', () => {
    expect(recentEvents(Date.parse('2026-03-08T12:00:00Z'))).toEqual({ start: '2026-03-01' });
  });
});

describe('newestEvents', () => {
  const shown = async (body: string): Promise<readonly unknown[]> => {
    const { client } = new ClientUnderTest(() => new Response(body, { headers: { 'content-type': 'text/csv' } }));
    const rows: unknown[] = [];
    for await (const batch of newestEvents(client, {}, undefined)) if (batch.kind === 'rows') rows.push(...batch.rows);
    return rows;
  };

  it('turns a log round that begins with the oldest event', async () => {
    const log = 'event,at\na,2026-01-01T00:00:00Z\nb,2026-01-02T00:00:00Z\n';
    expect(await shown(log)).toEqual([
      ['b', '2026-01-02T00:00:00Z'],
      ['a', '2026-01-01T00:00:00Z'],
    ]);
  });

  it('leaves a log that begins with the newest event, and one without times', async () => {
    expect(await shown('event,at\nb,2026-01-02\na,2026-01-01\n')).toEqual([
      ['b', '2026-01-02'],
      ['a', '2026-01-01'],
    ]);
    expect(await shown('event\na\nb\n')).toEqual([['a'], ['b']]);
  });

  it.each<[string, string, string]>([
    ['in no order', 'b,2026-01-02\nc,2026-01-03\na,2026-01-01\n', 'cba'],
    ['in pages, each with the oldest first', 'a,2026-01-01\nb,2026-01-02\nc,2026-01-03\nd,2026-01-03\n', 'dcba'],
    ['of several time zones', 'a,2026-01-01T23:30:00Z\nb,2026-01-02T01:00:00+02:00\n', 'ab'],
    ['with a row without a time', 'a,2026-01-01\n-,\nb,2026-01-02\n', 'ba-'],
    ['of one moment', 'b,2026-01-01\na,2026-01-01\n', 'ba'],
    ['with one event', 'a,2026-01-01\n', 'a'],
    ['without events', '', ''],
  ])('sorts a log %s', async (_name, rows, order) => {
    const events = (await shown(`event,at\n${rows}`)) as readonly (readonly string[])[];
    expect(events.map(([event]) => event).join('')).toBe(order);
  });
});
