import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChatLine, finalAnswer, LineReader, linesOf, messagesOf, toolResults } from '#support/chat-lines.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { mountApis, sampleModel } from '#support/mounted-apis.ts';
import { yaml } from '#support/language/raw.ts';

const clock = new ManualClock(Date.UTC(2026, 10, 21));
const branches = {
  main: sampleModel(),
  'dev-broken': [
    ...sampleModel(),
    {
      fileName: 'model/cubes/bad.yml',
      content: yaml`
        cubes:
          - name: bad
      `,
    },
  ],
  'dev-ada': sampleModel().map((file) => ({
    ...file,
    content: file.content.replaceAll('Number of orders', 'Order tally'),
  })),
};
const chunks = mountApis({ branches, deps: { clock, options: { chatDelayMs: 20, warehouseRows: 6000 } } });
// The engine starts in real time, before the test's own clock is run.
beforeAll(() => chunks.engine.compile(branches.main));
afterAll(() => chunks.close());

const stream = '/acme/agents/1/chat/stream-chat-state';
let minted = 1_700_000_000_000;
const newMessageId = (): string => `${String(minted++)}-message`;
let people = 0;
/** Someone new for each test, so that threads never meet. */
const someone = (): { readonly externalId: string } => ({ externalId: `person-${String(people++)}` });

async function whole(body: unknown): Promise<readonly ChatLine[]> {
  return clock.run(linesOf(await chunks.chat(stream, body)));
}

const isCutoff = (line: ChatLine): boolean => line.id === '__cutoff__';
const chatIdOf = (lines: readonly ChatLine[]): string => lines.find(isCutoff)?.state?.chatId ?? '';
const history = (lines: readonly ChatLine[]): readonly ChatLine[] => lines.slice(0, lines.findIndex(isCutoff));
const live = (lines: readonly ChatLine[]): readonly ChatLine[] => lines.slice(lines.findIndex(isCutoff) + 1);

/** What the thread's final state says of each message. */
function stateOf(lines: readonly ChatLine[]): ReadonlyMap<string, unknown> {
  const state = lines.findLast((line) => line.id === '__state__')?.state;
  return new Map(
    (state?.messages ?? []).map((line) => [
      line.id ?? '',
      { content: line.content ?? '', thinking: line.thinking ?? '' },
    ]),
  );
}

describe('a turn', () => {
  it('sends its kinds of lines in the documented order', async () => {
    const messageId = newMessageId();
    const lines = await whole({ input: 'revenue by category', messageId, sessionSettings: someone() });
    const kind = ({ id = '', role, thinking, toolCall, graphPath, isDelta, isInProcess }: ChatLine): string => {
      if (id.startsWith('__')) return id;
      if (role === 'user') return `user ${id}`;
      if (toolCall) return `${toolCall.name} ${toolCall.result === undefined ? 'started' : 'done'}`;
      const where = graphPath?.[0] === 'final' ? 'final' : 'agent';
      if (!isInProcess) return `${where} complete${isDelta ? '' : ', whole'}`;
      return thinking === undefined || thinking === '' ? where : `${where} thinks`;
    };
    const kinds = lines.map(kind).filter((name, at, all) => name !== all[at - 1]);
    expect(kinds).toEqual([
      '__cutoff__',
      `user ${messageId}`,
      'agent',
      'agent thinks',
      'agent complete',
      'serviceMeta started',
      'serviceMeta done',
      'agent',
      'agent thinks',
      'agent complete',
      'serviceSqlApi started',
      'serviceSqlApi done',
      'final',
      'final complete, whole',
      '__state__',
      '__usage__',
    ]);
    const sorts = lines.map((line) => line.sort ?? -1);
    expect(sorts[0]).toBe(0);
    expect(sorts.every((sort, at) => at === 0 || sort > (sorts[at - 1] ?? 0))).toBe(true);
    expect(lines.find((line) => line.toolCall)?.graphPath).toEqual(['service_data_analyst_agent', 'tools']);
  });

  it('adds up: increments, the whole and the final state say the same', async () => {
    const lines = await whole({ input: 'orders by status', sessionSettings: someone() });
    expect(messagesOf(lines)).toEqual(stateOf(lines));
    const deltas = lines.filter((line) => line.graphPath?.[0] === 'final' && line.isDelta).map((line) => line.content);
    expect(deltas.join('')).toBe(finalAnswer(lines));
    expect(deltas.length).toBeGreaterThan(10);
  });

  it('starts a thread, which the next question continues after its history', async () => {
    const sessionSettings = someone();
    const first = await whole({ input: 'hello', sessionSettings });
    const chatId = chatIdOf(first);
    expect(chatId).not.toBe('');
    expect(history(first)).toEqual([]);
    const second = await whole({ input: 'orders by status', chatId, sessionSettings });
    expect(messagesOf(history(second))).toEqual(stateOf(first));
    expect(live(second)[0]).toMatchObject({ role: 'user', content: 'orders by status', isDelta: false });
    expect(history(second).every((line) => line.isDelta === false)).toBe(true);
    const read = await whole({ chatId, sessionSettings });
    expect(messagesOf(history(read))).toEqual(stateOf(second));
    expect(live(read).map(({ id }) => id)).toEqual(['__state__', '__usage__']);
  });

  it('asks the branch that is named, else the deploy branch', async () => {
    const titleFor = async (body: object): Promise<string> => {
      const lines = await whole({ input: 'how many orders', sessionSettings: someone(), ...body });
      return finalAnswer(lines);
    };
    expect(await titleFor({})).toContain('Number of orders');
    expect(await titleFor({ activeBranchName: 'dev-ada' })).toContain('Order tally');
    expect(await titleFor({ activeBranchName: 'main', isDefaultBranch: true })).toContain('Number of orders');
  });

  it('shows a tool that failed, and says why in the answer', async () => {
    const lines = await whole({ input: 'how many orders', activeBranchName: 'gone', sessionSettings: someone() });
    expect(toolResults(lines, 'serviceMeta')[0]?.['error']).toBe('Branch "gone" does not exist.');
    expect(finalAnswer(lines)).toContain('Branch "gone" does not exist.');
    expect(lines.at(-1)?.id).toBe('__usage__');
  });

  it('quotes the compiler when the branch does not compile', async () => {
    const lines = await whole({
      input: 'how many orders',
      activeBranchName: 'dev-broken',
      sessionSettings: someone(),
    });
    expect(toolResults(lines, 'serviceMeta')[0]?.['error']).toContain('bad cube');
    expect(finalAnswer(lines)).toMatch(/^I could not answer that: Compile errors:\n.*bad cube/s);
  });

  it('shows 100 rows of a larger result and how many there are', async () => {
    const lines = await whole({ input: 'units sold by product', sessionSettings: someone() });
    const [result] = toolResults(lines, 'serviceSqlApi');
    expect(result?.['totalRows']).toBe(407);
    expect(result?.['data']).toHaveLength(100);
    expect(Object.keys(result ?? {}).sort()).toEqual(
      ['data', 'description', 'queryTitle', 'schema', 'sqlQuery', 'totalRows', 'userRequest', 'uuid', 'vegaSpec'],
    ); // prettier-ignore
    const spec = JSON.parse(String(result?.['vegaSpec'])) as Record<string, unknown>;
    expect(spec['$schema']).toBe('https://vega.github.io/schema/vega-lite/v5.json');
    expect(spec).not.toHaveProperty('data');
  });

  it('outlives the process: a thread is there after a restart', async () => {
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(':memory:');
    const sessionSettings = someone();
    const first = mountApis({ engine: chunks.engine, deps: { database } });
    const lines = await linesOf(await first.chat(stream, { input: 'hello', sessionSettings }));
    await first.close();
    const second = mountApis({ engine: chunks.engine, deps: { database } });
    const read = await linesOf(await second.chat(stream, { chatId: chatIdOf(lines), sessionSettings }));
    expect(messagesOf(history(read))).toEqual(stateOf(lines));
    await second.close();
  });
});

describe('a thread that is streaming', () => {
  const question = { input: 'orders by status' };

  /** Sends a question and reads until the answer has begun. */
  async function begin(): Promise<{
    readonly body: object;
    readonly chatId: string;
    readonly reader: LineReader;
    readonly seen: readonly ChatLine[];
  }> {
    const body = { ...question, messageId: newMessageId(), sessionSettings: someone() };
    const reader = new LineReader(await chunks.chat(stream, body));
    const seen = await clock.run(reader.until((line) => line.graphPath?.[0] === 'final' && line.content !== ''));
    return { body, chatId: chatIdOf(seen), reader, seen };
  }

  it('refuses another message', async () => {
    const { body, chatId, reader } = await begin();
    for (const messageId of [undefined, newMessageId()]) {
      const refused = await chunks.chat(stream, { ...body, chatId, messageId });
      expect([refused.status, await refused.json()]).toEqual([409, { error: 'Streaming for thread is in progress' }]);
    }
    const lines = await clock.run(reader.rest());
    expect(lines.at(-1)?.id).toBe('__usage__');
  });

  it('says how it stands to who reads it', async () => {
    const { body, chatId, reader } = await begin();
    const read = await linesOf(await chunks.chat(stream, { ...body, input: undefined, messageId: undefined, chatId }));
    expect(read.at(-1)).toMatchObject({ id: '__cutoff__', state: { isStreaming: true, chatId } });
    await clock.run(reader.rest());
  });

  it('lets a second connection follow the same answer', async () => {
    const { body, chatId, reader } = await begin();
    const other = new LineReader(await chunks.chat(stream, { ...body, chatId }));
    const [mine, theirs] = await clock.run(Promise.all([reader.rest(), other.rest()]));
    const cut = theirs.findIndex(isCutoff);
    expect(theirs[cut]).toMatchObject({ state: { isStreaming: true } });
    expect(theirs.slice(cut + 1)).toEqual(mine);
  });

  it('continues without a reader, and is sent whole afterwards, once', async () => {
    const { body, chatId, reader } = await begin();
    await reader.cancel();
    const read = async (): Promise<readonly ChatLine[]> =>
      linesOf(await chunks.chat(stream, { ...body, chatId, input: undefined, messageId: undefined }));
    const isOver = async (): Promise<boolean> => (await read()).some((line) => line.id === '__state__');
    await clock.run(Promise.resolve(expect.poll(isOver).toBe(true)));
    const again = await whole({ ...body, chatId });
    expect(history(again).filter((line) => line.role === 'user')).toHaveLength(1);
    expect(again.find(isCutoff)?.state?.isStreaming).toBe(false);
    expect(finalAnswer(again)).toContain('Number of orders');
  });

  it('loses and doubles nothing over any number of dropped connections', async () => {
    const drops = fc.array(fc.record({ lines: fc.nat(25), ms: fc.nat(400) }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(drops, async (plan) => {
        const body: Record<string, unknown> = { ...question, messageId: newMessageId(), sessionSettings: someone() };
        for (const { lines, ms } of plan) {
          const reader = new LineReader(await chunks.chat(stream, body));
          for (let count = 0; count <= lines; count++) {
            const line = await clock.run(reader.next());
            if (!line) break;
            if (isCutoff(line)) body['chatId'] = line.state?.chatId;
          }
          await reader.cancel();
          await clock.advance(ms);
        }
        const last = await whole(body);
        expect(messagesOf(last)).toEqual(stateOf(last));
        expect(last.filter((line) => line.role === 'user' && line.id === body['messageId'])).toHaveLength(1);
        expect(finalAnswer(last)).toContain('**Number of orders by status**');
      }),
      { numRuns: 12 },
    );
  });
});
