import { describe, expect, it } from 'vitest';
import type { TargetState } from '#chat-core/ports.ts';
import { erasedTimes, eraseTexts } from '#shell/erased-texts.ts';
import { lastThread } from '#features/chat/last-threads.ts';
import { ChatModel } from '#features/chat/page/model.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { MemoryState } from '#support/memory-state.ts';
import { recordedLines } from '#support/chat/recorded-transport.ts';
import { offered, surfaceDesk } from '#support/chat/surface-desk.ts';

type Desk = ReturnType<typeof surfaceDesk>;

const signedOut: TargetState = { kind: 'missing', what: 'account', message: 'Sign in.' };
const offline: TargetState = { kind: 'missing', what: 'connection', message: 'The tenant cannot be reached.' };
const scope = 'ada https://example.com';

/** A page on a real surface; both begin again when the window is reloaded, with what VS Code keeps. */
class ChatWindow {
  readonly #files = new MemoryFiles();
  readonly #state = new MemoryState();
  #saved: unknown;
  desk!: Desk;
  model!: ChatModel;

  #account = 'ada';

  /** The account that the window shows: empty after a sign-out. */
  signIn(account: string): void {
    this.#account = account;
    this.desk.target.set(account === '' ? signedOut : this.desk.ready('main', scope));
    this.desk.owner.set({ account, erased: erasedTimes(this.#state) });
    this.read();
  }

  /** What is stored of the window, by VS Code and by the extension. */
  get stored(): string {
    return JSON.stringify([this.#saved, this.#state.keys().map((key) => this.#state.get(key))]);
  }

  /** Signs out, and erases what the account has typed. */
  async erase(): Promise<void> {
    const account = this.#account;
    this.signIn('');
    await eraseTexts({ user: this.#state, workspace: new MemoryState() }, account, 5);
    this.desk.owner.set({ account: '', erased: erasedTimes(this.#state) });
    this.read();
  }

  /** What a version without texts of accounts has stored of a window. */
  async leftByEarlierVersion(draft: string, attachment: string): Promise<void> {
    this.#saved = { thread: 'gone', drafts: { new: draft }, setAside: [], switched: {} };
    const attachments = [{ id: attachment, label: attachment, detail: 'a.yml', text: 'cube' }];
    await this.#state.set('modelbench.chat.unsentAttachments', [['here', { attachments, askedAbout: [] }]]);
  }

  async open(): Promise<this> {
    this.desk = surfaceDesk(this.#files, lastThread(this.#state, 'here'), this.#state);
    const { desk } = this;
    desk.target.set(desk.ready('main', scope));
    desk.owner.set({ account: this.#account, erased: erasedTimes(this.#state) });
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
    ['a lost connection', ({ desk }) => desk.target.set(offline)],
    [
      'a sign-out and a sign-in',
      (window) => {
        window.signIn('');
        window.signIn('ada');
      },
    ],
    [
      'the work of another account',
      async (window) => {
        window.signIn('bob');
        window.model.setDraft('From Bob');
        window.desk.surface.attach({ id: 'bobs', label: 'b', detail: 'b.yml', text: 'cube' });
        await window.open();
        window.signIn('ada');
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

  it('is shown to its account only, with its attachments', async () => {
    const window = await new ChatWindow().open();
    window.model.setDraft('How many orders?');
    window.desk.surface.attach({ id: 'orders', label: 'orders', detail: 'a.yml', text: 'cube' });
    window.model.switchContext('selection', false);
    for (const account of ['', 'bob']) {
      window.signIn(account);
      expect(window.question).toEqual(['', [], ['file']]);
      await window.open();
      expect(window.question).toEqual(['', [], ['file']]);
    }
  });

  it('goes to the account that is signed in next, also from an earlier version', async () => {
    const window = await new ChatWindow().open();
    window.signIn('');
    window.model.setDraft('How many orders?');
    window.desk.surface.attach({ id: 'orders', label: 'orders', detail: 'a.yml', text: 'cube' });
    window.model.switchContext('selection', false);
    window.signIn('ada');
    expect(window.question).toEqual(written);
    window.signIn('bob');
    expect(window.question).toEqual(['', [], ['file']]);
    const earlier = new ChatWindow();
    await earlier.leftByEarlierVersion('How many orders?', 'orders');
    await earlier.open();
    expect(earlier.question).toEqual(['How many orders?', ['orders'], ['file', 'selection']]);
  });

  it('is erased with its account, in an open window and after a reload, and the next one stays', async () => {
    for (const isOpen of [true, false]) {
      const window = await new ChatWindow().open();
      window.model.setDraft('How many orders?');
      window.desk.surface.attach({ id: 'orders', label: 'orders', detail: 'a.yml', text: 'cube text' });
      await window.erase();
      if (!isOpen) await window.open();
      expect(window.stored).not.toMatch(/How many orders|cube text/);
      window.signIn('ada');
      expect(window.question).toEqual(['', [], ['file', 'selection']]);
      window.model.setDraft('Why?');
      await window.open();
      expect(window.question).toEqual(['Why?', [], ['file', 'selection']]);
    }
  });
});
