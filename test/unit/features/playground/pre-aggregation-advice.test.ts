import { describe, expect, it } from 'vitest';
import { answer, draft, openSession } from '#support/playground-session.ts';

const compiled = { state: 'compiled', sql: 'SELECT 1', values: [], proposed: [], obstacles: [] } as const;
const lacking = {
  id: 'orders.by_month',
  type: 'rollup',
  isUsed: false,
  failed: [{ rule: 'dimensions', missing: ['orders.status'] }],
} as const;
const proposed = [
  {
    cube: 'orders',
    measures: ['count'],
    dimensions: ['status'],
    segments: [],
    timeDimensions: [],
    isStrict: false,
  },
];

async function opened() {
  const open = openSession(() => Promise.resolve(answer));
  await open.session.receive({ type: 'opened', draft });
  return open;
}

describe('PreAggregationAdvice', () => {
  it('says of each pre-aggregation why it does not serve the query', async () => {
    const { session, last, advice } = await opened();
    advice.explain = () => Promise.resolve({ ...compiled, candidates: [lacking], proposed });
    await session.receive({ type: 'explain' });
    expect(last('preAggregations')).toMatchObject({
      phase: 'ready',
      text: 'None of the pre-aggregations of its cubes serves this query.',
      canPropose: true,
      candidates: [
        {
          id: 'orders.by_month',
          reasons: ['It does not have the dimension “orders.status”, which the query groups or filters by.'],
        },
      ],
    });
  });

  it('has a proposal reviewed, and explains the query again once it was accepted', async () => {
    const { session, last, advice } = await opened();
    const reviewed: string[] = [];
    advice.propose = () =>
      Promise.resolve({ state: 'proposed', uri: 'file:///orders.yml', text: 'cubes:', id: 'orders.fresh' });
    advice.review = (uri, text, title) => Promise.resolve(reviewed.push(`${uri} ${text} ${title}`) > 0);
    const served = { id: 'orders.fresh', type: 'rollup', isUsed: true, failed: [] };
    advice.explain = () => Promise.resolve({ ...compiled, candidates: [served] });
    await session.receive({ type: 'propose' });
    expect(reviewed).toEqual(['file:///orders.yml cubes: Add the pre-aggregation orders.fresh']);
    expect(last('preAggregations')).toMatchObject({
      text: '“orders.fresh” serves this query.',
      note: expect.stringContaining('“orders.fresh” was added.') as unknown,
    });
  });

  it('gives the reason where nothing is proposed, and where the user declines', async () => {
    const { session, last, advice } = await opened();
    await session.receive({ type: 'propose' });
    expect(last('preAggregations')).toMatchObject({ phase: 'failed', text: 'Nothing is compiled here.' });
    expect(last('preAggregations')?.note).toBe('Nothing to propose.');
    advice.propose = () => Promise.resolve({ state: 'proposed', uri: 'file:///a.yml', text: '', id: 'orders.fresh' });
    advice.review = () => Promise.resolve(false);
    await session.receive({ type: 'propose' });
    expect(last('preAggregations')?.note).toBe('The pre-aggregation was not added.');
  });

  it('drops an answer to a query that was changed meanwhile', async () => {
    const { session, last, advice } = await opened();
    const late = Promise.withResolvers<Awaited<ReturnType<typeof advice.explain>>>();
    advice.explain = () => late.promise;
    const explaining = session.receive({ type: 'explain' });
    await session.receive({ type: 'change', draft: { ...draft, dimensions: [] } });
    late.resolve({ ...compiled, candidates: [] });
    await explaining;
    expect(last('preAggregations')).toMatchObject({ phase: 'none' });
  });

  it('explains no query that is not complete', async () => {
    const { session, last } = await opened();
    await session.receive({ type: 'change', draft: { ...draft, measures: [], dimensions: [] } });
    await session.receive({ type: 'explain' });
    expect(last('preAggregations')).toMatchObject({ phase: 'none' });
  });
});
