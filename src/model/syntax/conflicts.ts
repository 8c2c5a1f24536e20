import type { SyntaxProblem } from './tree.ts';

const CONFLICT = /^<{7}(?: .*)?\r?\n([\s\S]*?)^={7}\r?\n([\s\S]*?)^>{7}(?: .*)?$/gm;
const BASE = /^\|{7}(?: .*)?\r?\n[\s\S]*$/m;

export interface WithoutConflicts {
  /** Same length: markers and the incoming side are blank, so that our side is analysed. */
  readonly text: string;
  readonly problems: readonly SyntaxProblem[];
}

/** Takes Git's unresolved conflicts out of a text and reports one problem each, instead of the hundreds that a parser finds. */
export function maskConflicts(text: string): WithoutConflicts {
  if (!text.includes('<<<<<<<')) return { text, problems: [] };
  const problems: SyntaxProblem[] = [];
  const masked = text.replace(CONFLICT, (whole: string, ours: string, _theirs: string, at: number) => {
    const message = 'A merge conflict is not resolved here: keep one side and remove the markers.';
    problems.push({ start: at, end: at + whole.length, code: 'conflict-marker', message });
    const start = whole.indexOf('\n') + 1;
    const kept = ours.replace(BASE, blank);
    return blank(whole.slice(0, start)) + kept + blank(whole.slice(start + ours.length));
  });
  return { text: masked, problems };
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ');
}
