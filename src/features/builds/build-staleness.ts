/** Lines and UTF-16 code units from 0, end exclusive. */
interface TextRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** What an edit replaced, by places before the edit, and with what. */
interface TextChange {
  readonly range: TextRange;
  readonly text: string;
}

/** How many lines down a place goes by edits above it; what is edited on its own line or below moves it nowhere. */
export function linesDown({ start }: TextRange, changes: readonly TextChange[]): number {
  return changes
    .filter(
      ({ range: { end } }) => end.line < start.line || (end.line === start.line && end.character <= start.character),
    )
    .reduce((sum, { range, text }) => sum + text.split('\n').length - 1 - (range.end.line - range.start.line), 0);
}

/** Who says it: the build, and the commit that the branch stood at where it is known. */
export function buildSource(branchName: string, commit: string | undefined): string {
  return `Modelbench build of ${branchName}${commit === undefined ? '' : ` at ${commit}`}`;
}
