// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, expect, it } from 'vitest';
import type { ResultState, ResultsToHost } from '#features/data/messages.ts';
import { ResultsModel } from '#features/data/page/model.ts';
import { saveLabel } from '#features/data/page/save-label.ts';
import { ResultRows } from '#shared/page/grid/result-rows.tsx';

afterEach(cleanup);

const state: ResultState = {
  type: 'state',
  title: 'orders',
  source: 'Shop analytics · main',
  sql: 'SELECT 1',
  phase: 'done',
  columns: [
    { name: 'status\u{202e}', type: 'string' },
    { name: 'count', type: 'number' },
  ],
  count: 2,
  loaded: 2,
  isCut: false,
  message: '',
  version: 1,
};

function show(rows: readonly (readonly (string | null)[])[]) {
  const sent: ResultsToHost[] = [];
  const model = new ResultsModel({ postMessage: (message) => void sent.push(message as ResultsToHost) }, window);
  for (const data of [state, { type: 'rows', version: 1, offset: 0, rows }])
    window.dispatchEvent(new MessageEvent('message', { data }));
  render(
    <ResultRows model={model} result={state} onAsk={(column, cells) => model.post({ type: 'ask', column, cells })} />,
  );
  return sent;
}

it('shows characters that turn text around by their code, in names and in values', () => {
  show([
    ['\u{202e}dedliw', '7'],
    [null, '8'],
  ]);
  expect(screen.getByRole('columnheader', { name: 'status⟨U+202E⟩' })).toBeTruthy();
  expect(screen.getByRole('gridcell', { name: '⟨U+202E⟩dedliw' }).title).toBe('⟨U+202E⟩dedliw');
  expect(screen.getByRole('gridcell', { name: 'null' }).classList.contains('grid-nothing')).toBe(true);
});

it('asks for one order, its reverse, and none again', () => {
  const sent = show([
    ['paid', '7'],
    ['open', '8'],
  ]);
  const head = screen.getByRole('columnheader', { name: /^count/ });
  for (const expected of ['ascending', 'descending', 'none']) {
    fireEvent.click(screen.getByRole('button', { name: /^count/ }));
    expect(head.getAttribute('aria-sort')).toBe(expected);
  }
  expect(sent.filter(({ type }) => type === 'sort')).toEqual([
    { type: 'sort', order: { column: 1, descending: false } },
    { type: 'sort', order: { column: 1, descending: true } },
    { type: 'sort', order: undefined },
  ]);
});

it('names the rows that a file would have where the query has more', () => {
  const label = (phase: ResultState['phase'], isCut = false): string => saveLabel({ phase, isCut });
  expect([label('done'), label('running'), label('cancelled'), label('failed'), label('done', true)]).toEqual([
    'Save as CSV…',
    ...Array.from({ length: 4 }, () => 'Save Loaded Rows as CSV…'),
  ]);
});
