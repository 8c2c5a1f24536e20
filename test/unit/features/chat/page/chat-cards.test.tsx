// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it } from 'vitest';
import type { HostToView, ViewProposal, ViewTool } from '#features/chat/messages.ts';
import { message, query, show, snapshot, step, turn, turnHead } from './chat-stage.tsx';

afterEach(cleanup);

const { id: turnId } = turnHead();
const answer = message({ text: 'Most are complete.' });

/** The view with one tool call, its card open. */
function withCard(tool: ViewTool) {
  const view = show(snapshot([turn([step(tool), answer])]));
  fireEvent.click(screen.getByText(/^1 step/));
  fireEvent.click(screen.getByText(tool.summary));
  return view;
}

describe('a tool card', () => {
  it('lists the results of a search and leads to their definitions', () => {
    const member = { name: 'orders.count', title: 'Number', kind: 'count', description: 'How many' };
    const cube = { name: 'orders', title: 'Orders', kind: 'cube', members: [member] };
    const { asked } = withCard({
      name: 'serviceMeta',
      state: 'done',
      summary: 'Search “orders” · 1 cube, 1 member',
      detail: { kind: 'meta', query: 'orders', cubes: [cube] },
    });
    expect(screen.getByRole('button', { name: 'Number' }).closest('li')?.title).toBe('How many');
    fireEvent.click(screen.getByRole('button', { name: 'Orders' }));
    fireEvent.click(screen.getByRole('button', { name: 'Number' }));
    expect(asked()).toEqual([
      { type: 'openMember', name: 'orders' },
      { type: 'openMember', name: 'orders.count' },
    ]);
  });

  it('says what failed in a call, in its folded line too', () => {
    const { container } = withCard({ ...query, state: 'failed', summary: 'Query failed', error: 'No such column <b>' });
    expect(container.querySelector('.tool-failed .problem')?.textContent).toContain('No such column <b>');
    expect(container.querySelector('.tool b')).toBeNull();
  });

  it('counts what failed in the folded steps', () => {
    const failed: ViewTool = { ...query, state: 'failed', summary: 'Query failed', error: 'No.' };
    const { container } = show(snapshot([turn([step(query), { ...step(failed), id: 'u' }, answer])]));
    expect(container.querySelector('.steps-summary')?.textContent).toBe('2 steps, 1 failed');
  });

  it('shows input and output of an unknown tool', () => {
    const detail = { kind: 'other', input: '{"a":1}', result: 'fine' } as const;
    const { container } = withCard({ name: 'mystery', state: 'done', summary: 'mystery', detail });
    expect([...container.querySelectorAll('.tool pre')].map((code) => code.textContent)).toEqual(['{"a":1}', 'fine']);
  });

  it('says when a call was cut off', () => {
    const { container } = withCard({ ...query, state: 'cut' });
    expect(container.querySelector('.tool .badge')?.textContent).toBe('not finished');
  });

  it('stays as the user left it while the turn continues', () => {
    const { tell, container } = withCard(query);
    tell({ type: 'patch', epoch: 1, seq: 1, ops: [{ op: 'turn', head: turnHead({ phase: 'streaming' }) }] });
    expect(container.querySelector<HTMLDetailsElement>('details.tool')?.open).toBe(true);
  });
});

describe('a result', () => {
  const rows = [
    ['completed', '120'],
    ['shipped', null],
    ['new', '9'],
  ];
  const cells = (): (string | null)[] => screen.getAllByRole('gridcell').map(({ textContent }) => textContent);
  const page = (version: number, all: (string | null)[][], count = all.length): HostToView => ({
    type: 'rows',
    turn: turnId,
    id: 't',
    version,
    count,
    offset: 0,
    rows: all,
  });

  const pick = (name: string): void => {
    fireEvent.click(screen.getByRole('button', { name: 'More Actions' }));
    fireEvent.click(screen.getByRole('menuitem', { name }));
  };

  function opened() {
    const view = show(snapshot([turn([step(query), answer])]));
    fireEvent.click(screen.getByText('Orders by status'));
    return view;
  }

  it('asks for its rows when it is opened, and says how many of all are loaded', () => {
    const { asked, tell, container } = opened();
    expect(asked()).toMatchObject([{ type: 'rows', turn: turnId, id: 't', version: 0, offset: 0 }]);
    tell(page(0, rows));
    expect(cells()).toEqual(['completed', '120', 'shipped', 'null', 'new', '9']);
    expect(container.querySelector('.result .hint')?.textContent).toBe('3 of 250 rows loaded');
    expect(container.textContent).toContain('3 of 250 rows loaded; sorting and filtering cover the loaded rows only');
    expect(screen.getByRole('button', { name: 'Run for All Rows' })).toBeTruthy();
  });

  it('is sorted by the host, which has all rows, and shows no row of an earlier order', () => {
    const { tell, asked } = opened();
    tell(page(0, rows));
    const count = screen.getByRole('button', { name: 'count' });
    fireEvent.click(count);
    expect(asked().at(-1)).toMatchObject({ type: 'rows', version: 1, order: { column: 1, descending: false } });
    tell(page(0, [['stale', '1']]));
    tell(page(1, rows.toReversed()));
    expect(cells()).toEqual(['new', '9', 'shipped', 'null', 'completed', '120']);
    expect(count.closest('[role=columnheader]')?.getAttribute('aria-sort')).toBe('ascending');
    fireEvent.click(count);
    expect(asked().at(-1)).toMatchObject({ version: 2, order: { column: 1, descending: true } });
    fireEvent.click(count);
    expect(asked().at(-1)).toMatchObject({ version: 3, order: undefined });
    expect(count.closest('[role=columnheader]')?.getAttribute('aria-sort')).toBe('none');
  });

  it('is filtered by the host and says how many of the loaded rows are left', () => {
    const many = { ...query, detail: { ...query.detail, rows: 100, total: 10_000 } } as ViewTool;
    const { tell, asked, container } = show(snapshot([turn([step(many), answer])]));
    fireEvent.click(screen.getByText('Orders by status'));
    const text = (): string | null | undefined => container.querySelector('.result-count')?.textContent;
    expect(text()).toBe('100 of 10,000 rows loaded; sorting and filtering cover the loaded rows only');
    fireEvent.input(screen.getByRole('searchbox', { name: 'Value to filter by' }), { target: { value: 'new' } });
    expect(asked().at(-1)).toMatchObject({ version: 1, filter: { condition: 'contains', value: 'new' } });
    tell(page(1, [['new', '9']]));
    expect(cells()).toEqual(['new', '9']);
    expect(text()).toBe('1 of the 100 rows loaded; sorting and filtering cover the loaded rows only');
  });

  it('shows days as days where a column holds nothing else', () => {
    const { tell } = opened();
    const at = (day: string, time: string): (string | null)[] => [`2026-01-${day}T00:00:00.000`, `2026-01-01T${time}`];
    tell(page(0, [at('01', '00:00:00.000'), at('02', '08:30:00.000'), [null, null]]));
    expect(cells()).toEqual([
      '2026-01-01',
      '2026-01-01T00:00:00.000',
      '2026-01-02',
      '2026-01-01T08:30:00.000',
      'null',
      'null',
    ]);
  });

  it('explains a value with its row, makes a measure of its query, and is kept as a test', () => {
    const { tell, asked } = opened();
    tell(page(0, rows));
    const grid = screen.getByRole('grid');
    fireEvent.keyDown(grid, { key: 'ArrowRight' });
    fireEvent.keyDown(grid, { key: 'Enter' });
    fireEvent.click(screen.getByRole('button', { name: 'Explain This Number' }));
    for (const name of ['Make This a Measure', 'Save as Test']) pick(name);
    expect(asked().slice(-3)).toEqual([
      { type: 'explainCell', turn: turnId, id: 't', column: 1, cells: ['completed', '120'] },
      { type: 'makeMeasure', turn: turnId, id: 't' },
      { type: 'saveAnswer', turn: turnId, id: 't' },
    ]);
  });

  // @shows chat-complaint-14
  it('is run, opened, copied and saved by the host, rows as they are shown', () => {
    const { asked } = opened();
    fireEvent.click(screen.getByRole('button', { name: 'count' }));
    for (const name of ['Run for All Rows', 'Copy']) fireEvent.click(screen.getByRole('button', { name }));
    const names = ['Open SQL', 'Open in Editor', 'Copy as Markdown', 'Copy as CSV', 'Copy as JSON'];
    for (const name of [...names, 'Save as CSV…', 'Save as Markdown…']) pick(name);
    const order = { column: 1, descending: false };
    expect(asked().filter(({ type }) => type === 'tool')).toMatchObject([
      { action: 'runSql' },
      { action: 'copyTable', order, format: 'tsv' },
      { action: 'openSql' },
      { action: 'openRows', order },
      { action: 'copyTable', order, format: 'markdown' },
      { action: 'copyTable', order, format: 'csv' },
      { action: 'copyTable', order, format: 'json' },
      { action: 'saveCsv', order },
      { action: 'saveMarkdown', order },
    ]);
  });

  it('shows two buttons and a menu, which the keyboard opens, moves in and closes', () => {
    const { asked, container } = opened();
    expect([...container.querySelectorAll('.actions button')].map((each) => each.textContent?.trim())).toEqual([
      'Run for All Rows',
      'Copy',
      '',
    ]);
    const button = screen.getByRole('button', { name: 'More Actions' });
    const focused = (): string | undefined => document.activeElement?.textContent?.trim();
    const press = (key: string): boolean => fireEvent.keyDown(document.activeElement ?? button, { key });
    button.focus();
    press('ArrowDown');
    expect(screen.getByRole('menu', { name: 'More Actions' })).toBeTruthy();
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(focused()).toBe('Open SQL');
    press('ArrowUp');
    expect(focused()).toBe('Save as Markdown…');
    press('Home');
    press('s');
    expect(focused()).toBe('Save as Test');
    press('End');
    press('ArrowDown');
    expect(focused()).toBe('Open SQL');
    const before = asked().length;
    // The page does not see the key, which would stop an answer.
    expect(press('Escape')).toBe(false);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(button);
    press('ArrowUp');
    expect(focused()).toBe('Save as Markdown…');
    press('Tab');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(asked()).toHaveLength(before);
    press('ArrowUp');
    fireEvent.focusOut(document.activeElement ?? button, { relatedTarget: null });
    expect(screen.queryByRole('menu')).toBeNull();
  });
});

describe('a name in an answer', () => {
  it('leads to its definition and says what it is, where the agent found it in the model', () => {
    const member = { name: 'orders.count', title: 'Number', kind: 'count', description: 'How many' };
    const cube = { name: 'orders', title: 'Orders', kind: 'cube', members: [member] };
    const search: ViewTool = {
      name: 'serviceMeta',
      state: 'done',
      summary: 'Search',
      detail: { kind: 'meta', query: 'orders', cubes: [cube] },
    };
    const text = 'Use `orders.count` of `orders`, not `orders.sum`.';
    const { asked, container } = show(snapshot([turn([step(search), message({ text })])]));
    const [first, second, ...others] = container.querySelectorAll<HTMLElement>('.answer .markdown button.link');
    expect([first?.textContent, first?.title]).toEqual(['orders.count', 'Number (count)\nHow many']);
    expect([second?.textContent, second?.title]).toEqual(['orders', 'Orders (cube)']);
    expect(others).toEqual([]);
    for (const link of [first, second]) if (link) fireEvent.click(link);
    expect(asked()).toEqual([
      { type: 'openMember', name: 'orders.count' },
      { type: 'openMember', name: 'orders' },
    ]);
  });
});

describe('code', () => {
  it('is copied, inserted, and offered as a change where model files are written in its language', () => {
    const text = '```yaml\ncubes: []\n```\n\n```sql\nSELECT 1\n```';
    const { asked } = show(snapshot([turn([message({ text })])]));
    const [copy] = screen.getAllByRole('button', { name: 'Copy Code' });
    const [insert] = screen.getAllByRole('button', { name: 'Insert at Cursor' });
    const reviews = screen.getAllByRole('button', { name: 'Review as Change to a Model File…' });
    expect(reviews).toHaveLength(1);
    for (const button of [copy, insert, reviews[0]]) if (button) fireEvent.click(button);
    expect(asked()).toEqual([
      { type: 'copy', text: 'cubes: []' },
      { type: 'insert', text: 'cubes: []' },
      { type: 'apply', text: 'cubes: []', language: 'yaml' },
    ]);
  });
});

describe('hostile text', () => {
  const evil = '<img src=x onerror="alert(1)"><script>alert(1)</script>\u{202e}[a](javascript:alert(1))';

  it('is only ever text, wherever the agent puts it', () => {
    const member = { name: evil, title: evil, kind: evil, description: evil };
    const meta: ViewTool = {
      name: evil,
      state: 'failed',
      summary: `meta ${evil}`,
      error: evil,
      detail: { kind: 'meta', query: evil, cubes: [{ name: evil, title: evil, kind: evil, members: [member] }] },
    };
    const columns = [{ name: evil, type: evil }];
    const sql: ViewTool = {
      ...meta,
      state: 'done',
      summary: `sql ${evil}`,
      detail: {
        kind: 'sql',
        title: evil,
        description: evil,
        sql: evil,
        columns,
        rows: 1,
        total: 2,
        chart: false,
        query: false,
      },
    };
    const other: ViewTool = { ...meta, summary: `other ${evil}`, detail: { kind: 'other', input: evil, result: evil } };
    const steps = [meta, sql, other].map((tool, at) => ({ ...step(tool, `t${at}`), thinking: evil, text: evil }));
    const head = { prompt: evil, attached: [evil], branch: { name: evil, isDefault: false }, note: evil, proposes: 1 };
    const thread = { ...snapshot([turn([...steps, message({ text: evil })], head)]).thread, title: evil };
    const { container, tell } = show(snapshot([], { thread }));
    const file = {
      path: evil,
      state: 'open' as const,
      isNew: true,
      added: 1,
      removed: 0,
      canAccept: true,
      canUndo: false,
      isReviewed: true,
      note: evil,
    };
    tell({ type: 'proposals', turn: turnId, files: [file] });
    for (let at = 0; at < 4; at++) {
      for (const part of container.querySelectorAll('details:not([open]) > summary')) fireEvent.click(part);
    }
    tell({ type: 'rows', turn: turnId, id: 't1', version: 0, count: 1, offset: 0, rows: [[evil]] });
    expect(container.querySelectorAll('details:not([open])')).toHaveLength(0);
    expect(container.textContent?.match(/onerror=/g)?.length).toBeGreaterThan(25);
    expect(container.querySelectorAll('img, script, iframe, [onerror], a[href^="javascript"]')).toHaveLength(0);
    expect(container.textContent).not.toContain('\u{202e}');
  });
});

describe('proposed files', () => {
  const file = (path: string, more: Partial<ViewProposal> = {}): ViewProposal => ({
    path,
    state: 'open',
    isNew: false,
    added: 3,
    removed: 1,
    canAccept: true,
    canUndo: false,
    isReviewed: false,
    ...more,
  });
  const both = [file('model/a.yml'), file('model/b.yml', { isNew: true, removed: 0 })];
  const seen = both.map((each) => ({ ...each, isReviewed: true }));

  function proposing(files: ViewProposal[]) {
    const view = show(snapshot([turn([answer], { proposes: files.length })]));
    view.tell({ type: 'proposals', turn: turnId, files });
    return view;
  }
  const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
  const actions = (view: ReturnType<typeof show>): unknown[] =>
    view.asked().flatMap((message) => (message.type === 'proposal' ? [[message.action, ...message.paths]] : []));

  it('are asked for once the answer is whole, and not before', () => {
    const running = turn([answer], { phase: 'streaming', proposes: 1 });
    expect(actions(show(snapshot([running])))).toEqual([]);
    cleanup();
    expect(actions(show(snapshot([turn([answer], { proposes: 1 })])))).toEqual([['list']]);
  });

  it('are reviewed before they can be accepted, one at a time', () => {
    const view = proposing(both);
    expect(screen.getByRole('region', { name: 'Proposed changes' }).textContent).toContain('changes to 2 files');
    expect(screen.getAllByRole('img', { name: '3 lines added, 1 removed' })).toHaveLength(1);
    expect(screen.queryByRole('button', { name: /^Accept/ })).toBeNull();
    press('model/a.yml');
    press('Review model/a.yml');
    view.tell({ type: 'proposals', turn: turnId, files: seen });
    press('Accept model/a.yml');
    press('Accept Hunks… model/a.yml');
    press('Reject model/b.yml');
    expect(actions(view)).toEqual([
      ['list'],
      ['review', 'model/a.yml'],
      ['review', 'model/a.yml'],
      ['accept', 'model/a.yml'],
      ['acceptHunks', 'model/a.yml'],
      ['reject', 'model/b.yml'],
    ]);
  });

  it('are reviewed, accepted, rejected and taken back together', () => {
    const view = proposing(both);
    press('Review All');
    expect(screen.queryByRole('button', { name: 'Accept All' })).toBeNull();
    view.tell({ type: 'proposals', turn: turnId, files: seen });
    press('Accept All');
    press('Reject All');
    const done = both.map((each) => ({ ...each, state: 'accepted' as const, canUndo: true }));
    view.tell({ type: 'proposals', turn: turnId, files: done });
    expect(screen.getAllByText('Accepted')).toHaveLength(2);
    expect(screen.getByRole('status').textContent).toBe('2 files accepted');
    expect(screen.queryByRole('button', { name: 'Accept model/a.yml' })).toBeNull();
    press('Undo model/a.yml');
    press('Undo All');
    const paths = both.map(({ path }) => path);
    expect(actions(view).slice(1)).toEqual([
      ['review', ...paths],
      ['accept', ...paths],
      ['reject', ...paths],
      ['undo', 'model/a.yml'],
      ['undo', ...paths],
    ]);
  });

  it('say why they cannot be accepted, open as a draft, and are left out of *Accept All*', () => {
    const stuck = file('x.yml', { canAccept: false, note: 'It would remove the measure “count” of “x”.' });
    const draft = file('y.yml', {
      state: 'draft',
      canAccept: false,
      note: 'It does not say which cube it belongs to.',
    });
    const view = proposing([...seen, stuck, draft]);
    for (const note of [stuck.note, draft.note]) expect(screen.getByText(note ?? '')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Accept x.yml' })).toBeNull();
    press('Open as Draft x.yml');
    press('Open as Draft y.yml');
    press('Accept All');
    expect(actions(view).slice(1)).toEqual([
      ['draft', 'x.yml'],
      ['draft', 'y.yml'],
      ['accept', 'model/a.yml', 'model/b.yml'],
    ]);
  });

  it('show only the reason when they are refused', () => {
    proposing([
      file('model/con.yml', { state: 'refused', canAccept: false, note: 'The path is reserved on Windows.' }),
    ]);
    expect(screen.getByText('The path is reserved on Windows.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /con\.yml/ })).toBeNull();
  });

  it('can be accepted whole or undone after a part was accepted', () => {
    proposing([file('model/a.yml', { state: 'partly', canUndo: true })]);
    expect(screen.getByText('Partly accepted')).toBeTruthy();
    for (const name of ['Review model/a.yml', 'Undo model/a.yml'])
      expect(screen.getByRole('button', { name })).toBeTruthy();
  });
});
