import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AuditQuery, matchingEvents } from '#features/audit/audit-filter.ts';
import { exportedEvents, shownEvents } from '#features/audit/audit-log.ts';
import { csvRows } from '#features/audit/csv-rows.ts';
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

const csvOf = (table: readonly (readonly string[])[]): string =>
  table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');

/** A platform that answers with the same file, whatever it is asked for. */
function deaf(body: string) {
  return new ClientUnderTest(() => new Response(body, { headers: { 'content-type': 'text/csv' } })).client;
}

async function exported(body: string, query: AuditQuery): Promise<{ readonly file: string; readonly note: string }> {
  let note = '';
  const chunks: Uint8Array[] = [];
  const bytes = exportedEvents({ data: { client: () => deaf(body) } }, 'a', {
    ...query,
    signal: new AbortController().signal,
    note: (text) => {
      note = text;
    },
  });
  for await (const chunk of bytes) chunks.push(chunk);
  return { file: Buffer.concat(chunks).toString('utf8'), note };
}

async function shownOf(body: string, query: AuditQuery): Promise<{ readonly rows: unknown[]; readonly note: string }> {
  let note = '';
  const rows: unknown[] = [];
  const events = shownEvents(
    { data: { client: () => deaf(body) } },
    'a',
    () => query,
    (text) => {
      note = text;
    },
  );
  for await (const batch of events.cubeSql('')) if (batch.kind === 'rows') rows.push(...batch.rows);
  return { rows, note };
}

async function parsed(text: string): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  const bytes = (async function* () {
    yield await Promise.resolve(new TextEncoder().encode(text));
  })();
  for await (const batch of csvRows(bytes)) rows.push(...batch);
  return rows;
}

describe('the exported events', () => {
  const cell = fc.constantFrom(
    'user.created',
    'ada@shop.example',
    'bob@x',
    '=1+1',
    'a,b',
    'say "hi"',
    'two\nlines',
    '',
  );
  const time = fc.constantFrom('2026-01-01 09:00', '2026-01-05 09:00', '2026-02-01 09:00', '');
  const table = fc.array(fc.tuple(time, cell, cell, cell), { maxLength: 12 });
  const query = fc.record(
    {
      start: fc.constantFrom('2026-01-03', '2026-02-01'),
      end: fc.constantFrom('2026-01-31'),
      userEmail: fc.constantFrom('ada@shop.example', 'nobody'),
      eventName: fc.constantFrom('user.*', 'deployment.updated'),
      search: fc.constantFrom('hi', 'lines'),
    },
    { requiredKeys: [] },
  );

  it('are those that the table shows, with the same note, in the order of the platform', async () => {
    await fc.assert(
      fc.asyncProperty(table, query, async (events, asked) => {
        const body = csvOf([columns, ...events]);
        const [{ file, note }, shown] = [await exported(body, asked), await shownOf(body, asked)];
        const [names, ...rows] = await parsed(file);
        expect(names).toEqual(columns);
        const sorted = (some: readonly unknown[]): readonly string[] => some.map((row) => JSON.stringify(row)).sort();
        expect(sorted(rows)).toEqual(sorted(shown.rows));
        expect(note).toBe(shown.note);
        const places = rows.map((row) => events.findIndex((event) => JSON.stringify(event) === JSON.stringify(row)));
        expect(places.every((place) => place >= 0)).toBe(true);
      }),
    );
  });

  it('are the bytes of the platform where every event matches, and without a filter', async () => {
    const body = `\u{feff}${csvOf([columns, ...rows])}`;
    expect((await exported(body, {})).file).toBe(body);
    expect((await exported(body, { start: '2025-01-01', userEmail: 'shop' })).file).toBe(body);
    expect((await exported(body, { userEmail: 'ada@' })).file.split('\r\n')).toHaveLength(3);
  });

  it('are not saved if the answer is cut off', async () => {
    await expect(exported('a,b\r\n1,"x', { search: 'x' })).rejects.toThrow('broke before');
  });
});
