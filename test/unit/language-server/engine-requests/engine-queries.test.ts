import { afterAll, describe, expect, it } from 'vitest';
import { parseFile } from '#model/file.ts';
import type { PreAggregationProposal, QueryExplanation } from '#model/pre-aggregations/explanation.ts';
import { candidateTexts, ruleText } from '#model/pre-aggregations/rule-text.ts';
import type { FailedRule, ProposedRollup } from '#model/pre-aggregations/rules.ts';
import { rollupName, writeRollup } from '#model/pre-aggregations/write-rollup.ts';
import {
  defaultLanguageSettings,
  explainQuery,
  proposePreAggregation,
  type SqlAtPosition,
  sqlAtPosition,
} from '#features/language/messages.ts';
import { engineProcess } from '#language-server/engine/engine-process.ts';
import type { EngineFile, EngineQueryAnswer } from '#language-server/engine/messages.ts';
import { engineQuery } from '#language-server/engine-requests/engine-query.ts';
import { filesIn, yaml } from '#support/language/raw.ts';
import { rareRollupQueries } from '#support/language/rare-rollup-queries.ts';
import { ROLLUP_MODEL, rollupModel, rollupQueries } from '#support/language/rollup-models.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { unlikeModel, unlikeQueries } from '#support/language/unlike-rollups.ts';
import { bundledEngine } from '../../../support/bundled-engine.ts';

const { options, remove } = await bundledEngine();
afterAll(remove);
const engine = engineProcess(options);
const today = new Date('2026-11-27T00:00:00Z');
const { signal } = new AbortController();

/**
 * What the engine answered, by query and model: several tests look at the same answer. For another model between two queries it
 * would compile the first one again.
 */
const answers = new Map<string, Promise<EngineQueryAnswer>>();

async function ask(query: object, files: readonly EngineFile[] = rollupModel()): Promise<EngineQueryAnswer> {
  const key = JSON.stringify([query, files]);
  const answer = answers.get(key) ?? askEngine(query, files);
  answers.set(key, answer);
  return answer;
}

async function askEngine(query: object, files: readonly EngineFile[]): Promise<EngineQueryAnswer> {
  const asked = engineQuery(query as Readonly<Record<string, unknown>>, today);
  if (!asked.ok) throw new Error(asked.error);
  return engine.query(ROOT, { files, query: asked.value, dialect: 'postgres' }, signal);
}

type Compiled = Extract<EngineQueryAnswer, { readonly kind: 'compiled' }>;
async function compiled(query: object, files?: readonly EngineFile[]): Promise<Compiled> {
  const answer = await ask(query, files);
  if (answer.kind !== 'compiled') throw new Error(JSON.stringify(answer));
  return answer;
}

/** The model with a rollup, and the id of that. */
function withRollup(
  rollup: ProposedRollup,
  model: readonly EngineFile[],
): { files: readonly EngineFile[]; id: string } {
  const name = rollupName(rollup, new Set(['by_month', 'users_by_status', 'source']));
  const files = model.map(({ fileName, content }) => {
    const file = parseFile(fileName, content);
    const isOwn = file.chunks.some(({ chunk }) =>
      chunk.entities.some(({ nameNode }) => nameNode?.value === rollup.cube),
    );
    if (!isOwn) return { fileName, content };
    const written = writeRollup(file, rollup, name);
    if (!written.ok) throw new Error(written.error);
    return { fileName, content: written.value.text };
  });
  return { files, id: `${rollup.cube}.${name}` };
}

/** Whether the engine serves a query with a rollup that is proposed for it. */
async function isServed(query: object, proposed: readonly ProposedRollup[], model = rollupModel()): Promise<boolean> {
  for (const rollup of proposed) {
    const { files, id } = withRollup(rollup, model);
    const after = await ask(query, files);
    if (after.kind === 'compiled' && after.preAggregations.candidates.some((each) => each.isUsed && each.id === id))
      return true;
  }
  return false;
}

const isUnknown = ({ rule }: FailedRule): boolean => rule === 'other';

/** What is wrong with what is known of the pre-aggregations of a query. */
async function faultsOf([title, query]: readonly [string, object], model = rollupModel()): Promise<readonly string[]> {
  const { preAggregations: report } = await compiled(query, model);
  const used = report.candidates.filter(({ isUsed }) => isUsed);
  const others = report.candidates.filter(({ isUsed }) => !isUsed);
  const isServable = used.length > 0 || report.proposed.length > 0;
  return [
    ...(used.length > 1 ? [`${title}: several are used`] : []),
    ...(others.some(({ failed }) => failed.length === 0) ? [`${title}: no reason`] : []),
    ...(others.some(({ failed }) => failed.some(isUnknown)) ? [`${title}: unknown ${JSON.stringify(others)}`] : []),
    ...(!isServable && report.obstacles.length === 0 ? [`${title}: no way`] : []),
    ...(report.obstacles.some(isUnknown) ? [`${title}: unknown ${JSON.stringify(report.obstacles)}`] : []),
  ];
}

/** Proposed rollups of queries, as long as the engine does not use one for its query. */
async function unserved(
  queries: readonly (readonly [string, object])[],
  model = rollupModel(),
): Promise<readonly string[]> {
  const all: (readonly [string, object, readonly ProposedRollup[]])[] = [];
  for (const [title, query] of queries)
    all.push([title, query, (await compiled(query, model)).preAggregations.proposed]);
  const wrong: string[] = [];
  // One after the other with the same proposal: the engine compiles a model once as long as no other comes between.
  const key = (proposed: readonly ProposedRollup[]): string => JSON.stringify(proposed);
  for (const [title, query, proposed] of all.toSorted(([, , a], [, , b]) => key(a).localeCompare(key(b)))) {
    if (proposed.length > 0 && !(await isServed(query, proposed, model))) wrong.push(`${title}: ${key(proposed)}`);
  }
  return wrong;
}

describe('the reasons of the engine', () => {
  // All 1,680 take minutes: with ALL_ROLLUPS set every one of them, else one in twenty-nine, which are of every kind.
  const queries = rollupQueries().filter((_, at) => process.env['ALL_ROLLUPS'] !== undefined || at % 29 === 0);
  const groups = [
    ...Array.from({ length: 2 }, (_, at) => queries.filter((__, each) => each % 2 === at)),
    rareRollupQueries(),
  ];
  const numbered = groups.map((group, at) => [at, group] as const);

  it.each(numbered)('are known for every query, group %i', async (_, group) => {
    const wrong: string[] = [];
    for (const query of group) wrong.push(...(await faultsOf(query)));
    expect(wrong).toEqual([]);
  });

  it.each(numbered)('end with the proposed rollup, group %i', async (_, group) => {
    expect(await unserved(group)).toEqual([]);
  });
});

describe('the reasons of the engine in a model with pre-aggregations of every kind', () => {
  it('are known for every query', async () => {
    const wrong: string[] = [];
    for (const query of unlikeQueries()) wrong.push(...(await faultsOf(query, unlikeModel())));
    expect(wrong).toEqual([]);
  });

  it('end with the proposed rollup', async () => {
    expect(await unserved(unlikeQueries(), unlikeModel())).toEqual([]);
  });

  it('name the pre-aggregation that the engine uses', async () => {
    const used: string[] = [];
    for (const [title, query] of unlikeQueries()) {
      const { candidates } = (await compiled(query, unlikeModel())).preAggregations;
      used.push(...candidates.flatMap(({ id, isUsed }) => (isUsed ? [`${title}: ${id}`] : [])));
    }
    expect(used).toEqual([
      'visits.count by device and week: visits.by_device',
      'visits.count by day in a zone: visits.by_device',
      'visits.count by section and month: visits.with_pages',
      'visits.count by fortnight: visits.by_device',
      'visits.count by fiscal year: visits.by_device',
      'visits.count of humans: visits.of_humans',
      'visits.seconds by device and week: visits.by_device',
      'visits.seconds by day in a zone: visits.by_device',
      'visits.seconds by fortnight: visits.by_device',
      'visits.seconds by fiscal year: visits.by_device',
      'visits.people of humans: visits.of_humans',
      'visits.count_last_year by day in a zone: visits.by_device',
      'visits.count_last_year by section and month: visits.with_pages',
      'visits.count_last_year of humans: visits.of_humans',
      'view by device: visits.by_device',
      'view of humans: visits.of_humans',
      'view by month with a filter: visits.by_device',
    ]);
  });
});

/** What is said of the pre-aggregations of a query. */
async function said(query: object): Promise<readonly string[]> {
  const { candidates, obstacles } = (await compiled(query)).preAggregations;
  return [
    ...candidates.map((each) => [each.id, each.isUsed ? 'is used' : '', ...candidateTexts(each)].join(' ').trim()),
    ...obstacles.map((rule) => `none: ${ruleText(rule)}`),
  ];
}

describe('the words for a rule', () => {
  it('name what a rollup lacks', async () => {
    expect(await said({ measures: ['orders.count'], dimensions: ['orders.status'] })).toMatchInlineSnapshot(`
      [
        "orders.by_month is used",
        "orders.users_by_status  It does not have the measure “orders.count”.",
        "orders.source  It stores the SQL of its cube. Only other pre-aggregations are built from it.",
      ]
    `);
    expect(await said({ measures: ['orders.total'], dimensions: ['orders.channel'] })).toMatchInlineSnapshot(`
      [
        "orders.by_month  It does not have the measure “orders.total”. It does not have the dimension “orders.channel”, which the query groups or filters by.",
        "orders.users_by_status  It does not have the measure “orders.total”. It does not have the dimension “orders.channel”, which the query groups or filters by.",
        "orders.source  It stores the SQL of its cube. Only other pre-aggregations are built from it.",
      ]
    `);
  });

  it('name the granularity that a date range needs', async () => {
    const timeDimensions = [
      { dimension: 'orders.created_at', granularity: 'month', dateRange: ['2026-01-05', '2026-01-14'] },
    ];
    expect(await said({ measures: ['orders.count'], timeDimensions })).toMatchInlineSnapshot(`
      [
        "orders.by_month is used Its periods are counted whole, also those of which the date range has only a part. With “allow_non_strict_date_range_match: false” it would not be used here.",
        "orders.users_by_status  It does not have the measure “orders.count”. It is not grouped by the time dimension “orders.created_at”.",
        "orders.source  It stores the SQL of its cube. Only other pre-aggregations are built from it.",
      ]
    `);
  });

  it('explain what cannot be added up', async () => {
    const filters = [{ member: 'orders.channel', operator: 'contains', values: ['web'] }];
    expect(await said({ measures: ['orders.users'], dimensions: ['orders.status'], filters })).toMatchInlineSnapshot(`
      [
        "orders.by_month  “orders.users” cannot be added up, so it must not be grouped by time, as the query is not. “orders.users” cannot be added up, and the query is filtered by “orders.channel” without grouping by it. Group by it as well, or filter by one value with “equals”. “orders.users” cannot be added up, so it must have exactly the dimensions of the query: it lacks “orders.channel”. It does not have the measure “orders.users”.",
        "orders.users_by_status  “orders.users” cannot be added up, and the query is filtered by “orders.channel” without grouping by it. Group by it as well, or filter by one value with “equals”. “orders.users” cannot be added up, so it must have exactly the dimensions of the query: it lacks “orders.channel”.",
        "orders.source  It stores the SQL of its cube. Only other pre-aggregations are built from it.",
        "none: “orders.users” cannot be added up, and the query is filtered by “orders.channel” without grouping by it. Group by it as well, or filter by one value with “equals”.",
      ]
    `);
  });
});

describe('the language server about a query', () => {
  const settings = { ...defaultLanguageSettings, engineCheck: 'onCommand' } as const;
  const open = async (texts: Readonly<Record<string, string>> = {}): Promise<Session> => {
    const files = { ...Object.fromEntries(filesIn(ROLLUP_MODEL)), ...texts };
    const queryEngine = { ...engine, canCompile: () => true };
    return Session.start(files, { settings }, [], undefined, { queryEngine });
  };
  const params = (query: object, uri = ROOT) => ({ uri, query, dialect: 'snowflake', today: '2026-11-27' });

  it('answers with the SQL of its database', async () => {
    const session = await open();
    const query = {
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.created_at', granularity: 'week' }],
    };
    const answer = await session.client.sendRequest<QueryExplanation>(explainQuery, params(query));
    expect(answer.state === 'compiled' && answer.sql).toMatchInlineSnapshot(`
      "SELECT
            date_trunc('WEEK', CONVERT_TIMEZONE('UTC', "orders".created_at::timestamp_tz)::timestamp_ntz) "orders__created_at_week", count("orders".id) "orders__count"
          FROM
            orders AS "orders"  GROUP BY 1 ORDER BY 1 ASC"
    `);
    session.dispose();
  });

  // @shows pre-aggregations (server)
  it('writes a rollup into the file of its cube, in YAML and in a script', async () => {
    const session = await open();
    const propose = (query: object): Promise<PreAggregationProposal> =>
      session.client.sendRequest<PreAggregationProposal>(proposePreAggregation, params(query));
    const inYaml = await propose({ measures: ['orders.total'], dimensions: ['customers.city'] });
    expect({ ...inYaml, text: '' }).toEqual({
      state: 'proposed',
      id: 'orders.total_by_city',
      uri: `${ROOT}/cubes/orders.yml`,
      text: '',
    });
    expect(inYaml.state === 'proposed' && inYaml.text.slice(inYaml.text.indexOf('      - name: total_by_city')))
      .toMatchInlineSnapshot(`
      "      - name: total_by_city
              measures:
                - CUBE.total
              dimensions:
                - customers.city

      "
    `);
    const inScript = await propose({ measures: ['items.quantity'], dimensions: ['items.product'] });
    expect(inScript).toMatchInlineSnapshot(`
      {
        "id": "items.quantity_by_product",
        "state": "proposed",
        "text": "cube(\`items\`, {
        sql_table: \`items\`,
        dimensions: {
          id: { sql: \`id\`, type: \`number\`, primary_key: true },
          order_id: { sql: \`order_id\`, type: \`number\` },
          product: { sql: \`product\`, type: \`string\` },
          made_at: { sql: \`made_at\`, type: \`time\` },
        },
        measures: {
          count: { type: \`count\` },
          quantity: { sql: \`quantity\`, type: \`sum\` },
        },
        preAggregations: {
          quantity_by_product: {
            measures: [CUBE.quantity],
            dimensions: [CUBE.product],
          },
        },
      });

      ",
        "uri": "memory:///model/cubes/items.js",
      }
    `);
    expect(await propose({ measures: ['orders.count'], dimensions: ['orders.status'] })).toEqual({
      state: 'none',
      reason: 'The pre-aggregation “orders.by_month” serves this query already.',
    });
    session.dispose();
  });

  // @shows sql-at-cursor (server)
  it('knows the SQL of the member, cube or query file at a position, with what is not saved', async () => {
    const session = await open({
      'queries/week.query.yml': yaml`
        query:
          measures: [orders.total]
      `,
    });
    const uri = `${ROOT}/cubes/orders.yml`;
    const text = session.files.get(uri)?.replace('sql: amount', 'sql: amount_in_cents') ?? '';
    await session.open(uri, text);
    const at = async (word: string): Promise<string | undefined> => {
      const line = text.slice(0, text.indexOf(word)).split('\n').length - 1;
      const position = { line, character: 10 };
      const found = await session.client.sendRequest<SqlAtPosition>(sqlAtPosition, { ...params({}, uri), position });
      return found?.explanation.state === 'compiled'
        ? `${found.name}: ${found.explanation.sql}`
        : found?.explanation.state;
    };
    expect(await at('amount_in_cents')).toMatch(/^orders\.total: .*sum\("orders"\.amount_in_cents\)/s);
    expect(await at('sql: status')).toMatch(/^orders\.status: .*"orders"\.status/s);
    expect(await at('sql_table')).toMatch(/^orders: .*count/s);
    await session.open('queries/week.query.yml');
    const position = { line: 0, character: 0 };
    const ofQuery = await session.client.sendRequest<SqlAtPosition>(sqlAtPosition, {
      ...params({}, `${ROOT}/queries/week.query.yml`),
      position,
    });
    expect(ofQuery?.explanation.state === 'compiled' && ofQuery.explanation.sql).toMatchInlineSnapshot(`
      "SELECT
            sum("orders".amount_in_cents) "orders__total"
          FROM
            orders AS "orders" "
    `);
    session.dispose();
  });

  it('says what is wrong with a model or a query, and where nothing is compiled', async () => {
    const session = await open({
      'cubes/broken.yml': yaml`
        cubes:
          - name: broken
            sql_table: t
            measures:
              - name: x
                type: summ
      `,
    });
    const ask = (query: object, uri = ROOT): Promise<QueryExplanation> =>
      session.client.sendRequest<QueryExplanation>(explainQuery, params(query, uri));
    expect(await ask({ measures: ['orders.count'] })).toMatchInlineSnapshot(`
      {
        "errors": [
          ""measures.x.type" must be one of [count, number, string, boolean, time, sum, avg, min, max, countDistinct, countDistinctApprox]",
        ],
        "state": "refused",
      }
    `);
    expect(await ask({}, 'file:///elsewhere')).toMatchInlineSnapshot(`
      {
        "reason": "This is not part of a data model.",
        "state": "skipped",
      }
    `);
    session.dispose();
    const good = await open();
    const wrong = await good.client.sendRequest<QueryExplanation>(
      explainQuery,
      params({ measures: ['orders.nothing'] }),
    );
    expect(wrong).toMatchInlineSnapshot(`
      {
        "message": "'nothing' not found for path 'orders.nothing'",
        "state": "wrong",
      }
    `);
    const when = { dimension: 'orders.created_at', granularity: 'day', dateRange: 'since christmas' };
    expect(await good.client.sendRequest<QueryExplanation>(explainQuery, params({ timeDimensions: [when] })))
      .toMatchInlineSnapshot(`
      {
        "message": "“since christmas” depends on when the query runs, and cannot be judged here. Choose the days instead.",
        "state": "wrong",
      }
    `);
    good.dispose();
  });
});
