import { describe, expect, it } from 'vitest';
import type { TargetState } from '#chat-core/ports.ts';
import { lastThread } from '#features/chat/last-threads.ts';
import { ChatModel } from '#features/chat/page/model.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { MemoryState } from '#support/memory-state.ts';
import { recordedLines } from '#support/chat/recorded-transport.ts';
import { offered, surfaceDesk } from '#support/chat/surface-desk.ts';

type Desk = ReturnType<typeof surfaceDesk>;

const signedOut: TargetState = { kind: 'missing', what: 'account', message: 'Sign in.' };
const scope = 'ada https://example.com';

/** A page on a real surface; both begin again when the window is reloaded, with what VS Code keeps. */
class ChatWindow {
  readonly #files = new MemoryFiles();
  readonly #state = new MemoryState();
  #saved: unknown;
  desk!: Desk;
  model!: ChatModel;

  async open(): Promise<this> {
    this.desk = surfaceDesk(this.#files, lastThread(this.#state, 'here'), this.#state);
    const { desk } = this;
    desk.target.set(desk.ready('main', scope));
    const ready: Promise<void>[] = [];
    let read = 0;
    this.model = new ChatModel(
      {
        post: (message) => void ready.push(desk.send(message)),
        saved: () => structuredClone(this.#saved),
        save: (state) => (this.#saved = structuredClone(state)),
        listen: (listener) => {
          this.read = (): void => {
            for (const message of desk.posted.slice(read)) listener(message);
            read = desk.posted.length;
          };
        },
      },
      { now: () => 0, later: (_, work) => work(), drawn: (work) => work(0) },
    );
    desk.hasOpen(offered('file', true), offered('selection', true));
    await Promise.all(ready);
    this.read();
    return this;
  }

  /** Hands the host's messages to the page. */
  read: () => void = () => undefined;

  /** What the user has written and chosen. */
  get question(): unknown {
    this.read();
    const { draft, attachments, contextOn } = this.model;
    return [draft.value, attachments.value.map(({ id }) => id), contextOn.value];
  }
}

describe('an unsent question', () => {
  const written = ['How many orders?', ['orders'], ['file']];

  it.each<readonly [string, (window: ChatWindow) => unknown]>([
    ['a reload of the window', (window) => window.open()],
    ['a sign-out', ({ desk }) => desk.target.set(signedOut)],
    [
      'a sign-out and a sign-in',
      ({ desk }) => {
        desk.target.set(signedOut);
        desk.target.set(desk.ready('main', scope));
      },
    ],
    ['a switch of the branch', ({ desk }) => desk.target.set(desk.ready('dev-1', scope))],
    ['a switch of the deployment or agent', ({ desk }) => desk.target.set(desk.ready('main', 'other'))],
    ['the end of the account', ({ desk }) => desk.service.forgetAccount('ada')],
    ['a refresh of the list of threads', ({ desk }) => desk.service.refresh()],
    ['the deletion of all threads', ({ desk }) => desk.service.removeAll()],
  ])('survives %s, on a new thread and on one with answers', async (_name, happen) => {
    for (const hasAnswers of [false, true]) {
      const window = await new ChatWindow().open();
      if (hasAnswers) {
        window.desk.transport.answer(recordedLines('by-status'));
        await window.desk.send({ type: 'send', prompt: 'By status?', branch: 'ask' });
        await window.desk.clock.advance(100);
        await window.desk.service.flush();
        window.read();
      }
      window.model.setDraft('How many orders?');
      window.desk.surface.attach({ id: 'orders', label: 'orders', detail: 'a.yml', text: 'cube' });
      window.model.switchContext('selection', false);
      expect(window.question).toEqual(written);
      await happen(window);
      expect(window.question).toEqual(written);
      await window.open();
      expect(window.question).toEqual(written);
    }
  });
});
