import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostToView, ViewMessage, ViewTurn, ViewTurnHead } from '#features/chat/messages.ts';
import { findings } from './axe.ts';
import { ChatStage } from './stage.ts';
import { themes } from './themes.ts';
import { tooWide } from './widths.ts';

type Snapshot = Extract<HostToView, { readonly type: 'snapshot' }>;
interface State {
  readonly turns?: readonly ViewTurn[];
  readonly thread?: Partial<Snapshot['thread']>;
  readonly header?: Partial<Snapshot['header']>;
  /** What comes after the snapshot. */
  readonly after?: readonly HostToView[];
}

const long = 'revenue_of_all_customers_in_the_northern_and_southern_regions_of_the_country';
const header: Snapshot['header'] = {
  target: { label: 'Shop analytics', agent: 'Analytics', branch: { name: `dev-ada-${long}`, isDefault: false } },
  examples: [],
  sendWith: 'enter',
  fontSize: 0,
};
const asked = (
  head: Partial<ViewTurnHead> = {},
  messages: readonly ViewMessage[] = [said('Revenue grew.')],
): ViewTurn => ({
  head: {
    ...{ id: '1700000000000-message', prompt: `Why did ${long} grow?`, attached: ['model/cubes/orders.yml'] },
    ...{ phase: 'complete', quiet: false, startedAt: 1_000, endedAt: 4_000, ...head },
  },
  messages: [...messages],
});
const failedCall: ViewMessage = {
  ...said(''),
  id: 't',
  isFinal: false,
  tool: {
    ...{ name: 'serviceSqlApi', state: 'failed', summary: 'Orders by status failed' },
    error: `Unknown column ${long}. Use the name of a measure.`,
    detail: { kind: 'other', input: '{}', result: '' },
  },
};
const offline = 'The platform cannot be reached. The answer continues as soon as it can be.';

function said(text: string): ViewMessage {
  return { id: 'f', text, thinking: '', isFinal: true, isInProcess: false };
}

const states: Readonly<Record<string, State>> = {
  missing: {
    header: { target: undefined, missing: { what: 'address', message: 'The address of the agent is missing.' } },
  },
  sending: { turns: [asked({ phase: 'sending', endedAt: undefined }, [])] },
  quiet: { turns: [asked({ phase: 'streaming', quiet: true, endedAt: undefined })] },
  offline: { turns: [asked({ phase: 'reconnecting', note: offline, endedAt: undefined })] },
  stopping: { turns: [asked({ phase: 'stopping', endedAt: undefined })] },
  unconfirmed: {
    turns: [
      asked({
        phase: 'stopped',
        note: 'The window was closed before the platform confirmed the stop; the answer may still be running there.',
      }),
    ],
  },
  unreachable: {
    turns: [asked({ phase: 'failed', problem: { kind: 'unreachable', message: `${long} could not be reached.` } })],
  },
  credential: {
    turns: [asked({ phase: 'failed', problem: { kind: 'credential', message: 'The key was refused.' } }, [])],
  },
  busy: {
    turns: [
      asked(
        { phase: 'failed', problem: { kind: 'busy', message: 'Another answer is still running on this thread.' } },
        [],
      ),
    ],
  },
  'failed call': { turns: [asked({}, [failedCall, said(`The column \`${long}\` does not exist.`)])] },
  queue: {
    turns: [asked({ phase: 'streaming', endedAt: undefined })],
    thread: {
      queued: [
        { id: 'a', text: `And what about ${long} of last year, by month?`, attached: ['orders.yml'], held: false },
        { id: 'b', text: 'And why?', attached: [], held: true },
      ],
    },
  },
  elsewhere: { turns: [asked()], thread: { elsewhere: true } },
  refused: {
    turns: [asked()],
    after: [
      {
        ...{ type: 'refused', prompt: 'And now?', reason: 'branchChanged' },
        message: `This thread began on dev-ada-${long}; the active branch is now main. Earlier answers may not apply there.`,
      },
    ],
  },
  earlier: { turns: [asked()], thread: { earlier: 40 } },
};

let stage: ChatStage;
beforeAll(async () => {
  stage = await ChatStage.open();
});
afterAll(() => stage.close());

describe('each state of the chat', () => {
  it.each(themes.map(({ name }) => name))('fits its view and is accessible in the %s theme', async (theme) => {
    const chat = await stage.chat(theme, { width: 350, height: 560 });
    let epoch = 1_000;
    for (const [name, { turns = [], thread = {}, header: more = {}, after = [] }] of Object.entries(states)) {
      epoch += 1;
      const snapshot: Snapshot = {
        ...{ type: 'snapshot', epoch, seq: 0, threads: [], attachments: [] },
        thread: { key: name, title: name, elsewhere: false, turns: [...turns], earlier: 0, queued: [], ...thread },
        header: { ...header, ...more },
      };
      for (const message of [snapshot, ...after])
        await chat.page.evaluate((data) => window.postMessage(data, '*'), message);
      await chat.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      for (const width of [250, 350, 600]) {
        await chat.page.setViewportSize({ width, height: 560 });
        await chat.picture(`states/${theme}-${name}-${width}`);
        await expect.poll(() => tooWide(chat.page)).toEqual([]);
      }
      expect(await findings(chat.page)).toEqual([]);
    }
    expect(chat.problems).toEqual([]);
    await chat.page.close();
  });
});
