import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgent } from '#platform/agent/agent.ts';
import { openWarehouse, type Warehouse } from '#platform/data/warehouse/warehouse.ts';
import type { NewLine } from '#platform/chat/turn.ts';
import type { DataService } from '#platform/data/service.ts';
import { ok } from '#base/result.ts';
import { systemClock } from '#base/clock.ts';
import { type ChatLine, finalAnswer, linesOf, toolResults } from '#support/chat-lines.ts';
import { mountApis, sampleModel } from '#support/mounted-apis.ts';
import { yaml } from '#support/language/raw.ts';

const chunks = mountApis();
const folder = mkdtempSync(join(tmpdir(), 'agent-'));
let warehouse: Warehouse;
beforeAll(async () => {
  // The same shop, made a second time: what the agent says is checked against plain SQL.
  warehouse = await openWarehouse(join(folder, 'shop.duckdb'), 6000);
});
afterAll(async () => {
  await warehouse.close();
  await chunks.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

const stream = '/acme/agents/1/chat/stream-chat-state';
let people = 0;

/** Asks one question after the other in a thread; the lines of the last. */
async function ask(...questions: readonly string[]): Promise<readonly ChatLine[]> {
  const sessionSettings = { externalId: `asker-${String(people++)}`, groups: ['support'] };
  let lines: readonly ChatLine[] = [];
  let chatId: string | undefined;
  for (const input of questions) {
    lines = await linesOf(await chunks.chat(stream, { input, chatId, sessionSettings }));
    const cut = lines.findIndex((line) => line.id === '__cutoff__');
    chatId = lines[cut]?.state?.chatId;
    lines = lines.slice(cut);
  }
  return lines;
}

async function plain(sql: string): Promise<unknown> {
  return (await warehouse.query(sql)).rows.map((row) => row.map(comparable));
}

/** Rows of the last query, comparable with plain SQL's. */
function answered(lines: readonly ChatLine[]): unknown {
  const result = toolResults(lines, 'serviceSqlApi').at(-1);
  expect(result?.['error']).toBeUndefined();
  const data = (result?.['data'] ?? []) as readonly (readonly unknown[])[];
  return data.map((row) => row.map(comparable));
}

function comparable(value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value;
  return value !== '' && !Number.isNaN(Number(value)) ? Number(Number(value).toFixed(2)) : value;
}

const revenue = 'sum(i.unit_price * i.quantity * (1 - i.discount))';
const items =
  'line_items i JOIN orders o ON o.id = i.order_id JOIN customers c ON c.id = o.customer_id JOIN products p ON p.id = i.product_id JOIN product_categories k ON k.id = p.category_id JOIN stores s ON s.id = o.store_id';

describe('the agent answers what plain SQL answers', () => {
  const cases: readonly (readonly [questions: readonly string[], sql: string])[] = [
    [['How many orders are there?'], 'SELECT count(*) FROM orders'],
    [['revenue'], `SELECT ${revenue} FROM ${items}`],
    [['What were the sales in 2025?'], `SELECT ${revenue} FROM ${items} WHERE year(o.created_at) = 2025`],
    [['Top 5 categories by revenue'], `SELECT k.name, ${revenue} FROM ${items} GROUP BY 1 ORDER BY 2 DESC LIMIT 5`],
    [['the 3 lowest categories by units sold'], `SELECT k.name, sum(i.quantity) FROM ${items} GROUP BY 1 ORDER BY 2 LIMIT 3`],
    [['Revenue by month in 2025'], `SELECT date_trunc('month', o.created_at), ${revenue} FROM ${items} WHERE year(o.created_at) = 2025 GROUP BY 1 ORDER BY 1`],
    [['quarterly orders since 2025'], `SELECT date_trunc('quarter', o.created_at), count(DISTINCT o.id) FROM ${items} WHERE year(o.created_at) >= 2025 GROUP BY 1 ORDER BY 1`],
    [['revenue per year'], `SELECT date_trunc('year', o.created_at), ${revenue} FROM ${items} GROUP BY 1 ORDER BY 1`],
    [['revenue in Germany'], `SELECT ${revenue} FROM ${items} WHERE c.country = 'Germany'`],
    [['compare revenue of Germany and France'], `SELECT c.country, ${revenue} FROM ${items} WHERE c.country IN ('Germany', 'France') GROUP BY 1 ORDER BY 2 DESC`],
    [['compare 2024 and 2025 revenue'], `SELECT date_trunc('year', o.created_at), ${revenue} FROM ${items} WHERE year(o.created_at) IN (2024, 2025) GROUP BY 1 ORDER BY 1`],
    [['revenue of store Berlin Mitte by category'], `SELECT k.name, ${revenue} FROM ${items} WHERE s.name = 'Berlin Mitte' GROUP BY 1 ORDER BY 2 DESC`],
    [['sales of the online shop'], `SELECT ${revenue} FROM ${items} WHERE s.region = 'Online'`],
    [['How many returns by reason?'], 'SELECT reason, count(*) FROM returns GROUP BY 1 ORDER BY 2 DESC'],
    [['how many orders were cancelled in 2025'], "SELECT count(*) FROM orders WHERE status = 'cancelled' AND year(created_at) = 2025"],
    [['revenue last month'], `SELECT ${revenue} FROM ${items} WHERE o.created_at >= '2026-09-01' AND o.created_at < '2026-10-01'`],
    [['revenue in Q2 2025'], `SELECT ${revenue} FROM ${items} WHERE o.created_at >= '2025-04-01' AND o.created_at < '2025-07-01'`],
    [['revenue in March 2025'], `SELECT ${revenue} FROM ${items} WHERE o.created_at >= '2025-03-01' AND o.created_at < '2025-04-01'`],
    [['revenue by department and month in 2025'], `SELECT date_trunc('month', o.created_at), k.department, ${revenue} FROM ${items} WHERE year(o.created_at) = 2025 GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 100`],
    [['number of products per supplier'], 'SELECT u.name, count(*) FROM products p JOIN suppliers u ON u.id = p.supplier_id GROUP BY 1 ORDER BY 2 DESC, 1'],
    [['top 5 customers by revenue'], `SELECT c.first_name || ' ' || c.last_name, ${revenue} FROM ${items} GROUP BY 1 ORDER BY 2 DESC LIMIT 5`],
    [['average days to ship by store region'], "SELECT s.region, avg(date_diff('hour', o.created_at, o.shipped_at) / 24.0) FROM orders o JOIN stores s ON s.id = o.store_id GROUP BY 1 ORDER BY 2 DESC"],
    [['the best 3 months for revenue'], `SELECT date_trunc('month', o.created_at), ${revenue} FROM ${items} GROUP BY 1 ORDER BY 2 DESC LIMIT 3`],
    [['revenue by store and status in 2026'], `SELECT s.name, o.status, ${revenue} FROM ${items} WHERE year(o.created_at) = 2026 GROUP BY 1, 2 ORDER BY 3 DESC`],
    [['discounted revenue'], `SELECT ${revenue} FROM ${items} WHERE i.discount > 0`],
    [['revenue by customer country', 'and by month?', 'what about France?'], `SELECT date_trunc('month', o.created_at), ${revenue} FROM ${items} WHERE c.country = 'France' GROUP BY 1 ORDER BY 1`],
  ]; // prettier-ignore
  for (const [questions, sql] of cases) {
    it('answers the words of a question, not those of a file that goes along', async () => {
      const attached = yaml`
        <attached name="stores.yml" from="stores.yml">
        cubes:
          - name: stores
        </attached>`;
      const words = 'How many orders were there by status?';
      expect(answered(await ask(`${words}\n\n${attached}`))).toEqual(answered(await ask(words)));
    });

    it(questions.join(' … '), async () => {
      expect(answered(await ask(...questions))).toEqual(await plain(sql));
    });
  }
});

describe('what the agent says', () => {
  it('contains the number itself, with its scope', async () => {
    const [[count]] = (await plain("SELECT count(DISTINCT o.id) FROM orders o WHERE year(o.created_at) = 2025")) as [[number]]; // prettier-ignore
    expect(finalAnswer(await ask('how many orders in 2025?'))).toBe(
      `**Number of orders** (2025): **${count.toLocaleString('en-GB')}**\n`,
    );
  });

  it('contains a table, with what stands out', async () => {
    const text = finalAnswer(await ask('revenue by category'));
    const [[name, value]] = (await plain(`SELECT k.name, ${revenue} FROM ${items} GROUP BY 1 ORDER BY 2 DESC LIMIT 1`)) as [[string, number]]; // prettier-ignore
    const amount = value.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    expect(text).toContain(`First comes **${name}** with ${amount}`);
    expect(text).toContain('| Category | Revenue |\n| --- | ---: |\n');
    expect(text.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(14);
  });

  it('admits what it is, what it assumed and what it did not understand', async () => {
    const lines = await ask('frobnicate by category');
    expect(lines.find((line) => line.thinking?.includes('rules'))).toBeDefined();
    expect(finalAnswer(lines)).toContain('You did not name a measure, so I took **Revenue**.');
    expect(finalAnswer(lines)).toContain('I did not understand: *frobnicate*.');
  });

  it('helps when greeted, asked for help or at a loss, with examples that work', async () => {
    const hello = finalAnswer(await ask('hi'));
    expect(hello).toMatch(/^Hello!/);
    expect(hello).toContain('**rule-based**');
    expect(finalAnswer(await ask('what is the weather'))).toMatch(/^I found none of your words/);
    const examples = [...hello.matchAll(/^- (.+)$/gm)].map(([, text = '']) => text).slice(-3);
    expect(examples).toHaveLength(3);
    for (const example of examples) expect(answered(await ask(example))).not.toEqual([]);
  });

  it('describes the model', async () => {
    const model = finalAnswer(await ask('which cubes and measures are there?'));
    expect(model).toContain('| sales | view |');
    expect(finalAnswer(await ask('describe sales'))).toContain('| `revenue` | measure | number |');
  });

  it('says that there is no data instead of an empty table', async () => {
    expect(finalAnswer(await ask('revenue in 2012 by category'))).toContain('There is no data');
    expect(finalAnswer(await ask('revenue in 2012'))).toContain('There is no data');
  });

  it('gives a long answer from the data', async () => {
    const lines = await ask('tell me a long story about the data');
    const story = finalAnswer(lines);
    expect(story.length).toBeGreaterThan(5000);
    expect(toolResults(lines, 'serviceSqlApi').length).toBeGreaterThan(3);
    expect(story).toContain('## Month by month');
  });

  it('drafts a view that compiles, with the members that were named', async () => {
    const text = finalAnswer(
      await ask('write a view of orders with status, number of orders and cancelled orders by month'),
    );
    const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(text) ?? [];
    const files = [...sampleModel(), { fileName: 'model/views/draft.yml', content: yaml }];
    const compiled = await chunks.engine.compile(files);
    const view = compiled.ok ? compiled.meta.find(({ name }) => name === 'orders_view') : undefined;
    expect(view?.dimensions.map(({ name }) => name)).toEqual(['orders_view.status', 'orders_view.created_at']);
    expect(view?.measures.map(({ name }) => name)).toEqual(['orders_view.cancelled_count', 'orders_view.count']);
  });

  it('searches with the words of the question', async () => {
    const [found] = toolResults(await ask('returns by reason'), 'serviceMeta');
    const [first] = (found?.['cubes'] ?? []) as readonly {
      name: string;
      type: string;
      members: readonly { name: string }[];
    }[];
    expect(first).toMatchObject({ name: 'returns', type: 'cube' });
    expect(first?.members[0]?.name).toMatch(/^returns\./);
  });

  it('sees only what the caller may see', async () => {
    const sessionSettings = { externalId: 'nobody-special' };
    const lines = await linesOf(await chunks.chat(stream, { input: 'describe customer_overview', sessionSettings }));
    expect(finalAnswer(lines)).not.toContain('email');
    expect(finalAnswer(await ask('describe customer_overview'))).toContain('email');
  });
});

describe('a model without views', () => {
  const cubes = sampleModel().filter((file) => !file.fileName.includes('/views/'));
  const bare = mountApis({ engine: chunks.engine, branches: { main: cubes } });
  afterAll(() => bare.close());

  const cases: readonly (readonly [question: string, sql: string])[] = [
    ['orders by status', 'SELECT status, count(*) FROM orders GROUP BY 1 ORDER BY 2 DESC'],
    ['revenue by category', `SELECT k.name, ${revenue} FROM ${items} GROUP BY 1 ORDER BY 2 DESC`],
    ['revenue by customer country in 2025', `SELECT c.country, ${revenue} FROM ${items} WHERE year(o.created_at) = 2025 GROUP BY 1 ORDER BY 2 DESC`],
    ['orders in Germany', "SELECT count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.country = 'Germany'"],
  ]; // prettier-ignore
  for (const [question, sql] of cases) {
    it(question, async () => {
      const lines = await linesOf(
        await bare.chat(stream, { input: question, sessionSettings: { externalId: 'bare' } }),
      );
      expect(answered(lines)).toEqual(await plain(sql));
    });
  }
});

describe('a model without any time', () => {
  it('says that it could not take the period into account', async () => {
    const files = sampleModel().filter((file) => /suppliers|product_categories/.test(file.fileName));
    const timeless = mountApis({ engine: chunks.engine, branches: { main: files } });
    const body = { input: 'suppliers in 2025', sessionSettings: { externalId: 'timeless' } };
    const text = finalAnswer(await linesOf(await timeless.chat(stream, body)));
    expect(text).toBe(
      '**Number of suppliers**: **20**\n\nI did not understand: *2025*. The answer does not take it into account.\n',
    );
    await timeless.close();
  });
});

describe('a model behind AGENT_URL', () => {
  const data: DataService = {
    open: async () =>
      ok({
        cubes: [],
        compilerId: 'x',
        generate: () => Promise.reject(new Error('not asked')),
        load: () => Promise.reject(new Error('not asked')),
        cubeSql: async () => ok({ schema: [{ name: 'count', column_type: 'Int64' }], data: [['42']] }),
      }),
    close: async () => undefined,
  };
  const member = {
    title: 'Orders Count',
    shortTitle: 'Count',
    type: 'number',
    aggType: 'count',
    public: true,
    isVisible: true,
  };
  const cube = {
    name: 'orders',
    type: 'cube',
    title: 'Orders',
    public: true,
    isVisible: true,
    measures: [{ ...member, name: 'orders.order_count' }],
    dimensions: [],
    segments: [],
    hierarchies: [],
    folders: [],
  } as const;
  const withCube: DataService = {
    ...data,
    open: async (target) => {
      const opened = await data.open(target);
      return opened.ok ? ok({ ...opened.value, cubes: [cube] }) : opened;
    },
  };

  async function answer(fetch: (input: string, init: RequestInit) => Promise<Response>): Promise<string> {
    const written: NewLine[] = [];
    const agent = createAgent({
      data: withCube,
      clock: systemClock,
      options: { chatDelayMs: 0, agentUrl: 'http://127.0.0.1:1/v1/' },
      fetch,
    });
    await agent.answer({
      question: 'how many orders',
      history: [],
      target: { deploymentId: '1', branchName: 'main', securityContext: {} },
      writer: { signal: new AbortController().signal, write: (line) => written.push(line) },
    });
    return written.findLast((line) => line.graphPath?.[0] === 'final')?.content ?? '';
  }

  it('writes the text from the rows', async () => {
    const asked: { url: string; body: string }[] = [];
    const events = [
      'data: {"choices":[{"delta":{"content":"Forty-"}}]}',
      'data: {"choices":[{"delta":{"content":"two."}}]}',
      'data: [DONE]',
    ];
    const text = await answer(async (url, init) => {
      asked.push({ url, body: await new Response(init.body ?? '').text() });
      return new Response(`${events.join('\n\n')}\n`);
    });
    expect(text).toBe('Forty-two.');
    expect(asked[0]?.url).toBe('http://127.0.0.1:1/v1/chat/completions');
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      model: 'default',
      stream: true,
      messages: [
        {
          role: 'system',
          content: 'You are a data analyst. Answer in Markdown, from the rows given and nothing else.',
        },
        { role: 'user', content: 'Question: how many orders\n\nRows:\n**Count**: **42**\n' },
      ],
    });
  });

  it('leaves the answer to the rules when it cannot be reached', async () => {
    const text = await answer(async () => new Response('no', { status: 503 }));
    expect(text).toContain('could not be asked');
    expect(text).toContain('**42**');
  });
});
