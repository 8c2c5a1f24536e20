import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostToView, ViewHeader, ViewOwner, ViewTurn } from '#features/chat/messages.ts';
import { ChatModel } from '#features/chat/page/model.ts';
import { header, turn, turnHead } from './chat-stage.tsx';

/** A view whose state survives its pages, as VS Code keeps it. */
class View {
  #state: unknown;
  #owner: ViewOwner | undefined;
  #tell: (message: HostToView) => void = () => undefined;
  #epoch = 0;
  #seq = 0;
  #shown: { readonly key: string; turns: readonly ViewTurn[] };
  #threads: readonly string[];
  model!: ChatModel;

  constructor(key: string, threads: readonly string[] = []) {
    this.#threads = threads;
    this.#shown = { key, turns: threads.includes(key) ? [turn([])] : [] };
    this.reload();
  }

  /** The page is drawn again: a reload, a view that was moved, or a new extension host. */
  reload(key = this.#shown.key): void {
    this.model = new ChatModel(
      {
        post: () => undefined,
        saved: () => structuredClone(this.#state),
        save: (state) => (this.#state = structuredClone(state)),
        listen: (listener) => (this.#tell = listener),
      },
      { now: () => 0, later: (_, work) => work(), drawn: (work) => work(0) },
    );
    this.show(key);
  }

  show(key: string): void {
    if (key !== this.#shown.key) this.#shown = { key, turns: this.#threads.includes(key) ? [turn([])] : [] };
    this.#epoch += 1;
    this.#seq = 0;
    const { turns } = this.#shown;
    this.#tell({
      ...{ type: 'snapshot', epoch: this.#epoch, seq: 0, header: this.#header, attachments: [] },
      thread: { key, title: '', elsewhere: false, turns: [...turns], earlier: 0, queued: [] },
      threads: this.#items,
    });
  }

  /** Threads are deleted here, in another window, or with the account. */
  remove(key: string): void {
    this.#threads = this.#threads.filter((other) => other !== key);
    this.#tell({ type: 'threads', threads: this.#items });
    if (this.#shown.key === key) this.show(`after-${key}`);
  }

  /** The composer's words are sent. */
  send(): string {
    const words = this.model.draft.value;
    this.model.handOver(words);
    return words;
  }

  /** The host has made a turn of them. */
  taken(words: string): void {
    const head = turnHead({ id: `${this.#epoch}-${this.#seq}`, prompt: words });
    this.#shown = { ...this.#shown, turns: [...this.#shown.turns, { head, messages: [] }] };
    this.#threads = [...new Set([...this.#threads, this.#shown.key])];
    this.#seq += 1;
    this.#tell({ type: 'patch', epoch: this.#epoch, seq: this.#seq, ops: [{ op: 'turn', head }] });
  }

  refuse(prompt: string): void {
    this.#tell({ type: 'refused', prompt, reason: 'missing', message: 'Sign in first.' });
  }

  /** The window shows an account; an empty text stands for a user who is signed out. */
  shows(account: string, erased: Readonly<Record<string, number>> = this.#owner?.erased ?? {}): void {
    this.#owner = { account, erased };
    this.#tell({ type: 'header', header: this.#header });
  }

  /** What VS Code stores of the page. */
  get stored(): string {
    return JSON.stringify(this.#state);
  }

  compose(text: string): void {
    this.#tell({ type: 'compose', text, replace: true });
  }

  /** What the user can still get back: in the composer of some thread, or with ↑. */
  get reachable(): readonly string[] {
    const here = [this.model.draft.value, ...this.model.earlier];
    const shown = this.#shown.key;
    const others = this.#threads.filter((key) => key !== shown).map((key) => this.#draftOf(key));
    const fresh = this.#draftOf('fresh');
    this.show(shown);
    return [...here, ...others, fresh];
  }

  #draftOf(key: string): string {
    this.show(key);
    return this.model.draft.value;
  }

  get #header(): ViewHeader {
    return { ...header, owner: this.#owner };
  }

  get #items() {
    return this.#threads.map((key) => ({ key, title: key, updatedAt: 1, running: false, elsewhere: false }));
  }
}

describe('a draft', () => {
  it('comes back where the extension host ended before it made a question of it', () => {
    const view = new View('a', ['a']);
    view.model.setDraft('How many?');
    view.send();
    expect(view.model.draft.value).toBe('');
    view.reload();
    expect(view.model.draft.value).toBe('How many?');
  });

  it('does not come back once it is a question', () => {
    const view = new View('a');
    view.model.setDraft('How many?');
    view.taken(view.send());
    view.reload();
    expect(view.model.draft.value).toBe('');
  });

  it('stays where its thread is deleted elsewhere while it is written', () => {
    const view = new View('a', ['a', 'b']);
    view.model.setDraft('How many?');
    view.remove('a');
    expect(view.model.draft.value).toBe('How many?');
    view.reload();
    expect(view.model.draft.value).toBe('How many?');
  });

  it('is kept aside where its thread is deleted while another one is shown', () => {
    const view = new View('a', ['a', 'b']);
    view.model.setDraft('How many?');
    view.show('b');
    view.remove('a');
    expect(view.model.draft.value).toBe('');
    expect(view.model.earlier).toContain('How many?');
  });

  it('stays while a refused question is asked again', () => {
    const view = new View('a', ['a']);
    view.model.setDraft('before');
    const words = view.send();
    view.model.setDraft('next');
    view.refuse(words);
    view.model.handOver(words);
    expect(view.model.draft.value).toBe('next');
  });

  it('belongs to its thread although the first question came in a snapshot', () => {
    const view = new View('a');
    view.model.setDraft('first');
    const words = view.send();
    view.model.setDraft('second');
    view.taken(words);
    view.show('a');
    view.reload();
    expect(view.model.draft.value).toBe('second');
  });

  it('of more threads than are kept is kept aside', () => {
    const keys = Array.from({ length: 22 }, (_, at) => `t${at}`);
    const view = new View('t0', keys);
    for (const key of keys) {
      view.show(key);
      view.model.setDraft(`draft of ${key}`);
    }
    expect(view.model.earlier).toEqual(expect.arrayContaining(['draft of t0', 'draft of t1']));
  });

  it('is never lost, whatever happens around it', () => {
    const act = fc.constantFrom(
      'type',
      'type',
      'send',
      'sendLost',
      'refused',
      'compose',
      'show',
      'new',
      'remove',
      'reload',
    );
    const step = fc.record({ act, thread: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 18 }), (steps) => {
        const view = new View('a', ['a', 'b', 'c']);
        const written = new Set<string>();
        for (const [at, { act: what, thread }] of steps.entries()) {
          if (what === 'type') {
            // Words are added to what is there: deleting them is the user's own wish.
            written.delete(view.model.draft.value);
            view.model.setDraft(`${view.model.draft.value} w${at}`);
            written.add(view.model.draft.value);
          } else if (what === 'send') {
            const words = view.send();
            if (words !== '') view.taken(words);
            written.delete(words);
          } else if (what === 'sendLost') {
            view.send();
            view.reload();
          } else if (what === 'refused') {
            const words = view.send();
            if (words !== '') view.refuse(words);
          } else if (what === 'compose') view.compose('/fix ');
          else if (what === 'show') view.show(thread);
          else if (what === 'new') view.show(`new-${at}`);
          else if (what === 'remove') view.remove(thread);
          else view.reload();
        }
        const found = view.reachable;
        expect([...written].filter((text) => !found.includes(text))).toEqual([]);
      }),
    );
  });
});

/** What happens around a text that is being written. */
function around(view: View, what: string, thread: string): void {
  if (what === 'send') view.send();
  else if (what === 'compose') view.compose('/fix ');
  else if (what === 'thread') view.show(thread);
  else if (what === 'remove') view.remove(thread);
  else view.reload();
}

describe('the unsent texts of an account', () => {
  const asked = 'How many orders?';

  it('are hidden while another account or none is shown, and come back with the sign-in', () => {
    const view = new View('a', ['a']);
    view.shows('ada');
    view.model.setDraft('How many?');
    view.compose('Why?');
    for (const account of ['', 'bob', '']) {
      view.shows(account);
      expect([view.model.draft.value, view.model.earlier]).toEqual(['', [asked]]);
      view.reload();
    }
    view.shows('ada');
    expect([view.model.draft.value, view.model.earlier]).toEqual(['Why?', [asked, 'How many?']]);
  });

  it('are those of the user who wrote them before there were accounts, or before the sign-in', () => {
    const view = new View('a', ['a', 'b']);
    view.model.setDraft('How many?');
    view.show('b');
    view.model.setDraft('Why?');
    view.shows('ada');
    expect(view.model.draft.value).toBe('Why?');
    view.shows('');
    view.model.setDraft('Which?');
    view.shows('ada');
    expect([view.model.draft.value, view.model.earlier]).toEqual(['Which?', [asked, 'Why?']]);
    view.show('a');
    expect(view.model.draft.value).toBe('How many?');
    view.shows('bob');
    expect([view.model.draft.value, view.model.earlier]).toEqual(['', [asked]]);
  });

  it('are gone from an open page, and from one that is restored, when the account is erased', () => {
    const [open, restored] = [new View('a', ['a']), new View('a', ['a'])];
    for (const view of [open, restored]) {
      view.shows('ada');
      view.model.setDraft('How many?');
      view.shows('');
    }
    open.shows('', { ada: 5 });
    restored.shows('ada', { ada: 5 });
    restored.reload();
    for (const view of [open, restored]) {
      expect(view.stored).not.toContain('How many?');
      view.shows('ada');
      view.model.setDraft('After the next sign-in');
      view.reload();
      expect(view.model.draft.value).toBe('After the next sign-in');
    }
  });

  it('come back where an empty text was sent without an account', () => {
    const view = new View('a', ['a']);
    view.shows('bob');
    view.model.setDraft('How many?');
    view.send();
    view.shows('');
    view.send();
    view.shows('bob');
    view.reload();
    expect(view.model.draft.value).toBe('How many?');
  });

  it('are never lost, erased with their account only, and never another account’s', () => {
    const act = fc.constantFrom('type', 'type', 'show', 'erase', 'compose', 'send', 'reload', 'thread', 'remove');
    const step = fc.record({ act, account: fc.constantFrom('', 'ada', 'bob'), thread: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 24 }), (steps) => {
        const view = new View('a', ['a', 'b', 'c']);
        let account = '';
        /** Each text, and whose it is. */
        const written = new Map<string, string>();
        const erased: string[] = [];
        const show = (next: string, times?: Readonly<Record<string, number>>): void => {
          account = next;
          view.shows(next, times);
          for (const [text, owner] of written) if (owner === '' && next !== '') written.set(text, next);
        };
        const times: Record<string, number> = {};
        for (const [at, { act: what, account: other, thread }] of steps.entries()) {
          const draft = view.model.draft.value;
          if (what === 'type') {
            written.delete(draft);
            view.model.setDraft(`${draft} w${at}.`);
            written.set(view.model.draft.value, account);
          } else if (what === 'show') show(other);
          else if (what === 'erase' && other !== '') {
            if (account === other) show('');
            for (const [text, owner] of written) if (owner === other) erased.push(text);
            for (const text of erased) written.delete(text);
            times[other] = at + 1;
            show(account, { ...times });
          } else around(view, what, thread);
          expect(erased.filter((text) => view.stored.includes(JSON.stringify(text)))).toEqual([]);
          const shown = [view.model.draft.value, ...view.model.earlier];
          expect(shown.filter((text) => (written.get(text) ?? account) !== account)).toEqual([]);
        }
        // First those without an account: they become those of the next one.
        for (const [text, owner] of [...written].sort(([, a], [, b]) => a.localeCompare(b))) {
          view.shows(owner);
          // What was on its way to the host comes back with the next page.
          view.reload();
          expect(view.reachable).toContain(text);
        }
      }),
    );
  });
});
