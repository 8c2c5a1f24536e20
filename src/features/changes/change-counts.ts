/** How many files of linked folders differ from their dev branch. */
export interface ChangeCounts {
  readonly local: number;
  readonly remote: number;
  readonly conflicts: number;
}

/** `↑2 ↓1 ⚠1`, the same in the status bar and on a branch; empty where nothing differs. */
export function countsMark({ local, remote, conflicts }: ChangeCounts): string {
  return [local > 0 ? `↑${local}` : '', remote > 0 ? `↓${remote}` : '', conflicts > 0 ? `⚠${conflicts}` : '']
    .filter((part) => part !== '')
    .join(' ');
}
