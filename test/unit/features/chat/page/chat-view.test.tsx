// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TurnPhase, ViewProposal, ViewThreadItem } from '#features/chat/messages.ts';
import { header, message, show, snapshot, turn, turnHead } from './chat-stage.tsx';

afterEach(cleanup);

const field = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Question for the agent' });
const status = (): string | null => screen.getByRole('status').textContent;

describe('a message', () => {
  it('shows an answer as elements, hostile text as text, and what one does with it', () => {
    const answer = message({ text: 'It is **46**.\n\n<img src=x onerror=alert(1)>\n\n[on](javascript:alert(1))' });
    const { asked, container } = show(snapshot([turn([answer], { tokens: 1234 })]));
    const article = screen.getByRole('article', { name: 'Question: How many orders?' });
    expect(article.querySelector('strong')?.textContent).toBe('46');
    expect(container.querySelectorAll('img, script, [onerror]')).toHaveLength(0);
    expect(container.querySelectorAll('.answer a')).toHaveLength(0);
    expect(article.textContent).toContain('<img src=x onerror=alert(1)>');
    expect(article.textContent).toContain('3 s · 1,234 tokens');
    fireEvent.click(screen.getByRole('button', { name: 'Copy Answer' }));
    fireEvent.click(screen.getByRole('button', { name: 'Ask Again' }));
    expect(asked()).toEqual([
      { type: 'copy', text: answer.text },
      { type: 'retry', turn: turnHead().id },
    ]);
  });

  it('says when it was asked', () => {
    const { container } = show(snapshot([turn([message({ text: '46' })], { startedAt: Date.UTC(2026, 0, 2, 3, 4) })]));
    const time = container.querySelector('time');
    expect(time?.dateTime).toBe('2026-01-02T03:04:00.000Z');
    expect(time?.textContent).toMatch(/\d/);
  });

  it('shows no number of tokens where none is known', () => {
    show(snapshot([turn([message({ text: 'Done' })], { tokens: 0 })]));
    const article = screen.getByRole('article', { name: 'Question: How many orders?' });
    expect(article.textContent).toContain('3 s');
    expect(article.textContent).not.toContain('tokens');
  });

  // @shows chat-complaint-12
  it('is edited and asked again from the question, in the composer', () => {
    const { model } = show(snapshot([turn([message({ text: '46' })])]));
    fireEvent.click(screen.getByRole('button', { name: 'Edit and Ask Again' }));
    expect(model.draft.value).toBe('How many orders?');
    expect(field().value).toBe('How many orders?');
  });

  it('says on which branch it was asked once another one is active', () => {
    const asked = { branch: { name: 'main', isDefault: true } };
    const { container, tell } = show(snapshot([turn([message({ text: '46' })], asked)]));
    expect(container.querySelector('.prompt')?.textContent).toContain('Asked on main');
    tell({ type: 'header', header: { ...header, target: { label: 'Shop analytics', ...asked } } });
    expect(container.querySelector('.prompt')?.textContent).not.toContain('Asked on');
  });

  it('shows the final answer and folds every step on the way', () => {
    const words = (id: string, text: string, isFinal: boolean) => message({ id, text, isFinal });
    const { container } = show(snapshot([turn([words('s', 'First I look.', false), words('f', 'It is 46.', true)])]));
    expect(container.querySelector('.answer > .markdown')?.textContent).toBe('It is 46.');
    expect(container.textContent).not.toContain('First I look.');
  });

  // @shows chat-complaint-17
  it('keeps thinking folded and out of the answer', () => {
    const thought = message({ id: 's', isFinal: false, thinking: 'Let me see' });
    const { container } = show(snapshot([turn([thought, message({ text: '46' })])]));
    expect(container.textContent).not.toContain('Let me see');
    fireEvent.click(screen.getByText('Thought about it'));
    fireEvent.click(screen.getByText('Thought'));
    expect(container.querySelector('.thinking-text')?.textContent).toBe('Let me see');
  });

  it.each<[TurnPhase, object, string, readonly string[]]>([
    ['sending', {}, 'Sending…', []],
    ['streaming', {}, 'Thinking…', []],
    ['streaming', { quiet: true }, 'Still working; the platform has been silent for a while…', []],
    ['reconnecting', {}, 'Connection lost. Reconnecting…', []],
    ['reconnecting', { note: 'It is away.' }, 'It is away. Trying again until you stop it…', []],
    ['stopping', {}, 'Stopped here. Waiting for the platform to confirm…', []],
    ['interrupted', {}, 'The window was closed before the answer was complete.', ['Continue']],
    ['stopped', { note: 'It is gone.' }, 'Stopped. It is gone.', ['Ask Again']],
    ['failed', { problem: { kind: 'failed', message: 'Broke off.' } }, 'Broke off.', ['Retry']],
    ['failed', { problem: { kind: 'busy', message: 'Busy.' } }, 'Busy.', ['Follow That Answer', 'Retry']],
    ['failed', { problem: { kind: 'credential', message: 'No.' } }, 'No.', ['Change Credential…', 'Retry']],
  ])('says plainly that it is %s %j, with the button that helps', (phase, more, words, buttons) => {
    const { container } = show(snapshot([turn([], { phase, ...more })]));
    const answer = container.querySelector<HTMLElement>('.answer');
    expect(answer?.textContent).toContain(words);
    const names = [...(answer?.querySelectorAll('button') ?? [])].map((button) => button.textContent);
    expect(names).toEqual(buttons);
  });
});

describe('the view', () => {
  // @shows chat-complaint-15
  it('takes the font size of the setting', () => {
    const { tell } = show(snapshot([], { header: { ...header, fontSize: 17 } }));
    expect(document.body.style.fontSize).toBe('17px');
    tell({ type: 'header', header });
    expect(document.body.style.fontSize).toBe('');
  });

  // @shows chat-complaint-21
  it('colours code once its block is whole', () => {
    const running = (text: string) => message({ text, isInProcess: true });
    const { container, tell } = show(snapshot([turn([running('```sql\nSELECT 1')], { phase: 'streaming' })]));
    expect(container.querySelectorAll('pre [class^=hl-]')).toHaveLength(0);
    const { id } = turnHead();
    tell({
      type: 'patch',
      epoch: 1,
      seq: 1,
      ops: [{ op: 'append', turn: id, id: 'f', at: 15, text: '\n```\n\nDone' }],
    });
    expect(container.querySelector('pre .hl-keyword')?.textContent).toBe('SELECT');
  });
});

describe('the network', () => {
  it('is reported to the host when it is back', () => {
    const { asked } = show(snapshot([turn([message({ text: '46' })])]));
    window.dispatchEvent(new Event('online'));
    expect(asked()).toEqual([{ type: 'online' }]);
  });
});

describe('the status region', () => {
  // @shows chat-complaint-19
  it('is the only live one, and speaks of events, not of words', () => {
    const running = turn([message({ text: 'One', isInProcess: true })], { phase: 'streaming', endedAt: undefined });
    const { container, tell } = show(snapshot([running]));
    expect(
      container.querySelectorAll('[role=status], [aria-live=polite], [aria-live=assertive], [role=alert]'),
    ).toHaveLength(1);
    expect(screen.getByRole('log').getAttribute('aria-live')).toBe('off');
    const { id } = running.head;
    tell({ type: 'patch', epoch: 1, seq: 1, ops: [{ op: 'append', turn: id, id: 'f', at: 3, text: ' two' }] });
    expect(container.textContent).toContain('One two');
    expect(status()).toBe('');
    tell({ type: 'patch', epoch: 1, seq: 2, ops: [{ op: 'turn', head: turnHead() }] });
    expect(status()).toBe('Answer ready');
  });

  it('is the only live one beside proposed files too, and says once what the engine found', () => {
    const { container, tell } = show(snapshot([turn([message({ text: 'Done' })], { proposes: 2 })]));
    const file = (path: string, state: 'checking' | 'accepted' | 'refused'): ViewProposal => ({
      path,
      state: 'open',
      isNew: false,
      added: 1,
      removed: 0,
      canAccept: true,
      canUndo: false,
      isReviewed: true,
      engine: { state, text: `${path} is ${state}` },
    });
    const { id } = turnHead();
    tell({ type: 'proposals', turn: id, files: [file('a.yml', 'checking'), file('b.yml', 'checking')] });
    expect(container.querySelectorAll('[role=status], [aria-live=polite], [role=alert]')).toHaveLength(1);
    expect(status()).toBe('');
    tell({ type: 'proposals', turn: id, files: [file('a.yml', 'accepted'), file('b.yml', 'refused')] });
    expect(status()).toBe('b.yml is refused');
    const accepted = { ...file('a.yml', 'accepted'), state: 'accepted' } as const;
    tell({ type: 'proposals', turn: id, files: [accepted, file('b.yml', 'refused')] });
    expect(status()).toBe('a.yml accepted');
  });

  it('says at the click that the answer stops, and takes the next question at once', () => {
    const { asked } = show(snapshot([turn([], { phase: 'streaming' })]));
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(status()).toBe('Stopping');
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
    fireEvent.input(field(), { target: { value: 'And now?' } });
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(asked()).toEqual([{ type: 'stop' }, { type: 'send', prompt: 'And now?', branch: 'ask' }]);
  });
});

describe('the composer', () => {
  // @shows chat-complaint-10
  it('sends with Enter, breaks the line with Shift+Enter, and leaves Enter to a character being composed', () => {
    const { asked, model } = show(snapshot([]));
    fireEvent.input(field(), { target: { value: 'How many?' } });
    fireEvent.keyDown(field(), { key: 'Enter', shiftKey: true });
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 });
    expect(asked()).toEqual([]);
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(asked()).toEqual([{ type: 'send', prompt: 'How many?', branch: 'ask' }]);
    expect(model.draft.value).toBe('');
  });

  it('sends with Ctrl+Enter only when the setting says so', () => {
    const { asked } = show(snapshot([], { header: { ...header, sendWith: 'ctrlEnter' } }));
    fireEvent.input(field(), { target: { value: 'How many?' } });
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(asked()).toEqual([]);
    fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true });
    expect(asked()).toHaveLength(1);
  });

  // @shows chat-complaint-11
  it('keeps a draft for each thread, over reloads', () => {
    const begun = snapshot([turn([message({ text: '46' })])]);
    const { saved, tell, model } = show(begun);
    fireEvent.input(field(), { target: { value: 'first' } });
    tell({ ...begun, epoch: 2, thread: { ...begun.thread, key: 'other' } });
    expect(field().value).toBe('');
    tell({ ...begun, epoch: 3 });
    expect(field().value).toBe('first');
    expect(model.draft.value).toBe('first');
    cleanup();
    show(begun, saved.at(-1));
    expect(field().value).toBe('first');
  });

  it('keeps the draft of a new thread over a reload, which gives the thread another key', () => {
    const { saved } = show(snapshot([]));
    fireEvent.input(field(), { target: { value: 'first' } });
    cleanup();
    const again = show(snapshot([], { thread: { ...snapshot([]).thread, key: 'another' } }), saved.at(-1));
    expect(field().value).toBe('first');
    // Once a question was asked, what is written belongs to the thread, and a new one begins empty.
    again.tell({ type: 'patch', epoch: 1, seq: 1, ops: [{ op: 'turn', head: turnHead() }] });
    expect(field().value).toBe('first');
    again.tell(snapshot([], { epoch: 2 }));
    expect(field().value).toBe('');
  });

  it('keeps a draft that makes way for an earlier question, and recalls both with the arrow keys', () => {
    const { model } = show(snapshot([turn([message({ text: '46' })])]));
    fireEvent.input(field(), { target: { value: 'my draft' } });
    fireEvent.click(screen.getByRole('button', { name: 'Edit and Ask Again' }));
    expect(field().value).toBe('How many orders?');
    expect(status()).toContain('Press ↑');
    model.setDraft('');
    const press = (key: string): string => {
      fireEvent.keyDown(field(), { key });
      return model.draft.value;
    };
    field().setSelectionRange(0, 0);
    expect([press('ArrowUp'), press('ArrowUp'), press('ArrowUp')]).toEqual([
      'my draft',
      'How many orders?',
      'How many orders?',
    ]);
    expect([press('ArrowDown'), press('ArrowDown'), press('ArrowDown')]).toEqual(['my draft', '', '']);
  });

  it('keeps a refused question although another one is being written', () => {
    const { tell, model } = show(snapshot([]));
    fireEvent.input(field(), { target: { value: 'next' } });
    tell({ type: 'refused', prompt: 'before', reason: 'missing', message: 'Sign in first.' });
    expect(field().value).toBe('next');
    expect(model.earlier).toEqual(['before']);
  });

  it('shows questions that wait for the answer, and sends, edits or forgets them', () => {
    const queued = [
      { id: 'q1', text: 'And last year?', attached: ['orders.yml'], held: false },
      { id: 'q2', text: 'And why?', attached: [], held: true },
    ];
    const { asked, tell } = show(snapshot([turn([], { phase: 'streaming' })]));
    fireEvent.input(field(), { target: { value: 'And last year?' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send after this answer' }));
    tell({ type: 'patch', epoch: 1, seq: 1, ops: [{ op: 'queued', queued }] });
    const list = screen.getByRole('list', { name: 'Queued questions' });
    expect(list.textContent).toContain('Sent after this answer');
    expect(list.textContent).toContain('orders.yml');
    expect(within(list).queryByRole('button', { name: 'Send now: And last year?' })).toBeNull();
    fireEvent.click(within(list).getByRole('button', { name: 'Send now: And why?' }));
    fireEvent.click(within(list).getByRole('button', { name: 'Edit: And last year?' }));
    fireEvent.click(within(list).getByRole('button', { name: 'Do not send: And why?' }));
    expect(asked()).toEqual([
      { type: 'send', prompt: 'And last year?', branch: 'ask' },
      { type: 'queued', id: 'q2', action: 'send' },
      { type: 'queued', id: 'q1', action: 'edit' },
      { type: 'queued', id: 'q2', action: 'remove' },
    ]);
  });

  it('shows what is attached and takes it off again', () => {
    const attachments = [{ id: 'a', label: 'orders.yml', detail: 'model/cubes/orders.yml', size: 12, sent: 12 }];
    const { asked } = show(snapshot([], { attachments }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove orders.yml' }));
    fireEvent.click(screen.getByRole('button', { name: /^Attach File/ }));
    expect(asked()).toEqual([
      { type: 'detach', id: 'a' },
      { type: 'attach', what: 'pick' },
    ]);
  });

  it('gives a refused question back and asks where it should run', () => {
    const { asked, tell } = show(snapshot([turn([message({ text: '46' })])]));
    const words = 'This thread began on main; the active branch is now dev-ada.';
    tell({ type: 'refused', prompt: 'And now?', reason: 'branchChanged', message: words });
    expect(field().value).toBe('And now?');
    expect(status()).toBe(words);
    fireEvent.click(screen.getByRole('button', { name: 'Continue Here' }));
    expect(asked()).toEqual([{ type: 'send', prompt: 'And now?', branch: 'switch' }]);
    expect(field().value).toBe('');
  });

  it('cannot send without a target, or on a thread of another account', () => {
    show(
      snapshot([], { header: { ...header, target: undefined, missing: { what: 'address', message: 'Paste it.' } } }),
    );
    fireEvent.input(field(), { target: { value: 'How many?' } });
    expect(screen.getByRole('button', { name: 'Send' }).hasAttribute('disabled')).toBe(true);
    expect(screen.getByText('Paste it.')).toBeTruthy();
    cleanup();
    const thread = { ...snapshot([turn([message({ text: '46' })])]).thread, elsewhere: true };
    const { asked } = show(snapshot([], { thread }));
    fireEvent.input(field(), { target: { value: 'How many?' } });
    expect(screen.getByRole('button', { name: 'Send' }).hasAttribute('disabled')).toBe(true);
    expect(field().placeholder).toBe('Read only');
    const why = screen.getByRole('group', { name: 'Read only' });
    expect(why.textContent).toContain('it can be read, not continued');
    fireEvent.click(within(why).getByRole('button', { name: 'New Thread' }));
    expect(asked()).toEqual([{ type: 'newThread' }]);
  });
});

describe('the list of threads', () => {
  const item = (key: string, title: string, more: Partial<ViewThreadItem> = {}): ViewThreadItem => ({
    key,
    title,
    updatedAt: 1_700_000_000_000,
    running: false,
    elsewhere: false,
    ...more,
  });
  const threads = [
    item('k', 'Orders', { branch: 'dev-ada' }),
    item('r', 'Revenue', { running: true }),
    item('e', 'Elsewhere', { elsewhere: true }),
  ];

  it('finds, opens, renames and deletes', () => {
    const { asked } = show(snapshot([], { threads }));
    fireEvent.click(screen.getByRole('button', { name: 'Threads' }));
    const list = screen.getByRole('region', { name: 'Threads' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^Orders.*dev-ada$/),
      'Revenueanswering…',
      expect.stringMatching(/^Elsewhere.*another deployment$/),
    ]);
    fireEvent.input(within(list).getByRole('searchbox'), { target: { value: 'REV' } });
    expect(within(list).getAllByRole('listitem')).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Rename Revenue…' }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete Revenue…' }));
    fireEvent.click(within(list).getByText('Revenue'));
    expect(asked().filter(({ type }) => type !== 'searchThreads')).toEqual([
      { type: 'renameThread', key: 'r' },
      { type: 'deleteThread', key: 'r' },
      { type: 'openThread', key: 'r' },
    ]);
    expect(screen.queryByRole('region', { name: 'Threads' })).toBeNull();
  });

  it('goes away with Escape, which then stops nothing', () => {
    const { asked } = show(snapshot([turn([], { phase: 'streaming' })], { threads }));
    fireEvent.click(screen.getByRole('button', { name: 'Threads' }));
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(screen.queryByRole('region', { name: 'Threads' })).toBeNull();
    expect(asked()).toEqual([]);
  });

  it('takes the keyboard along, and gives it back to the composer', async () => {
    show(snapshot([], { threads }));
    fireEvent.click(screen.getByRole('button', { name: 'Threads' }));
    const search = screen.getByRole('searchbox', { name: 'Find a thread' });
    await waitFor(() => expect(document.activeElement).toBe(search));
    fireEvent.keyDown(search, { key: 'Escape' });
    await waitFor(() => expect(document.activeElement).toBe(field()));
  });
});

describe('a long thread', () => {
  it('shows earlier turns when asked, and keeps its place', () => {
    const last = turn([message({ text: 'Later' })], { id: '2-message', prompt: 'Second' });
    const first = turn([message({ text: 'Earlier' })], { id: '1-message', prompt: 'First' });
    const { thread } = snapshot([last]);
    const { asked, tell } = show(snapshot([], { thread: { ...thread, earlier: 1 } }));
    const seen = screen.getByRole('article', { name: 'Question: Second' });
    const places: unknown[] = [];
    seen.scrollIntoView = (where) => void places.push(where);
    fireEvent.click(screen.getByRole('button', { name: 'Show 1 earlier' }));
    expect(asked()).toEqual([{ type: 'showEarlier' }]);
    tell({ ...snapshot([first, last]), epoch: 2 });
    expect(screen.getAllByRole('article')[1]).toBe(seen);
    expect(places).toEqual([{ block: 'start' }]);
    expect(screen.queryByRole('button', { name: /earlier$/ })).toBeNull();
    // Whoever left the end is not pulled back to it.
    expect(screen.getByRole('button', { name: 'Go to the End' })).toBeTruthy();
  });
});

describe('Ctrl+F in the chat', () => {
  it('opens its own find bar, and no other one', () => {
    // Marks of what is found, which this DOM does not have.
    vi.stubGlobal('CSS', { highlights: new Map() });
    vi.stubGlobal('Highlight', Set);
    const heard: string[] = [];
    const hear = ({ key }: KeyboardEvent): void => void heard.push(key);
    show(snapshot([turn([message({ text: 'Done' })])]));
    // Where VS Code listens in a page.
    window.addEventListener('keydown', hear);
    try {
      fireEvent.keyDown(screen.getByRole('log'), { key: 'f', ctrlKey: true });
      fireEvent.keyDown(screen.getByRole('log'), { key: 'g', ctrlKey: true });
      expect(screen.getByRole('searchbox', { name: 'Find in this thread' })).toBeTruthy();
    } finally {
      window.removeEventListener('keydown', hear);
      cleanup();
      vi.unstubAllGlobals();
    }
    expect(heard).toEqual(['g']);
  });
});
