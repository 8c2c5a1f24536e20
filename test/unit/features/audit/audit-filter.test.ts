import { describe, expect, it } from 'vitest';
import { type AuditQuery, matchingEvents } from '#features/audit/audit-filter.ts';
import { shownEvents } from '#features/audit/audit-log.ts';
import { ClientUnderTest } from '#support/api/client-under-test.ts';

const columns = ['timestamp', 'event', 'user_email', 'data'];
const rows = [
  ['2026-01-01T09:00:00Z', 'user.created', 'ada@shop.example', '{"by":"bob@shop.example"}'],
  ['2026-01-05T09:00:00Z', 'deployment.updated', 'bob@shop.example', '{"name":"Shop analytics"}'],
  ['2026-02-01T09:00:00Z', 'user.deleted', 'Bob@shop.example', '{}'],
];

/** Positions of the events that are shown, and what is said. */
function seen(query: AuditQuery, names: readonly string[] = columns, events: readonly (readonly unknown[])[] = rows) {
  const { rows: shown, note } = matchingEvents(query, names, events);
  return { shown: shown.map((row) => events.indexOf(row)), note };
}

describe('matchingEvents', () => {
  it.each<[string, AuditQuery, readonly number[]]>([
    ['a period', { start: '2026-01-03', end: '2026-01-31' }, [1, 2]],
    ['a period that ends earlier', { start: '2026-01-03', end: '2026-01-30' }, [1]],
    ['one day', { start: '2026-01-05', end: '2026-01-05' }, [1]],
    ['a user, in any letter case', { userEmail: 'bob@SHOP.example' }, [1, 2]],
    ['an event', { eventName: 'user.deleted' }, [2]],
    ['events by a wildcard', { eventName: 'user.*' }, [0, 2]],
    ['several filters', { eventName: 'user.', userEmail: 'bob@shop.example' }, [2]],
  ])('hides what does not match %s, and says so', (_name, query, shown) => {
    const hidden = rows.length - shown.length;
    expect(seen(query)).toEqual({
      shown,
      note: `The platform ignored a filter: ${hidden === 1 ? '1 event that does not match is' : `${hidden} events that do not match are`} hidden.`,
    });
  });

  it('keeps the events of a day in every time zone', () => {
    const events = ['2026-01-04T12:00:00Z', '2026-01-06T10:00:00Z', '2026-01-04T09:00:00Z'].map((time) => [time]);
    expect(seen({ start: '2026-01-05', end: '2026-01-05' }, ['at'], events).shown).toEqual([0, 1]);
  });

  it('shows an event without a time in every period', () => {
    expect(seen({ start: '2026-03-01' }, ['at'], [['2026-03-02'], [''], [null]])).toEqual({
      shown: [0, 1, 2],
      note: '',
    });
  });

  it('says nothing where the platform applied the filters', () => {
    const query = { start: '2026-01-01', userEmail: 'ada@shop.example', eventName: 'user.created', search: 'BY bob' };
    expect(seen(query, columns, rows.slice(0, 1))).toEqual({ shown: [0], note: '' });
    expect(seen({})).toEqual({ shown: [0, 1, 2], note: '' });
    expect(seen({ search: 'x', start: '2026-01-01' }, [], [])).toEqual({ shown: [], note: '' });
  });

  it.each<[string, AuditQuery, readonly string[]]>([
    ['lack a text, which may be in data that is not sent', { search: 'Shop analytics' }, columns],
    ['have no column of events', { eventName: 'deployment.updated' }, ['a', 'b', 'c', 'd']],
    ['have no column of users', { userEmail: 'ada@shop.example' }, ['a', 'b', 'c', 'd']],
  ])('shows and counts events that %s', (_name, query, names) => {
    const { shown, note } = seen(query, names);
    expect(shown).toEqual([0, 1, 2]);
    expect(note).toMatch(/^2 events without “.*” are shown too: the platform may have ignored this filter/);
  });
});

describe('the events of a platform that ignores filters', () => {
  it('are filtered, and another filter changes what is said to be hidden', async () => {
    const body = [columns, ...rows]
      .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
      .join('\n');
    const { client } = new ClientUnderTest(() => new Response(body, { headers: { 'content-type': 'text/csv' } }));
    const notes: string[] = [];
    let query: AuditQuery = { userEmail: 'ada@shop.example' };
    const events = shownEvents(
      { data: { client: () => client } },
      'a',
      () => query,
      (note) => notes.push(note),
    );
    const read = async (): Promise<readonly unknown[]> => {
      const found: unknown[] = [];
      for await (const batch of events.cubeSql('')) if (batch.kind === 'rows') found.push(...batch.rows);
      return found;
    };
    expect(await read()).toHaveLength(1);
    expect(notes.at(-1)).toContain('2 events that do not match are hidden');
    query = {};
    expect(await read()).toHaveLength(3);
    expect(notes.at(-1)).toBe('');
  });
});
