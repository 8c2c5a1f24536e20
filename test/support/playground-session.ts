import type { AskTarget } from '#shell/targets.ts';
import type { MetaCube } from '#api/data/data-operations.ts';
import type { CompiledSql, DataQuery } from '#api/data/data.ts';
import { silentLogger } from '#base/log.ts';
import type { HostToResults } from '#features/data/messages.ts';
import type { QueryOutcome, QueryTarget, QueryOptions } from '#features/data/query-service.ts';
import { type Draft, emptyDraft } from '#features/playground/draft.ts';
import { QueryHistory } from '#features/playground/history.ts';
import type { Identity } from '#features/playground/identities.ts';
import type { PlaygroundMessage } from '#features/playground/messages.ts';
import { PlaygroundSession } from '#features/playground/playground-session.ts';
import type { PreAggregationProposal, QueryExplanation } from '#model/pre-aggregations/explanation.ts';
import type { WrittenMember } from '#model/written-member.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { MemoryState } from '#support/memory-state.ts';

export const cube = {
  name: 'orders',
  measures: [{ name: 'orders.count', type: 'number', aggType: 'count' }],
  dimensions: [
    { name: 'orders.status', type: 'string' },
    { name: 'orders.created_at', type: 'time' },
    { name: 'orders.secret', type: 'string', isVisible: false },
  ],
  segments: [],
} as MetaCube;

export const draft: Draft = { ...emptyDraft, measures: ['orders.count'], dimensions: ['orders.status'] };
export const target = { kind: 'environment', accountId: 'a', deploymentId: '1' } as const;
export const answer = {
  kind: 'rows' as const,
  rows: [
    { 'orders.status': 'paid', 'orders.count': '7' },
    { 'orders.status': null, 'orders.count': '0' },
  ],
  annotation: { measures: { 'orders.count': { type: 'number' } }, dimensions: {}, timeDimensions: {} },
  facts: { source: 'Shop · dev-ann', milliseconds: 5, preAggregations: ['orders.by_status'], total: 2 },
} satisfies QueryOutcome;

type Posted = PlaygroundMessage | HostToResults;

/** Opens a session whose queries and choices the test answers, and records what it posts. */
export function openSession(
  run: (query: DataQuery, options: QueryOptions) => Promise<QueryOutcome>,
  meta: (where: QueryTarget, options?: Pick<QueryOptions, 'securityContext'>) => Promise<readonly MetaCube[]> = () =>
    Promise.resolve([cube]),
  nameOf = ({ kind }: QueryTarget): string => (kind === 'cubeCore' ? 'Cube Core' : 'Shop · dev-ann'),
) {
  const posted: Posted[] = [];
  const asked: QueryTarget[] = [];
  const questions: AskTarget[] = [];
  const asWhom: unknown[] = [];
  const queries: DataQuery[] = [];
  const saved: string[] = [];
  const advice = {
    members: (): Promise<readonly WrittenMember[]> => Promise.resolve([]),
    explain: (): Promise<QueryExplanation> =>
      Promise.resolve({ state: 'skipped', reason: 'Nothing is compiled here.' }),
    propose: (): Promise<PreAggregationProposal> => Promise.resolve({ state: 'none', reason: 'Nothing to propose.' }),
    review: (_uri: string, _text: string, _title: string): Promise<boolean> => Promise.resolve(true),
  };
  const choices: { identity?: Identity | 'yourself'; target?: { target: QueryTarget; name: string } } = {};
  const forgotten = { times: 0 };
  const compiled = { answer: () => Promise.resolve<CompiledSql>({ sql: 'SELECT 1', values: ['x'] }) };
  const clock = new ManualClock();
  const history = new QueryHistory(new MemoryState(), target);
  const session = new PlaygroundSession({
    location: { target, restUrl: () => Promise.resolve('https://shop.example/cubejs-api/v1'), history },
    queries: {
      run: (where, query, options = {}) => {
        asked.push(where);
        asWhom.push(options.securityContext);
        queries.push(query);
        return run(query, options);
      },
      meta,
      nameOf: (where) => Promise.resolve(nameOf(where)),
      forgetMeta: () => void (forgotten.times += 1),
      client: () => ({ sql: () => compiled.answer() }),
    },
    advice: {
      members: () => advice.members(),
      explain: () => advice.explain(),
      propose: () => advice.propose(),
      review: (...change) => advice.review(...change),
    },
    clock,
    logger: silentLogger,
    post: (message) => posted.push(message),
    outputs: {
      copy: () => Promise.resolve(),
      ask: (question) => Promise.resolve(void questions.push(question)),
      saveCsv: () => Promise.resolve(),
      openSql: (sql) => Promise.resolve(void saved.push(sql)),
      saveImage: (format, data) => Promise.resolve(void saved.push(`${format} ${data}`)),
      saveQuery: (query, title) => Promise.resolve(void saved.push(`${title}: ${JSON.stringify(query)}`)),
    },
    choices: {
      identity: () => Promise.resolve(choices.identity),
      target: () => Promise.resolve(choices.target),
    },
  });
  const last = <Type extends Posted['type']>(type: Type): Extract<Posted, { readonly type: Type }> | undefined =>
    posted.findLast((message): message is Extract<Posted, { readonly type: Type }> => message.type === type);
  return {
    session,
    posted,
    queries,
    asked,
    last,
    history,
    saved,
    choices,
    asWhom,
    advice,
    questions,
    forgotten,
    compiled,
  };
}
