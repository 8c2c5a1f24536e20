// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, expect, it, vi } from 'vitest';
import type { HostToLog, KeptLog, LogState, LogToHost } from '#features/logs/messages.ts';
import { App } from '#features/logs/page/app.tsx';
import { LogModel } from '#features/logs/page/model.ts';
import { markedSegments, lineSegments } from '#features/logs/page/line-segments.ts';

afterEach(cleanup);

const state: LogState = {
  type: 'state',
  title: 'Shop · all',
  phase: 'following',
  message: '',
  from: 0,
  to: 2,
  version: 1,
  isPaused: false,
  held: 0,
  isFiltered: false,
  problem: '',
};

async function show(changes: Partial<LogState> = {}, kept?: KeptLog) {
  const sent: LogToHost[] = [];
  let stored: unknown = kept;
  const api = {
    postMessage: (message: unknown) => void sent.push(message as LogToHost),
    getState: () => stored,
    setState: (now: unknown) => void (stored = now),
  };
  const model = new LogModel(api, window);
  const hear = async (message: HostToLog): Promise<void> =>
    act(() => void window.dispatchEvent(new MessageEvent('message', { data: message })));
  await hear({ ...state, ...changes });
  await act(() => void render(<App model={model} />));
  return { sent, hear, stored: () => stored };
}

it('asks for the lines in sight, once, and draws them as they are', async () => {
  const { sent, hear } = await show();
  expect(sent).toMatchObject([{ type: 'ready' }, { type: 'lines', offset: 0, count: 242 }]);
  await hear({
    type: 'lines',
    version: 1,
    offset: 0,
    lines: [
      ['1 MAIN p │ <b>at</b> model/cubes/orders.yml:3:7 \u{202e}x', 'error'],
      ['2 MAIN p │ fine', 'info'],
    ],
    marks: [[21, 24], []],
  });
  expect(screen.getByText(/<b>at<\/b>/).className).toBe('line error');
  fireEvent.click(screen.getByRole('button', { name: /orders\.yml:3:7$/ }));
  expect(sent.at(-1)).toEqual({ type: 'open', path: 'model/cubes/orders.yml', line: 3, column: 7 });
  expect(screen.getByText(/⟨U\+202E⟩x/)).toBeTruthy();
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['mod']);
  expect(sent.filter(({ type }) => type === 'lines')).toHaveLength(1);
  await hear({ type: 'lines', version: 7, offset: 0, lines: [['stale', 'info']], marks: [[]] });
  expect(screen.queryByText('stale')).toBeNull();
});

it.each([
  [{}, '2 lines, following'],
  [{ to: 0 }, 'Nothing was logged yet; new lines appear here.'],
  [{ to: 0, isFiltered: true }, 'No line matches the filter.'],
  [{ to: 1, isFiltered: true }, '1 line matches the filter, following'],
  [{ phase: 'loading' as const }, 'Reading the log…'],
  [{ isPaused: true, held: 1200 }, 'Paused at 2 lines; 1,200 new lines are waiting.'],
])('says how the log stands: %o', async (changes, words) => {
  await show(changes);
  expect(screen.getByRole('status').textContent?.trim()).toBe(words);
});

it('pauses, resumes, saves, copies and clears', async () => {
  const { sent, hear } = await show();
  for (const name of ['Pause', 'Copy', 'Save As…', 'Clear']) fireEvent.click(screen.getByRole('button', { name }));
  await hear({ ...state, isPaused: true });
  fireEvent.click(screen.getByRole('button', { name: 'Resume' }));
  expect(sent.slice(2).map(({ type }) => type)).toEqual(['pause', 'copy', 'save', 'clear', 'resume']);
});

it('says why it cannot continue, and tries again', async () => {
  const { sent } = await show({ phase: 'failed', message: 'The platform failed.' });
  expect(screen.getByRole('status').textContent).toContain('The platform failed.');
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(sent.at(-1)).toEqual({ type: 'retry' });
});

it('filters when typing rests, by severity too, and says what is not a filter', async () => {
  vi.useFakeTimers();
  try {
    const { sent, hear } = await show();
    const filter = screen.getByRole('searchbox', { name: 'Filter lines' });
    for (const value of ['o', 'or', 'orders']) fireEvent.input(filter, { target: { value } });
    const severity = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Minimum severity' });
    severity.value = 'error';
    // As a browser sends it: `fireEvent.change` becomes another event once a file of this worker has used preact/compat.
    fireEvent(severity, new Event('change', { bubbles: true }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent.slice(2)).toEqual([{ type: 'filter', text: 'orders', level: 'error' }]);
    vi.useRealTimers();
    await hear({ ...state, problem: 'This is not a valid regular expression.' });
    expect(screen.getByRole('alert').textContent).toContain('not a valid regular expression');
  } finally {
    vi.useRealTimers();
  }
});

it('shows which log it is, asks for another part by a click, and keeps the filter for another log', async () => {
  const log = { accountId: 'a', deploymentId: '1', title: 'Shop · dev · MAIN', source: 'dev', container: 'MAIN' };
  const { sent, hear } = await show({}, { log, filter: 'x', level: 'error' });
  await hear({ type: 'opened', log });
  const names = screen.getByRole('group', { name: 'Log' }).querySelectorAll('button');
  expect([...names].map(({ textContent }) => textContent)).toEqual([
    'Source: dev',
    'Container: MAIN',
    'Pod: all',
    'Branch: all',
    'From: newest lines',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Pod: all' }));
  expect(sent.at(-1)).toEqual({ type: 'choose', what: 'pod' });
  await hear({ type: 'opened', log: { ...log, title: 'Shop · dev · MAIN · pod api-0', pod: 'api-0' } });
  expect(screen.getByRole('button', { name: 'Pod: api-0' })).toBeTruthy();
  expect(sent.at(-1)).toEqual({ type: 'filter', text: 'x', level: 'error' });
});

it('keeps which log it shows and its filter, and comes back with them', async () => {
  const log = { accountId: 'a', deploymentId: '1', title: 'Shop · dev · MAIN', source: 'dev', container: 'MAIN' };
  const first = await show();
  await first.hear({ type: 'opened', log });
  await act(
    () => void fireEvent.input(screen.getByRole('searchbox', { name: 'Filter lines' }), { target: { value: 'x' } }),
  );
  expect(first.stored()).toEqual({ log, filter: 'x', level: 'debug' });
  cleanup();
  const { sent } = await show({}, { log, filter: 'x', level: 'error' });
  expect(sent.slice(0, 2)).toMatchObject([{ type: 'ready' }, { type: 'filter', text: 'x', level: 'error' }]);
  expect(screen.getByDisplayValue('x')).toBe(screen.getByRole('searchbox', { name: 'Filter lines' }));
  expect(screen.getByDisplayValue('Errors')).toBeTruthy();
});

it('begins again where what was kept is of another version', async () => {
  const { sent } = await show({}, { filter: 7 } as never);
  expect(sent[0]).toMatchObject({ type: 'ready' });
  expect(sent.some(({ type }) => type === 'filter')).toBe(false);
});

it('finds the next and the one before, and says when there is none', async () => {
  const { sent, hear } = await show({ to: 50 });
  const find = screen.getByRole('searchbox', { name: 'Find in lines' });
  await act(() => void fireEvent.input(find, { target: { value: 'x' } }));
  await hear({ type: 'found', version: 1, index: 7, problem: '' });
  await act(() => void fireEvent.keyDown(find, { key: 'Enter' }));
  await hear({ type: 'found', version: 1, index: 9, problem: '' });
  await act(() => void fireEvent.keyDown(find, { key: 'Enter', shiftKey: true }));
  expect(sent.filter(({ type }) => type === 'find')).toEqual([
    { type: 'find', text: 'x', from: 0, backwards: false },
    { type: 'find', text: 'x', from: 8, backwards: false },
    { type: 'find', text: 'x', from: 8, backwards: true },
  ]);
  await hear({ type: 'found', version: 1, problem: '' });
  expect(screen.getByText('Not found')).toBeTruthy();
  await hear({ type: 'found', version: 1, problem: 'This takes too long.' });
  expect([screen.queryByText('Not found'), screen.getByRole('alert').textContent]).toEqual([
    null,
    'Find: This takes too long.',
  ]);
  await hear({ type: 'found', version: 1, index: 0, problem: '' });
  await act(() => void fireEvent.keyDown(find, { key: 'Enter', shiftKey: true }));
  expect(sent.at(-1)).toEqual({ type: 'find', text: 'x', from: 49, backwards: true });
});

it('knows files of a model in a line, and marks what is searched for', () => {
  const files = (line: string) => lineSegments(line).flatMap(({ file }) => (file ? [file] : []));
  expect(files('at model/views/sales.yml.jinja:12, Node.js 24, 10.2.0 and scripts/run.py:3')).toEqual([
    { path: 'model/views/sales.yml.jinja', line: 12, column: undefined },
    { path: 'scripts/run.py', line: 3, column: undefined },
  ]);
  expect(files('/app/model/orders.yaml: in a/b.js. and a.yml.')).toEqual([
    { path: 'app/model/orders.yaml', line: undefined, column: undefined },
    { path: 'a/b.js', line: undefined, column: undefined },
    { path: 'a.yml', line: undefined, column: undefined },
  ]);
  const line = 'at /model/views/sales.yml:3:1, then x.';
  expect(lineSegments(line).map(({ at, text }) => line.slice(at, at + text.length) === text)).toEqual([
    true,
    true,
    true,
  ]);
  expect(lineSegments('plain').map(({ text }) => text)).toEqual(['plain']);
  expect(markedSegments({ text: 'aXbxc', at: 0 }, [1, 2, 3, 4])).toEqual(['a', 'X', 'b', 'x', 'c']);
  expect(markedSegments({ text: 'abc', at: 10 }, [2, 4, 9, 11, 12, 20])).toEqual(['', 'a', 'b', 'c', '']);
});
