import { append } from './long-lists.ts';
interface Hunk {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Whether a text is a patch: hunks of a unified diff, or search-and-replace blocks. */
export function isUnifiedDiff(text: string): boolean {
  return (
    searchAndReplace(text).length > 0 ||
    /^@@ /m.test(text) ||
    /^@@$/m.test(text) ||
    (/^--- /m.test(text) && /^\+\+\+ /m.test(text))
  );
}

/** Returns the new path that a patch names, without Git's `b/`. */
export function pathOfDiff(text: string): string | undefined {
  const path = /^\+\+\+ ([^\t\n]+)/m.exec(text)?.[1]?.trim();
  return path === undefined || path === '/dev/null' ? undefined : path.replace(/^b\//, '');
}

/**
 * Applies a patch to a text and returns the lines that it removes. Line numbers are ignored: each hunk must match exactly once
 * after the previous one. Returns `undefined` if one does not. Trailing whitespace does not count.
 */
export function applyUnifiedDiff(
  text: string,
  diff: string,
): { readonly text: string; readonly removed: readonly string[] } | undefined {
  const hunks = hunksOf(diff);
  const [only] = hunks;
  if (text === '' && only && hunks.length === 1 && only.before.length === 0)
    return { text: only.after.join('\n'), removed: [] };
  const lines = text.split('\n');
  const result: string[] = [];
  const removed: string[] = [];
  let from = 0;
  for (const { before, after } of hunks) {
    const at = onlyMatch(lines, before, from);
    if (at === undefined) return undefined;
    append(result, [...lines.slice(from, at), ...withContext(lines.slice(at, at + before.length), after)]);
    const left = [...after];
    for (const line of before) {
      const stays = left.indexOf(line);
      if (stays === -1) removed.push(line);
      else left.splice(stays, 1);
    }
    from = at + before.length;
  }
  if (from === 0) return undefined;
  return { text: [...result, ...lines.slice(from)].join('\n'), removed };
}

function hunksOf(diff: string): readonly Hunk[] {
  const blocks = searchAndReplace(diff);
  return blocks.length === 0 ? unifiedHunks(diff) : blocks;
}

/** Returns the search-and-replace blocks in a text; each of its lines is read once. */
function searchAndReplace(text: string): readonly Hunk[] {
  const blocks: Hunk[] = [];
  let before: string[] | undefined;
  let after: string[] | undefined;
  for (const line of text.split('\n')) {
    if (before && after) {
      if (!/^>{5,9} ?REPLACE/.test(line)) {
        after.push(line);
        continue;
      }
      blocks.push({ before, after });
      before = after = undefined;
    } else if (before) {
      if (/^={5,9}[ \t]*$/.test(line)) after = [];
      else before.push(line);
    } else if (/^<{5,9} ?SEARCH/.test(line)) before = [];
  }
  return blocks;
}

function unifiedHunks(diff: string): readonly Hunk[] {
  const hunks: { before: string[]; after: string[] }[] = [];
  let hunk: { before: string[]; after: string[] } | undefined;
  for (const line of diff.replace(/(?<!\n)\n+$/, '').split('\n')) {
    if (/^(?:diff |index |--- |\+\+\+ |new file|deleted file|similarity |rename |\\ )/.test(line)) continue;
    if (line.startsWith('@@') || !hunk) {
      hunk = { before: [], after: [] };
      hunks.push(hunk);
      if (line.startsWith('@@')) continue;
    }
    const rest = line.slice(1);
    if (!line.startsWith('+')) hunk.before.push(rest);
    if (!line.startsWith('-')) hunk.after.push(rest);
  }
  return hunks.filter(({ before, after }) => before.join('\n') !== after.join('\n'));
}

function onlyMatch(lines: readonly string[], wanted: readonly string[], from: number): number | undefined {
  if (wanted.every((line) => line.trim() === '')) return undefined;
  const found: number[] = [];
  for (let at = from; at + wanted.length <= lines.length; at += 1) {
    if (wanted.every((line, index) => line.trimEnd() === lines[at + index]?.trimEnd())) found.push(at);
  }
  return found.length === 1 ? found[0] : undefined;
}

/** Keeps unchanged lines as they are in the file, including trailing whitespace. */
function withContext(before: readonly string[], after: readonly string[]): readonly string[] {
  return after.map((line) => before.find((own) => own.trimEnd() === line.trimEnd()) ?? line);
}
