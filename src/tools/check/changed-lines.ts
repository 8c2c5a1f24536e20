import { diffArrays } from 'diff';
import type { ModelSnapshot } from '#tools/ports.ts';

/** Whether a range of lines of a file (counted from 1, both inclusive) contains a new or different line. */
export type IsChanged = (path: string, line: number, endLine: number) => boolean;

/** Returns which lines of a model differ from an older snapshot of it; lines that moved within a file count as changed. */
export function changedSince(before: ModelSnapshot, now: ModelSnapshot): IsChanged {
  const [old, current] = [textsOf(before), textsOf(now)];
  const gone = [...old].flatMap(([path, text]) => (current.has(path) ? [] : [text]));
  const formerText = (path: string): string => old.get(path) ?? renamedFrom(current.get(path) ?? '', gone) ?? '';
  const known = new Map<string, ReadonlySet<number>>();
  const linesOf = (path: string): ReadonlySet<number> => {
    let lines = known.get(path);
    if (!lines) {
      lines = changedLines(formerText(path), current.get(path) ?? '');
      known.set(path, lines);
    }
    return lines;
  };
  return (path, line, endLine) => {
    const lines = linesOf(path);
    for (let at = line; at <= endLine; at++) if (lines.has(at)) return true;
    return false;
  };
}

/** Returns the texts of every file that a check reads, by the path that it reports. */
function textsOf({ files, queries, agents }: ModelSnapshot): ReadonlyMap<string, string> {
  const ofAgents = [...(agents?.texts ?? [])].map(([path, text]) => [`${agents?.root}${path}`, text] as const);
  return new Map([...files, ...(queries ?? []), ...ofAgents]);
}

/** The share of lines from which on a new file is a removed one under another name, as in Git. */
const RENAMED = 0.5;

/** Returns the text of the removed file that a new file was renamed from; `undefined` if there is none. */
function renamedFrom(text: string, gone: readonly string[]): string | undefined {
  if (gone.includes(text)) return text;
  const own = splitLines(text);
  const rated = gone.map((former) => {
    const theirs = splitLines(former);
    const lines = new Set(theirs);
    const same = own.filter((line) => lines.has(line)).length;
    return { former, share: same / Math.max(own.length, theirs.length) };
  });
  return rated.filter(({ share }) => share >= RENAMED).sort((one, other) => other.share - one.share)[0]?.former;
}

/** Files with more differing lines are not compared, because that would take longer than a check. */
const mostEdits = 5000;

function changedLines(before: string, now: string): ReadonlySet<number> {
  const changed = new Set<number>();
  let line = 1;
  const [old, current] = [splitLines(before), splitLines(now)];
  const changes = diffArrays(old, current, { maxEditLength: mostEdits }) as ReturnType<typeof diffArrays> | undefined;
  // The texts are too different to compare: everything counts as new.
  if (!changes) return new Set(current.map((_, at) => at + 1));
  for (const { value, added, removed } of changes) {
    if (removed) {
      // Problems caused by a removed line are reported at the line that follows it.
      changed.add(line);
      continue;
    }
    if (added) for (const [at] of value.entries()) changed.add(line + at);
    line += value.length;
  }
  return changed;
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}
