import type { SyntaxProblem } from './tree.ts';

/** The three marker lines of a conflict. */
const MARKER = /^(?:<{7}(?: .*)?\r?\n|={7}\r?\n|>{7}(?: .*)?$)/gm;
const BASE = /^\|{7}(?: .*)?\r?\n[\s\S]*$/m;

export interface WithoutConflicts {
  /** Same length: markers and the incoming side are blank, so our side is analyzed. */
  readonly text: string;
  readonly problems: readonly SyntaxProblem[];
}

/** Removes Git's unresolved conflicts from a text and reports one problem each, instead of the hundreds that a parser finds. */
export function maskConflicts(text: string): WithoutConflicts {
  if (!text.includes('<<<<<<<')) return { text, problems: [] };
  const message = 'Unresolved merge conflict: keep one side and remove the markers.';
  const problems: SyntaxProblem[] = [];
  const parts: string[] = [];
  let done = 0;
  for (const { start, ours, middle, end } of conflictsIn(text)) {
    problems.push({ start, end, code: 'conflict-marker', message });
    const kept = text.slice(ours, middle).replace(BASE, blank);
    parts.push(text.slice(done, start), blank(text.slice(start, ours)), kept, blank(text.slice(middle, end)));
    done = end;
  }
  return { text: parts.join('') + text.slice(done), problems };
}

interface Conflict {
  readonly start: number;
  /** Start of our side. */
  readonly ours: number;
  /** Start of the line between the sides. */
  readonly middle: number;
  readonly end: number;
}

/** Yields conflicts that have all three lines, in order; each line is read once. */
function* conflictsIn(text: string): Iterable<Conflict> {
  let open: Omit<Conflict, 'end' | 'middle'> | undefined;
  let middle = -1;
  for (const { 0: line, index } of text.matchAll(MARKER)) {
    if (line.startsWith('<')) open ??= { start: index, ours: index + line.length };
    else if (line.startsWith('=') && open && middle === -1) middle = index;
    else if (line.startsWith('>') && open && middle !== -1) {
      yield { ...open, middle, end: index + line.length };
      open = undefined;
      middle = -1;
    }
  }
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ');
}
