import { describe, expect, it } from 'vitest';
import type { MetaCube } from '#api/data/data-operations.ts';
import type { QueryOutcome, QueryTarget } from '#features/data/query-service.ts';
import { answer, cube, draft, openSession as open } from '#support/playground-session.ts';

describe('PlaygroundSession', () => {
  it('runs as the identity that was chosen, and shows what only it or only you see', async () => {
    const secret = { name: 'orders.margin', type: 'number' };
    const seen = { ...cube, measures: [...cube.measures, secret], dimensions: [] } as MetaCube;
    const { session, last, asWhom, choices } = open(
      () => Promise.resolve(answer),
      (_, options) => Promise.resolve([options?.securityContext ? seen : cube]),
    );
    await session.receive({ type: 'opened', draft });
    expect(last('identity')).toEqual({ type: 'identity', name: '', hidden: [], additional: [] });
    choices.identity = { name: 'Ada', securityContext: { user: 'ada' } };
    await session.receive({ type: 'viewAs' });
    expect(last('identity')).toEqual({
      type: 'identity',
      name: 'Ada',
      hidden: ['orders.status', 'orders.created_at'],
      additional: ['orders.margin'],
    });
    expect(last('checked')?.problems[0]).toMatchObject({ field: 'dimensions' });
    await session.receive({ type: 'change', draft: { ...draft, dimensions: [] } });
    await session.receive({ type: 'run' });
    // They stay when the identity changes, and say whose they are.
    expect(last('facts')?.lines.slice(0, 2)).toEqual(['Shop · dev-ann', 'As Ada']);
    delete choices.identity;
    await session.receive({ type: 'viewAs' });
    await session.receive({ type: 'run' });
    choices.identity = 'yourself';
    await session.receive({ type: 'viewAs' });
    await session.receive({ type: 'run' });
    expect(asWhom).toEqual([{ user: 'ada' }, { user: 'ada' }, undefined]);
    expect(last('facts')?.lines.join()).not.toContain('As ');
  });

  it('compares the rows of its last two runs', async () => {
    let count = 6;
    const { session, last, questions } = open(() =>
      Promise.resolve({ ...answer, rows: [{ 'orders.status': 'paid', 'orders.count': String((count += 1)) }] }),
    );
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'run' });
    await session.receive({ type: 'compare', with: 'run' });
    expect(last('comparison')).toMatchObject({ phase: 'failed', text: expect.stringContaining('twice') as unknown });
    await session.receive({ type: 'run' });
    await session.receive({ type: 'compare', with: 'run' });
    expect(last('comparison')).toMatchObject({
      text: '1 row changed, 0 rows the same.',
      rows: [['changed', 'paid', '7', '8']],
    });
    await session.receive({ type: 'askDifference', column: 3, cells: ['changed', 'paid', '7', '8'] });
    await session.receive({ type: 'askDifference', column: 9, cells: [] });
    expect(questions).toMatchObject([
      {
        ask: expect.stringContaining(
          'orders.count · last run 8 where difference = changed, orders.status = paid',
        ) as unknown,
        attached: [{ detail: '1 row changed, 0 rows the same.' }],
        names: ['orders.count'],
      },
    ]);
    await session.receive({ type: 'change', draft: { ...draft, dimensions: [] } });
    await session.receive({ type: 'run' });
    await session.receive({ type: 'compare', with: 'run' });
    expect(last('comparison')).toMatchObject({
      phase: 'failed',
      text: expect.stringContaining('different members') as unknown,
    });
  });

  it('runs the query as two identities at once and compares rows and members', async () => {
    const { session, last, asWhom, choices } = open(
      (_, { securityContext }) =>
        Promise.resolve({ ...answer, rows: securityContext ? answer.rows.slice(0, 1) : answer.rows } as QueryOutcome),
      (_, options) => Promise.resolve(options?.securityContext ? [{ ...cube, segments: [] }] : [cube]),
    );
    await session.receive({ type: 'opened', draft });
    choices.identity = { name: 'Ada', securityContext: { user: 'ada' } };
    await session.receive({ type: 'compare', with: 'identity' });
    expect(asWhom).toEqual([undefined, { user: 'ada' }]);
    expect(last('comparison')).toMatchObject({
      phase: 'done',
      text: '1 row only in your own view, 1 row the same.',
      rows: [['only in your own view', null, '0', '—']],
    });
  });

  it('names the side of a comparison that failed, and stops both when it is cancelled', async () => {
    const server: QueryTarget = { kind: 'cubeCore', restUrl: 'http://localhost:4000/cubejs-api/v1' };
    const stopped: AbortSignal[] = [];
    const begun = Promise.withResolvers<void>();
    const { session, last, choices } = open((_, { signal }) => {
      if (signal) stopped.push(signal);
      if (stopped.length === 2) return Promise.resolve({ kind: 'wrongQuery', message: 'There is no such cube.' });
      if (stopped.length < 2) return Promise.resolve(answer);
      return new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve({ kind: 'cancelled' }));
        if (stopped.length === 4) begun.resolve();
      });
    });
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'compare', with: 'target' });
    expect(last('comparison')).toBeUndefined();
    choices.target = { target: server, name: 'Cube Core' };
    await session.receive({ type: 'compare', with: 'target' });
    expect(last('comparison')).toMatchObject({ phase: 'failed', text: 'Cube Core: There is no such cube.' });
    const running = session.receive({ type: 'compare', with: 'target' });
    await begun.promise;
    await session.receive({ type: 'cancelComparison' });
    await running;
    expect(stopped.slice(2).map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(last('comparison')).toMatchObject({ phase: 'none' });
  });

  it('shows a running comparison again on a page that VS Code made again, and cancels it there', async () => {
    const begun = Promise.withResolvers<void>();
    const { session, last, posted, choices } = open((_, { signal }) => {
      begun.resolve();
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve({ kind: 'cancelled' })));
    });
    await session.receive({ type: 'opened', draft });
    choices.identity = { name: 'Ada', securityContext: { user: 'ada' } };
    const comparing = session.receive({ type: 'compare', with: 'identity' });
    await begun.promise;
    posted.length = 0;
    await session.receive({ type: 'opened', draft });
    expect(last('comparison')).toMatchObject({ phase: 'running' });
    await session.receive({ type: 'cancelComparison' });
    await comparing;
    posted.length = 0;
    await session.receive({ type: 'opened', draft });
    expect(last('comparison')).toMatchObject({ phase: 'none' });
  });

  it('ends a comparison that breaks, with its reason', async () => {
    const { session, last, choices } = open(() => Promise.reject(new Error('The answer is not JSON.')));
    await session.receive({ type: 'opened', draft });
    choices.identity = { name: 'Ada', securityContext: { user: 'ada' } };
    await session.receive({ type: 'compare', with: 'identity' });
    expect(last('comparison')).toMatchObject({ phase: 'failed', text: 'The answer is not JSON.' });
  });

  it('ends both queries of a comparison when its page is closed', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const begun = Promise.withResolvers<void>();
    const { session, choices } = open((_, { signal }) => {
      if (signals.push(signal) === 2) begun.resolve();
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve({ kind: 'cancelled' })));
    });
    await session.receive({ type: 'opened', draft });
    choices.identity = { name: 'Ada', securityContext: { user: 'ada' } };
    const comparing = session.receive({ type: 'compare', with: 'identity' });
    await begun.promise;
    session.dispose();
    await comparing;
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });

  it('names the members that a side does not have, and sends it no query', async () => {
    const { session, last, choices, queries } = open(
      () => Promise.resolve(answer),
      (_, options) => Promise.resolve([options?.securityContext ? ({ ...cube, dimensions: [] } as MetaCube) : cube]),
    );
    await session.receive({ type: 'opened', draft });
    choices.identity = { name: 'Ada', securityContext: { user: 'ada' } };
    await session.receive({ type: 'compare', with: 'identity' });
    expect(last('comparison')).toMatchObject({
      phase: 'failed',
      text: 'Ada’s view does not have “orders.status”.',
    });
    expect(queries).toEqual([]);
  });
});
