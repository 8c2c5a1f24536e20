/** The number of files of linked folders that differ from their dev branch. */
export interface ChangeCounts {
  readonly local: number;
  readonly remote: number;
  readonly conflicts: number;
}

/** Returns `↑2 ↓1 ⚠1`, for the status bar and for a branch; empty if nothing differs. */
export function countsMark({ local, remote, conflicts }: ChangeCounts): string {
  return [local > 0 ? `↑${local}` : '', remote > 0 ? `↓${remote}` : '', conflicts > 0 ? `⚠${conflicts}` : '']
    .filter((part) => part !== '')
    .join(' ');
}
