import { describe, expect, it } from 'vitest';
import { Store } from '#base/store.ts';
import type { HostToReview, ReviewDocument, ReviewInput, ReviewToHost } from '#features/review/messages.ts';
import { ReviewSession } from '#features/review/review-session.ts';
import type { ReviewSource, RowTexts } from '#features/review/source.ts';
import { reviewDocument, reviewRow } from '#support/review.ts';

const input: ReviewInput = { message: '', options: [], typed: '' };

function open(first: Partial<ReviewDocument> = {}, more: Partial<ReviewSource> = {}) {
  const document = new Store<ReviewDocument | undefined>(reviewDocument(first));
  const done: unknown[] = [];
  const heard: HostToReview[] = [];
  const source: ReviewSource = {
    key: 'push',
    accountId: undefined,
    document,
    tick: (ids, isTicked) => {
      done.push(['tick', ids, isTicked]);
      document.update((now) => now && { ...now, ticked: new Set(isTicked ? ids : []) });
    },
    texts: (id): Promise<RowTexts> => Promise.resolve({ before: 'a\n', after: `a\n${id}\n`, changes: ['added x'] }),
    diff: (id) => Promise.resolve(done.push(['diff', id])),
    apply: (given) => Promise.resolve(Boolean(done.push(['apply', given]))),
    close: () => void done.push('close'),
    ...more,
  };
  const accounts = new Store<readonly { readonly id: string }[]>([{ id: 'ada' }, { id: 'bob' }]);
  const session = new ReviewSession(source, {
    accounts,
    post: (message) => void heard.push(message),
    ask: (question) => Promise.resolve(void done.push(question)),
    end: () => {
      done.push('end');
      session.dispose();
    },
  });
  const tell = async (message: ReviewToHost): Promise<void> => session.receive(message);
  const kinds = (): readonly string[] => heard.map(({ type }) => type);
  return { accounts, document, done, heard, session, tell, kinds };
}

describe('a review', () => {
  it('is silent until its page is ready, then sends the rows and the state', async () => {
    const { heard, tell, kinds } = open();
    expect(heard).toEqual([]);
    await tell({ type: 'ready' });
    expect(kinds()).toEqual(['rows', 'state']);
    expect(heard[1]).toMatchObject({ title: 'Push to dev', ticked: ['a.yml'], opensAll: false, explains: false });
  });

  it('ends when the user signs out of the account whose data it shows, and of no other', async () => {
    const { accounts, done, tell } = open({}, { accountId: 'ada' });
    await tell({ type: 'ready' });
    accounts.set([{ id: 'ada' }]);
    expect(done).toEqual([]);
    accounts.set([{ id: 'bob' }]);
    expect(done).toEqual(['end', 'close']);
  });

  it('of no account stays open', () => {
    const { accounts, done } = open();
    accounts.set([]);
    expect(done).toEqual([]);
  });

  it('sends the rows again only when one of them changed', async () => {
    const { document, heard, tell, kinds } = open();
    await tell({ type: 'ready' });
    await tell({ type: 'tick', ids: ['b.yml'], isTicked: true });
    document.update((now) => now && { ...now, groups: now.groups.map((group) => ({ ...group })) });
    expect(kinds()).toEqual(['rows', 'state', 'state', 'state']);
    expect(heard.at(-1)).toMatchObject({ ticked: ['b.yml'] });
    document.update((now) => now && { ...now, groups: [{ id: 'g', label: 'G', rows: [reviewRow('c.yml')] }] });
    expect(kinds().slice(4)).toEqual(['rows', 'state']);
  });

  it('refuses what was pressed on the page of a review with the same rows, whose tab it took over', async () => {
    const { document, done, session, tell } = open();
    await tell({ type: 'ready' });
    const heard: HostToReview[] = [];
    const merged: ReviewInput[] = [];
    const apply = async (given: ReviewInput): Promise<boolean> => Promise.resolve(merged.push(given) > 0);
    const deps = {
      accounts: new Store<readonly { readonly id: string }[]>([]),
      post: (message: HostToReview) => void heard.push(message),
      ask: async () => {},
      end: () => {},
    };
    const next = new ReviewSession({ ...session.source, document, apply, close: () => {} }, deps, session);
    session.dispose();
    await next.receive({ type: 'ready' });
    await next.receive({ type: 'apply', version: 1, input });
    expect([merged, heard.at(-1)?.type]).toEqual([[], 'notice']);
    await next.receive({ type: 'apply', version: 2, input });
    expect([merged, done]).toEqual([[input], ['close']]);
  });

  it('carries out what the page showed, and refuses where other rows are there by now', async () => {
    const { document, done, heard, tell } = open();
    await tell({ type: 'ready' });
    const version = heard.find(({ type }) => type === 'rows');
    const shown = version?.type === 'rows' ? version.version : -1;
    document.update((now) => now && { ...now, groups: [{ id: 'g', label: 'G', rows: [reviewRow('new.yml')] }] });
    await tell({ type: 'apply', version: shown, input });
    expect([done, heard.at(-1)]).toEqual([
      [],
      { type: 'notice', text: 'The list has just changed. Review it and try again.' },
    ]);
    await tell({ type: 'apply', version: shown + 1, input });
    expect(done).toEqual([['apply', input], 'end', 'close']);
  });

  it('stays open with everything when the step fails', async () => {
    const { done, heard, tell } = open({}, { apply: () => Promise.reject(new Error('refused')) });
    await tell({ type: 'ready' });
    await expect(tell({ type: 'apply', version: 1, input })).rejects.toThrow('refused');
    expect([done, heard.at(-1)]).toMatchObject([[], { type: 'state', busy: '' }]);
  });

  it('does nothing while something speaks against it, or the confirmation is not typed', async () => {
    const { document, done, heard, tell } = open({ action: { label: 'Push', whyNot: 'Nothing is ticked.' } });
    await tell({ type: 'ready' });
    await tell({ type: 'apply', version: 1, input });
    expect(heard.at(-1)).toEqual({ type: 'notice', text: 'Nothing is ticked.' });
    document.set(
      reviewDocument({ groups: document.value?.groups ?? [], confirmation: { label: 'L', expected: 'Shop' } }),
    );
    await tell({ type: 'apply', version: 1, input: { ...input, typed: 'shop' } });
    expect(heard.at(-1)).toEqual({ type: 'notice', text: 'Type “Shop” to confirm.' });
    expect(done).toEqual([]);
    await tell({ type: 'apply', version: 1, input: { ...input, typed: 'Shop ' } });
    expect(done.slice(1)).toEqual(['end', 'close']);
  });

  it('carries a step out once, however often the button is pressed', async () => {
    let finish: (isDone: boolean) => void = () => undefined;
    let calls = 0;
    const apply = (): Promise<boolean> => {
      calls += 1;
      return new Promise((resolve) => (finish = resolve));
    };
    const { tell, heard } = open({}, { apply });
    await tell({ type: 'ready' });
    const first = tell({ type: 'apply', version: 1, input });
    await tell({ type: 'apply', version: 1, input });
    expect([calls, heard.at(-1)]).toMatchObject([1, { busy: 'Working…' }]);
    finish(false);
    await first;
    expect(heard.at(-1)).toMatchObject({ busy: '' });
  });

  it('sends the difference of a row, and why there is none', async () => {
    const { heard, tell } = open();
    await tell({ type: 'ready' });
    await tell({ type: 'select', id: 'a.yml' });
    expect(heard.slice(2)).toMatchObject([
      { type: 'detail', id: 'a.yml', state: 'loading' },
      { state: 'ready', changes: ['added x'], lines: [{ kind: 'same' }, { kind: 'added', text: 'a.yml' }], more: 0 },
    ]);
    const failing = open({}, { texts: () => Promise.reject(new Error('gone')) });
    await failing.tell({ type: 'ready' });
    await failing.tell({ type: 'select', id: 'a.yml' });
    expect(failing.heard.at(-1)).toMatchObject({ state: 'failed', text: 'gone' });
  });

  it('asks the agent about a row, with what it changes', async () => {
    const { done, tell } = open();
    await tell({ type: 'ready' });
    await tell({ type: 'ask', id: 'a.yml' });
    expect(done).toMatchObject([{ ask: '/review ', attached: [{ label: 'Changes of a.yml' }] }]);
    const [{ attached }] = done as [{ attached: readonly { text: string }[] }];
    expect(attached[0]?.text).toMatchInlineSnapshot(`
      "added x
      --- a.yml
      +++ a.yml
      @@ -1,1 +1,2 @@
       a
      +a.yml"
    `);
  });

  it('ends when its source has nothing to review any more, and notifies the source once', () => {
    const { document, done, session } = open();
    document.set(undefined);
    session.dispose();
    expect(done).toEqual(['end', 'close']);
  });
});
