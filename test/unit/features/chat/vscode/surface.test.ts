import { describe, expect, it } from 'vitest';
import { lastThread } from '#features/chat/last-threads.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { MemoryState } from '#support/memory-state.ts';
import { recordedLines } from '#support/chat/recorded-transport.ts';
import { offered, surfaceDesk } from '#support/chat/surface-desk.ts';

describe('ChatSurface', () => {
  it('says nothing before the view is ready, then everything', async () => {
    const { posted, target, ready, send, last, surface } = surfaceDesk();
    target.set(ready('dev-1'));
    surface.focus();
    expect(posted).toEqual([]);
    await send({ type: 'ready' });
    expect(posted.map(({ type }) => type)).toEqual(['snapshot', 'context']);
    expect(last('snapshot')?.header.target).toEqual({ label: 'Shop', branch: { name: 'dev-1', isDefault: false } });
  });

  // @shows chat-complaint-1
  it('answers, pages rows, and gives a chart its rows as numbers', async () => {
    const { clock, transport, send, last, surface } = surfaceDesk();
    await send({ type: 'ready' });
    transport.answer(recordedLines('by-month'));
    await send({ type: 'send', prompt: 'Revenue by month', branch: 'ask' });
    await clock.advance(100);
    const turn = surface.thread.turns[0];
    const query = turn?.messages.toArray().findLast(({ toolCall }) => toolCall?.name.endsWith('SqlApi'));
    const where = { turn: turn?.id ?? '', id: query?.id ?? '' };
    await send({ type: 'rows', ...where, version: 0, offset: 40, count: 100 });
    expect(last('rows')).toMatchObject({ ...where, version: 0, count: 46, offset: 40 });
    expect(last('rows')?.rows).toHaveLength(6);
    await send({ type: 'chart', ...where });
    expect(last('chart')?.rows).toHaveLength(46);
    expect(typeof last('chart')?.rows[0]?.['revenue']).toBe('number');
    expect(last('chart')?.failure).toBeUndefined();
    await send({ type: 'chartFailed', ...where, reason: 'It took too long.' });
    await send({ type: 'chart', ...where });
    expect(last('chart')?.failure).toBe('It took too long.');
    await send({ type: 'rows', turn: 'none', id: 'none', version: 0, offset: 0, count: 1 });
  });

  it('sorts and filters all rows that it holds, and hands out just these to copy', async () => {
    const { clock, transport, send, last, surface, asked } = surfaceDesk();
    const data = Array.from({ length: 10_000 }, (_, at) => [`store ${at}`, String((at * 7_919) % 10_007)]);
    const schema = [
      { name: 'store', column_type: 'string' },
      { name: 'revenue', column_type: 'number' },
    ];
    const result = JSON.stringify({ schema, data, totalRows: 10_000 });
    const toolCall = { name: 'serviceSqlApi', input: '{"sqlQuery":"SELECT 1"}', result };
    await send({ type: 'ready' });
    transport.answer([
      { id: '__cutoff__', state: { chatId: 'c' } },
      { id: 't', role: 'assistant', toolCall },
      { id: '__state__', state: {} },
    ]);
    await send({ type: 'send', prompt: 'Revenue', branch: 'ask' });
    await clock.advance(100);
    const where = { turn: surface.thread.turns[0]?.id ?? '', id: 't' };
    const order = { column: 1, descending: true };
    await send({ type: 'rows', ...where, version: 1, offset: 0, count: 1, order });
    expect(last('rows')).toMatchObject({ version: 1, count: 10_000, rows: [[expect.anything(), '10006']] });
    const filter = { column: 1, condition: 'above', value: '10003' } as const;
    await send({ type: 'rows', ...where, version: 2, offset: 0, count: 10, order, filter });
    expect(last('rows')).toMatchObject({ version: 2, count: 3 });
    expect(last('rows')?.rows.map(([, revenue]) => revenue)).toEqual(['10006', '10005', '10004']);
    await send({ type: 'tool', ...where, action: 'copyTable', format: 'csv', order, filter });
    const [name, action, copied, use] = asked.at(-1) ?? [];
    expect([name, action, use]).toEqual([
      'use',
      'copyTable',
      { branch: { name: 'main', isDefault: true }, format: 'csv' },
    ]);
    expect(copied).toMatchObject({ total: 10_000, rows: [[expect.anything(), '10006'], {}, {}] });
    // A test expects all rows, however they are arranged in the view.
    await send({ type: 'saveAnswer', ...where });
    const [saved, question, kept] = asked.at(-1) ?? [];
    expect([saved, question, kept]).toMatchObject(['saveAnswer', 'Revenue', { sql: 'SELECT 1', total: 10_000 }]);
    expect((kept as { readonly rows: readonly unknown[] }).rows).toHaveLength(10_000);
  });

  it('shows the newest thread after a reload, though the page still remembers the one before it', async () => {
    const files = new MemoryFiles();
    const state = new MemoryState();
    const before = surfaceDesk(files, lastThread(state, 'here'));
    await before.send({ type: 'ready' });
    const askAndWait = async (prompt: string): Promise<string> => {
      before.transport.answer(recordedLines('by-status'));
      await before.send({ type: 'send', prompt, branch: 'ask' });
      await before.clock.advance(100);
      await before.service.flush();
      return before.surface.threadKey;
    };
    const first = await askAndWait('First');
    await before.send({ type: 'newThread' });
    const second = await askAndWait('Second');
    expect(second).not.toBe(first);
    const shown = async (window: string): Promise<string | undefined> => {
      const after = surfaceDesk(files, lastThread(state, window));
      await after.send({ type: 'ready', thread: first });
      return after.last('snapshot')?.thread.turns[0]?.head.prompt;
    };
    expect(await shown('here')).toBe('Second');
    expect(await shown('another window')).toBe('First');
    await before.send({ type: 'newThread' });
    expect(await shown('here')).toBeUndefined();
  });

  describe.each([
    ['in the side bar', (state: MemoryState) => lastThread(state, 'here')],
    ['in an editor', () => undefined],
  ])('%s', (_where, remembered) => {
    it('keeps the attachments of an unsent question over a reload, and until the question is sent', async () => {
      const [files, state] = [new MemoryFiles(), new MemoryState()];
      const before = surfaceDesk(files, remembered(state), state);
      await before.send({ type: 'ready' });
      const key = before.surface.threadKey;
      before.surface.attach({ id: 'own', label: 'own', detail: 'a.yml', text: 'x'.repeat(70_000) });
      before.surface.ask('Why?', [{ id: 'cell', label: 'cell', detail: 'b.yml', text: 'b' }]);

      const after = surfaceDesk(files, remembered(state), state);
      await after.send({ type: 'ready', thread: key });
      expect(after.last('snapshot')?.attachments.map(({ id, size }) => [id, size])).toEqual([
        ['own', 70_000],
        ['cell', 1],
      ]);
      // What a question from elsewhere brought makes way for the next one; what the user attached stays.
      after.surface.ask('And this?', [{ id: 'other', label: 'other', detail: 'c.yml', text: 'c' }]);
      expect(after.last('attachments')?.attachments.map(({ id }) => id)).toEqual(['own', 'other']);
      await after.send({ type: 'detach', id: 'other' });
      await after.send({ type: 'newThread' });
      const [shown, moved] = [after.surface.threadKey, surfaceDesk(files, remembered(state), state)];
      await moved.send({ type: 'ready', thread: shown });
      expect(moved.last('snapshot')?.attachments.map(({ id }) => id)).toEqual(['own']);
      moved.transport.answer(recordedLines('by-status'));
      await moved.send({ type: 'send', prompt: 'Why?', branch: 'ask' });

      const last = surfaceDesk(files, remembered(state), state);
      await last.send({ type: 'ready', thread: moved.surface.threadKey });
      expect(last.last('snapshot')?.attachments).toEqual([]);
    });
  });

  it('does not show the attachments of one view in another, nor twice after the page is drawn again', async () => {
    const [files, state] = [new MemoryFiles(), new MemoryState()];
    const here = surfaceDesk(files, lastThread(state, 'here'), state);
    await here.send({ type: 'ready' });
    here.surface.attach({ id: 'own', label: 'own', detail: 'a.yml', text: 'x' });
    const elsewhere = surfaceDesk(files, lastThread(state, 'elsewhere'), state);
    await elsewhere.send({ type: 'ready', thread: here.surface.threadKey });
    expect(elsewhere.last('snapshot')?.attachments).toEqual([]);
    await here.send({ type: 'detach', id: 'own' });
    await here.send({ type: 'ready' });
    expect(here.last('snapshot')?.attachments).toEqual([]);
  });

  it('queues what is asked during an answer, and gives a waiting question back to the composer', async () => {
    const { clock, transport, send, last, surface } = surfaceDesk();
    await send({ type: 'ready' });
    transport.answer([{ id: '__cutoff__', state: { chatId: 'c' } }, { id: 'x' }], 1);
    await send({ type: 'send', prompt: 'First', branch: 'ask' });
    await clock.advance(100);
    await send({ type: 'send', prompt: 'Second', branch: 'ask' });
    await clock.advance(100);
    const id = surface.thread.queued?.[0]?.id ?? '';
    expect(last('patch')?.ops).toEqual([{ op: 'queued', queued: [{ id, text: 'Second', attached: [], held: false }] }]);
    await send({ type: 'queued', id, action: 'edit' });
    expect(last('compose')).toEqual({ type: 'compose', text: 'Second', replace: false });
    expect(surface.thread.queued).toEqual([]);
    await send({ type: 'queued', id, action: 'send' });
    expect(last('refused')).toMatchObject({ reason: 'empty' });
  });

  it('gives a waiting question back with what was attached to it', async () => {
    const { clock, transport, send, last, surface } = surfaceDesk();
    await send({ type: 'ready' });
    transport.answer([{ id: '__cutoff__', state: { chatId: 'c' } }, { id: 'x' }], 1);
    await send({ type: 'send', prompt: 'First', branch: 'ask' });
    await clock.advance(100);
    const attached = { id: 'a', label: 'orders.yml', detail: 'model/orders.yml', text: 'cubes:\n  - </attached>' };
    surface.attach(attached);
    await send({ type: 'send', prompt: '/fix Second', branch: 'ask' });
    expect(last('attachments')?.attachments).toEqual([]);
    await send({ type: 'queued', id: surface.thread.queued?.[0]?.id ?? '', action: 'edit' });
    expect(last('compose')).toMatchObject({ text: '/fix Second' });
    // Not the instructions of the task, which its word brings along again.
    expect(last('attachments')?.attachments).toMatchObject([{ label: 'orders.yml', detail: 'model/orders.yml' }]);
    await send({ type: 'send', prompt: '/fix Second', branch: 'ask' });
    const [waiting] = surface.thread.queued ?? [];
    expect(waiting?.prompt.match(/<attached name="orders\.yml"/g)).toHaveLength(1);
    expect(waiting?.prompt).toContain('- < /attached>');
    expect(waiting?.prompt.match(/name="\/fix"/g)).toHaveLength(1);
  });

  it('gives a question back whose context cannot be read', async () => {
    const { transport, send, last, hasOpen } = surfaceDesk();
    await send({ type: 'ready' });
    hasOpen({ ...offered('file', true), read: () => Promise.reject(new Error('orders.yml is gone')) });
    await send({ type: 'send', prompt: 'Explain it', branch: 'ask', context: ['file'] });
    expect(last('refused')).toMatchObject({
      prompt: 'Explain it',
      reason: 'context',
      message: expect.stringContaining('orders.yml is gone') as string,
    });
    expect(transport.requests).toEqual([]);
  });

  it('says how much of a long attachment is sent, to the user and to the agent', async () => {
    const { clock, transport, send, last, surface } = surfaceDesk();
    await send({ type: 'ready' });
    surface.attach({ id: 'a', label: 'big.yml', detail: 'big.yml', text: 'x'.repeat(70_000) });
    expect(last('attachments')?.attachments).toMatchObject([{ size: 70_000, sent: 60_000 }]);
    transport.answer(recordedLines('by-status'));
    await send({ type: 'send', prompt: 'Read it', branch: 'ask' });
    await clock.advance(100);
    expect(transport.requests[0]?.input).toContain('only the first 60000 of 70000 characters are attached');
  });

  it('asks before a thread continues with another branch, and does what is chosen', async () => {
    const { clock, transport, target, ready, send, last, surface } = surfaceDesk();
    await send({ type: 'ready' });
    transport.answer(recordedLines('by-status'));
    await send({ type: 'send', prompt: 'First', branch: 'ask' });
    await clock.advance(100);
    const first = surface.threadKey;
    target.set(ready('dev-1'));
    await send({ type: 'send', prompt: 'Second', branch: 'ask' });
    expect(last('refused')).toEqual({
      type: 'refused',
      reason: 'branchChanged',
      prompt: 'Second',
      message: 'This thread began on main; the active branch is now dev-1. Earlier answers may not apply there.',
    });
    transport.answer(recordedLines('by-status'));
    await send({ type: 'send', prompt: 'Second', branch: 'newThread' });
    await clock.advance(100);
    expect(surface.threadKey).not.toBe(first);
    expect(surface.thread.turns[0]?.branch).toEqual({ name: 'dev-1', isDefault: false });
  });

  it('leaves a thread that was deleted where another place shows it', async () => {
    const { clock, transport, service, send, last, surface } = surfaceDesk();
    await send({ type: 'ready' });
    transport.answer(recordedLines('by-status'));
    await send({ type: 'send', prompt: 'First', branch: 'ask' });
    await clock.advance(100);
    await service.remove(surface.threadKey);
    expect(last('snapshot')?.thread).toMatchObject({ key: surface.threadKey, turns: [] });
    expect(last('snapshot')?.threads).toEqual([]);
    transport.answer(recordedLines('by-status'));
    await send({ type: 'send', prompt: 'Second', branch: 'ask' });
    expect(surface.thread.turns).toMatchObject([{ prompt: 'Second' }]);
  });

  it('shows threads of another account or address as such, and refuses to continue them', async () => {
    const { clock, transport, target, ready, send, last } = surfaceDesk();
    await send({ type: 'ready' });
    transport.answer(recordedLines('by-status'));
    await send({ type: 'send', prompt: 'First', branch: 'ask' });
    await clock.advance(100);
    target.set(ready('main', 'other'));
    await send({ type: 'resync', reason: 'test' });
    expect(last('snapshot')).toMatchObject({ thread: { elsewhere: true }, threads: [{ elsewhere: true }] });
    await send({ type: 'send', prompt: 'Second', branch: 'ask' });
    expect(last('refused')).toMatchObject({ reason: 'elsewhere' });
  });

  it('finds a thread again that the view showed before a restart', async () => {
    const first = surfaceDesk();
    await first.send({ type: 'ready' });
    first.transport.answer(recordedLines('by-status'));
    await first.send({ type: 'send', prompt: 'First', branch: 'ask' });
    await first.clock.advance(100);
    await first.service.flush();
    const second = surfaceDesk(first.files);
    await second.send({ type: 'ready', thread: first.surface.threadKey });
    expect(second.last('snapshot')?.thread).toMatchObject({ key: first.surface.threadKey, title: 'First' });
    expect(second.last('snapshot')?.thread.turns[0]?.messages.at(-1)?.isFinal).toBe(true);
  });

  it('deletes the thread that is shown after asking, and begins another', async () => {
    const { clock, transport, send, surface, service, asked } = surfaceDesk();
    await send({ type: 'ready' });
    transport.answer(recordedLines('by-status'));
    await send({ type: 'send', prompt: 'First', branch: 'ask' });
    await clock.advance(100);
    const key = surface.threadKey;
    await send({ type: 'deleteThread', key });
    expect(asked).toContainEqual(['confirmDelete', 'First']);
    expect(surface.threadKey).not.toBe(key);
    expect(service.threads.value).toEqual([]);
  });

  it('hands the editor what is the editor’s, and drops what it does not know', async () => {
    const { send, surface, asked, problems } = surfaceDesk();
    await send({ type: 'copy', text: 'x' });
    await send({ type: 'openMember', name: 'orders.count' });
    await send({ type: 'setUp', what: 'address' });
    await surface.receive({ type: 'shell', command: 'rm' });
    await surface.receive('nonsense');
    expect(asked).toEqual([
      ['copy', 'x'],
      ['openMember', 'orders.count'],
      ['setUp', 'address'],
    ]);
    expect(problems).toHaveLength(2);
  });

  it('takes over what another window has done on its thread when the user comes back', async () => {
    const here = surfaceDesk();
    const other = surfaceDesk(here.files);
    here.transport.answer(recordedLines('by-status'));
    await here.send({ type: 'ready' });
    await here.send({ type: 'send', prompt: 'How many?', branch: 'ask' });
    await expect.poll(() => here.surface.thread.turns[0]?.phase).toBe('complete');
    await here.service.flush();
    await other.send({ type: 'ready', thread: here.surface.threadKey });
    other.transport.answer(recordedLines('by-status'));
    await other.clock.advance(1);
    await other.send({ type: 'send', prompt: 'And now?', branch: 'ask' });
    await expect.poll(() => other.surface.thread.turns[1]?.phase).toBe('complete');
    await other.service.flush();
    expect(here.surface.thread.turns).toHaveLength(1);
    await here.surface.catchUp();
    expect(here.surface.thread.turns.map(({ prompt }) => prompt)).toEqual(['How many?', 'And now?']);
  });

  it('offers the files that an answer proposes and writes only what is accepted, where it may', async () => {
    const { transport, send, last, surface, proposals } = surfaceDesk();
    proposals.folder = { name: 'shop', isFixed: false };
    const cube = (name: string): string => `cubes:\n  - name: ${name}\n    sql_table: ${name}\n`;
    const content = ['a', 'b'].map((name) => `\`\`\`yaml model/${name}.yml\n${cube(name)}\`\`\``).join('\n\n');
    const answer = { id: 'f', role: 'assistant', content, isDelta: false, isInProcess: false, graphPath: ['final'] };
    transport.answer([{ id: '__cutoff__', state: { chatId: 'c' } }, answer, { id: '__state__', state: {} }]);
    await send({ type: 'ready' });
    await send({ type: 'send', prompt: 'Propose', branch: 'ask' });
    await expect.poll(() => surface.thread.turns[0]?.phase).toBe('complete');
    await send({ type: 'resync', reason: 'test' });
    const { id: turn = '', proposes } = last('snapshot')?.thread.turns[0]?.head ?? {};
    expect(proposes).toBe(2);
    const states = (): readonly unknown[] | undefined => last('proposals')?.files.map(({ state }) => state);
    type Action = 'list' | 'review' | 'accept' | 'acceptHunks' | 'reject' | 'undo' | 'draft' | 'chooseFolder';
    const act = (action: Action, ...paths: string[]): Promise<void> => send({ type: 'proposal', turn, action, paths });

    await act('list');
    expect(states()).toEqual(['open', 'open']);
    expect(last('proposals')?.folder).toEqual({ name: 'shop', isFixed: false });
    await act('chooseFolder');
    expect(proposals.asksForFolder).toBe(1);
    // Unread answers are shown first.
    await act('accept', 'model/a.yml');
    expect(proposals.shown).toEqual([['model/a.yml']]);
    expect(last('proposals')?.files.map(({ isReviewed }) => isReviewed)).toEqual([true, false]);
    proposals.allowed = false;
    await act('accept', 'model/a.yml');
    expect(proposals.files.writes).toEqual([]);
    proposals.allowed = true;
    await act('accept', 'model/a.yml', '../x.yml');
    await act('reject', 'model/b.yml');
    expect(states()).toEqual(['accepted', 'rejected']);
    expect([...proposals.files.texts]).toEqual([['model/a.yml', cube('a')]]);

    // Changed in the editor: the view hears of it, and what is decided stays decided.
    proposals.files.texts.set('model/a.yml', `# Mine.\n${cube('a')}`);
    proposals.changed.fire();
    await expect.poll(() => last('proposals')?.files[0]?.note).toBe('The file has changed since.');
    expect(states()).toEqual(['accepted', 'rejected']);
    await act('undo', 'model/b.yml');
    expect(states()).toEqual(['accepted', 'open']);

    // Decided on where the change is shown.
    await act('review', 'model/b.yml');
    await proposals.decide('acceptHunks', 'model/b.yml');
    expect(states()).toEqual(['accepted', 'accepted']);
    await act('draft', 'model/b.yml');
    expect(proposals.drafts).toEqual([cube('b')]);
    proposals.allowed = false;
    await act('undo', 'model/b.yml');
    expect(states()).toEqual(['accepted', 'accepted']);
  });

  it('shows several proposed files on a page, which applies what is ticked there', async () => {
    const { transport, send, last, surface, proposals } = surfaceDesk();
    const fence = (name: string): string =>
      `\`\`\`yaml model/${name}.yml\ncubes:\n  - name: ${name}\n    sql_table: ${name}\n\`\`\``;
    const content = [fence('a'), fence('b')].join('\n\n');
    const answer = { id: 'f', role: 'assistant', content, isDelta: false, isInProcess: false, graphPath: ['final'] };
    transport.answer([{ id: '__cutoff__', state: { chatId: 'c' } }, answer, { id: '__state__', state: {} }]);
    await send({ type: 'ready' });
    await send({ type: 'send', prompt: 'Propose', branch: 'ask' });
    await expect.poll(() => surface.thread.turns[0]?.phase).toBe('complete');
    const turn = surface.thread.turns[0]?.id ?? '';
    await send({ type: 'proposal', turn, action: 'review', paths: ['model/a.yml', 'model/b.yml'] });
    const [page] = proposals.pages;
    expect([proposals.pages.length, proposals.shown]).toEqual([1, []]);
    expect(last('proposals')?.files.map(({ isReviewed }) => isReviewed)).toEqual([true, true]);
    const input = { message: '', options: [], typed: '' };
    page?.tick(['model/a.yml'], false);
    proposals.allowed = false;
    expect(await page?.apply(input)).toBe(false);
    proposals.allowed = true;
    expect(await page?.apply(input)).toBe(true);
    expect(proposals.files.writes).toEqual([['model/b.yml']]);
    expect(last('proposals')?.files.map(({ state }) => state)).toEqual(['open', 'accepted']);
  });

  it('shows what the engine says of a proposal, and writes what it refuses only when asked to twice', async () => {
    const { transport, send, last, surface, proposals } = surfaceDesk();
    const errors = [{ message: 'It is strange.', location: { path: 'model/a.yml', line: 0 } }];
    proposals.asksEngine = () => Promise.resolve({ state: 'refused', errors });
    const content = '```yaml model/a.yml\ncubes:\n  - name: a\n    sql_table: a\n```';
    const answer = { id: 'f', role: 'assistant', content, isDelta: false, isInProcess: false, graphPath: ['final'] };
    transport.answer([{ id: '__cutoff__', state: { chatId: 'c' } }, answer, { id: '__state__', state: {} }]);
    await send({ type: 'ready' });
    await send({ type: 'send', prompt: 'Propose', branch: 'ask' });
    await expect.poll(() => surface.thread.turns[0]?.phase).toBe('complete');
    const turn = surface.thread.turns[0]?.id ?? '';
    const paths = ['model/a.yml'];
    await send({ type: 'proposal', turn, action: 'review', paths });
    await expect.poll(() => last('proposals')?.files[0]?.engine?.state).toBe('refused');
    expect(last('proposals')?.files[0]?.engine?.text).toContain('It is strange.');
    expect(proposals.marked).toEqual([{ state: 'refused', errors }]);
    await send({ type: 'proposal', turn, action: 'accept', paths });
    expect(last('proposals')?.files[0]?.state).toBe('open');
    proposals.acceptsAnyway = true;
    await send({ type: 'proposal', turn, action: 'accept', paths });
    expect(last('proposals')?.files[0]?.state).toBe('accepted');
  });
});
