import { append } from '#base/long-lists.ts';
import { type LineChange, lineChanges } from '#base/merge-lines.ts';

/** A file with two different versions; `undefined`: there is no file on that side. */
export interface ChangedText {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The number of unchanged lines shown around a change. */
const AROUND = 3;

/** Formats changes of files as a unified diff, for the agent and for users who check what it receives. */
export function changedText(files: readonly ChangedText[]): string {
  return files.map(fileText).join('\n');
}

function fileText({ path, before, after }: ChangedText): string {
  const lines = (before ?? '').match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const written = [
    before === undefined ? '--- (new file)' : `--- ${path}`,
    after === undefined ? '+++ (deleted)' : `+++ ${path}`,
  ];
  let moved = 0;
  for (const hunk of hunksOf(lineChanges(before ?? '', after ?? ''))) {
    const { head, body, growth } = hunkText(lines, hunk, moved);
    append(written, [head, ...body]);
    moved += growth;
  }
  return written.join('\n');
}

/** Groups changes into hunks: changes whose context overlaps form one hunk. */
function hunksOf(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1);
    const end = last?.at(-1)?.end;
    if (last && end !== undefined && change.start - end <= 2 * AROUND) last.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

/** `moved`: how many more lines the new text has before the hunk. */
function hunkText(lines: readonly string[], changes: readonly LineChange[], moved: number) {
  const from = Math.max(0, (changes[0]?.start ?? 0) - AROUND);
  const to = Math.min(lines.length, (changes.at(-1)?.end ?? 0) + AROUND);
  const growth = changes.reduce((sum, { start, end, lines: added }) => sum + added.length - (end - start), 0);
  const body: string[] = [];
  let at = from;
  for (const { start, end, lines: added } of changes) {
    append(body, [
      ...marked(' ', lines.slice(at, start)),
      ...marked('-', lines.slice(start, end)),
      ...marked('+', added),
    ]);
    at = end;
  }
  append(body, marked(' ', lines.slice(at, to)));
  const head = `@@ -${from + 1},${to - from} +${from + 1 + moved},${to - from + growth} @@`;
  return { head, body, growth };
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => `${mark}${line.trimEnd()}`);
}
