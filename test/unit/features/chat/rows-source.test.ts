import { expect, it } from 'vitest';
import { rowsSource } from '#features/chat/rows-source.ts';

it('rowsSource says when the agent has read only some of the rows', () => {
  expect(rowsSource(100, 10_000)).toBe('The agent read 100 of 10,000 rows. Run Again reads all of them.');
  expect(rowsSource(3, 3)).toBe('Rows that the agent read');
});
