/** Sorts rows into the order of the wanted ones; all others come last. */
export function unifiedOrder<Row, Wanted>(
  rows: readonly Row[],
  wanted: readonly Wanted[],
  isRow: (row: Row, wanted: Wanted) => boolean,
): readonly Row[] {
  const left = [...rows];
  const found = wanted.flatMap((each) => {
    const at = left.findIndex((row) => isRow(row, each));
    return at === -1 ? [] : left.splice(at, 1);
  });
  return [...found, ...left];
}
