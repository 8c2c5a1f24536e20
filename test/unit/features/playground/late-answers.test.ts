import { describe, expect, it } from 'vitest';
import type { MetaCube } from '#api/data/data-operations.ts';
import type { QueryOutcome } from '#features/data/query-service.ts';
import { emptyDraft } from '#features/playground/draft.ts';
import { settled } from '#support/manual-clock.ts';
import { answer, cube, draft, openSession } from '#support/playground-session.ts';

const smaller = { ...emptyDraft, measures: ['orders.count'] };
const failure: QueryOutcome = { kind: 'wrongQuery', message: 'Column “orders.status” not found.' };

/** A session whose queries and models are answered in the order that the test chooses. */
function openLate() {
  const runs: PromiseWithResolvers<QueryOutcome>[] = [];
  const models: PromiseWithResolvers<readonly MetaCube[]>[] = [];
  const later = <T>(all: PromiseWithResolvers<T>[]): Promise<T> => {
    const next = Promise.withResolvers<T>();
    all.push(next);
    return next.promise;
  };
  const opened = openSession(
    () => later(runs),
    () => later(models),
  );
  return { ...opened, runs, models };
}

/** As {@link openLate}, with the model read and a draft in the page. */
async function openReady() {
  const opened = openLate();
  const ready = opened.session.receive({ type: 'opened', draft });
  await settled();
  opened.models[0]?.resolve([cube]);
  await ready;
  return opened;
}

describe('answers to a playground that come late', () => {
  it('do not change the chart or the comparison of a later run', async () => {
    const { session, runs, last } = await openReady();
    const first = session.receive({ type: 'run' });
    await session.receive({ type: 'change', draft: smaller });
    const second = session.receive({ type: 'run' });
    await settled();
    runs[1]?.resolve({ ...answer, rows: [{ 'orders.count': '7' }] });
    await second;
    runs[0]?.resolve(answer);
    await first;
    await session.receive({ type: 'chart' });
    expect(last('chart')).toMatchObject({ kind: 'number', figures: [{ value: '7' }] });
    await session.receive({ type: 'compare', with: 'run' });
    expect(last('comparison')?.text).toMatchInlineSnapshot(`"Run a query twice to compare its last two answers."`);
  });

  it('do not report the error of a run at a query that was changed meanwhile', async () => {
    const { session, runs, last } = await openReady();
    const running = session.receive({ type: 'run' });
    await settled();
    await session.receive({ type: 'change', draft: smaller });
    runs[0]?.resolve(failure);
    await running;
    expect(last('state')).toMatchObject({ phase: 'failed' });
    expect(last('failure')).toEqual({ type: 'failure', field: '', text: '' });
  });

  it('do not replace the members of a model that was read again meanwhile', async () => {
    const { session, models, last } = openLate();
    const opening = session.receive({ type: 'opened' });
    await settled();
    const reading = session.reload();
    await settled();
    models[1]?.resolve([{ ...cube, measures: [] }]);
    await reading;
    models[0]?.resolve([cube]);
    await opening;
    expect(last('model')?.members.map(({ name }) => name)).toEqual(['orders.status', 'orders.created_at']);
  });

  it('do not report the failure of a reading after a later one succeeded', async () => {
    const { session, models, last } = openLate();
    const opening = session.receive({ type: 'opened' });
    await settled();
    const reading = session.reload();
    await settled();
    models[1]?.resolve([cube]);
    await reading;
    models[0]?.reject(new Error('The connection broke.'));
    await opening;
    expect(last('model')).toMatchObject({ phase: 'ready', message: '' });
  });
});
