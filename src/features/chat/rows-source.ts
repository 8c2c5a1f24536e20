/** Returns where the rows of an opened result come from, so that users do not mistake the rows that the agent read for all. */
export function rowsSource(read: number, total: number): string {
  if (read >= total) return 'Rows that the agent read';
  const counts = `${read.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  return `The agent read ${counts} rows. Run Again reads all of them.`;
}
