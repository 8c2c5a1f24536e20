import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { savedQuery } from '#features/playground/build-query.ts';
import { checkDraft } from '#features/playground/check-draft.ts';
import { draftOf } from '#features/playground/draft-of.ts';
import { type Draft, emptyDraft, granularities, operators, relativeRanges } from '#features/playground/draft.ts';
import { valueCount } from '#features/playground/operators.ts';
import { parseQueryFile } from '#model/query-files/query-file.ts';
import { queryProblems } from '#model/query-files/check-query-file.ts';
import { queryFileText } from '#model/query-files/write-query.ts';
import { yaml } from '#support/language/raw.ts';
import { answer, draft as simple, openSession } from '#support/playground-session.ts';

/** The draft that *Run* above the query of the file opens. */
function reopened(text: string): Draft | undefined {
  const opened = draftOf(parseQueryFile(text).query ?? {});
  return opened.ok ? opened.value : undefined;
}

const some = (...names: readonly string[]) => fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 });
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
/** A value as the playground writes it back into its field. */
const typed = fc
  .oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom('7', '1e3', 'true', 'null', 'yes', '~', '2026-01-01', 'a: b', '#'),
  )
  .map((value) => (/[",]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value));
const condition = fc.constantFrom(...operators).chain((operator) =>
  fc.record({
    member: fc.constantFrom('orders.status', 'users.city'),
    operator: fc.constant(operator),
    values:
      valueCount(operator) === 'none'
        ? fc.constant('')
        : fc
            .array(typed, { minLength: 1, maxLength: valueCount(operator) === 'some' ? 3 : 1 })
            .map((values) => values.join(', ')),
  }),
);
const time = fc
  .record({
    dimension: fc.constantFrom('', 'orders.created_at', 'users.created_at'),
    granularity: fc.constantFrom(...granularities),
    range: fc.constantFrom('' as const, 'between' as const, ...relativeRanges),
    days: fc.tuple(day, day).map((days) => days.toSorted()),
  })
  .map(({ dimension, granularity, range, days: [from = '', to = ''] }): Draft['time'] =>
    dimension === ''
      ? emptyDraft.time
      : { dimension, granularity, range, ...(range === 'between' ? { from, to } : { from: '', to: '' }) },
  );
const drafts = fc
  .record({
    measures: some('orders.count', 'orders.revenue'),
    dimensions: some('orders.status', 'users.city', 'users.created_at'),
    segments: some('orders.large', 'users.new'),
    time,
    filters: fc.array(fc.array(condition, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 50_000 }).map(String),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
  })
  .chain((draft) => {
    const grouped =
      draft.time.dimension === '' || draft.time.granularity === ''
        ? []
        : [`${draft.time.dimension}.${draft.time.granularity}`];
    const columns = [...grouped, ...draft.dimensions, ...draft.measures];
    if (columns.length === 0) return fc.constant<Draft>({ ...draft, order: [] });
    const entry = fc.record({ member: fc.constantFrom(...columns), descending: fc.boolean() });
    return fc.array(entry, { maxLength: 3 }).map((order): Draft => ({ ...draft, order }));
  })
  .filter((draft) => checkDraft(draft, []).length === 0);

describe('a query of the playground in a file', () => {
  it('is opened again as the same draft, whatever it holds and whatever its title is', () => {
    const title = fc.string({ minLength: 1 }).filter((each) => each.trim() !== '');
    fc.assert(
      fc.property(drafts, title, (draft, named) => {
        const text = queryFileText(named, savedQuery(draft));
        const file = parseQueryFile(text);
        expect(queryProblems(file, undefined)).toEqual([]);
        expect(file.title).toBe(named);
        expect(reopened(text)).toEqual(draft);
      }),
    );
  });

  it('is written as a user would write it', () => {
    const draft: Draft = {
      measures: ['orders.count'],
      dimensions: [],
      segments: ['orders.large'],
      time: { dimension: 'orders.created_at', granularity: 'month', range: 'last year', from: '', to: '' },
      filters: [
        [
          { member: 'orders.status', operator: 'equals', values: 'paid, "a,b"' },
          { member: 'orders.status', operator: 'notSet', values: '' },
        ],
        [{ member: 'orders.count', operator: 'gt', values: '5' }],
      ],
      order: [
        { member: 'orders.created_at.month', descending: false },
        { member: 'orders.count', descending: true },
      ],
      limit: '1000',
      timezone: 'Europe/Berlin',
    };
    expect(queryFileText('Paid orders: by month', savedQuery(draft))).toBe(yaml`
      title: "Paid orders: by month"
      query:
        measures:
          - orders.count
        segments:
          - orders.large
        timeDimensions:
          - dimension: orders.created_at
            granularity: month
            dateRange: last year
        filters:
          - or:
              - member: orders.status
                operator: equals
                values:
                  - paid
                  - a,b
              - member: orders.status
                operator: notSet
          - member: orders.count
            operator: gt
            values:
              - "5"
        order:
          orders.created_at: asc
          orders.count: desc
        limit: 1000
        timezone: Europe/Berlin
    `);
  });

  it('is proposed with its columns as the title, as the page has it now', async () => {
    const { session, saved, queries } = openSession(() => Promise.resolve(answer));
    await session.receive({ type: 'opened', draft: simple });
    await session.receive({ type: 'change', draft: { ...simple, limit: '7' } });
    await session.receive({ type: 'save' });
    const query = { measures: ['orders.count'], dimensions: ['orders.status'], limit: 7, timezone: 'UTC' };
    expect(saved).toEqual([`orders.status, orders.count: ${JSON.stringify(query)}`]);
    expect(queries).toEqual([]);
  });

  it('is not saved while it is wrong, which is shown at its fields', async () => {
    const { session, saved, last } = openSession(() => Promise.resolve(answer));
    await session.receive({ type: 'opened', draft: { ...simple, limit: 'many' } });
    await session.receive({ type: 'save' });
    expect(saved).toEqual([]);
    expect(last('checked')).toMatchObject({ wasRun: true, problems: [{ field: 'limit' }] });
  });
});
