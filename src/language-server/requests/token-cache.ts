import type { SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver';
import { type EncodedChunk, encodedChunk } from '#language-server/ide/tokens/semantic-tokens.ts';
import type { LanguageHost } from '#language-server/host.ts';
import { releaseLarge } from '#language-server/documents/large-files.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

/** For how many documents the last tokens are cached for deltas. */
const KEPT = 30;
/** How long one slice may block incoming messages, in milliseconds. */
const SLICE_MS = 8;

/** The tokens of a chunk, and the position of its first one relative to the token before it. */
interface Segment {
  readonly tokens: EncodedChunk;
  readonly line: number;
  readonly character: number;
}

interface Result {
  readonly id: string;
  readonly segments: readonly Segment[];
}

/** Computes the tokens of whole documents, and caches those sent last for each open one, so that only differences are sent. */
export class TokenCache {
  readonly #results = new Map<string, Result>();
  #next = 1;

  /** Frees the tokens of a document that was closed: they hold its model. */
  forget(uri: string): void {
    this.#results.delete(uri);
  }

  full(opened: Opened): SemanticTokens {
    const { id, segments } = this.#keep(opened);
    return { resultId: id, data: dataOf(segments) };
  }

  delta(opened: Opened, previousResultId: string): SemanticTokens | SemanticTokensDelta {
    const before = this.#results.get(opened.uri);
    const { id, segments } = this.#keep(opened);
    if (before?.id !== previousResultId) return { resultId: id, data: dataOf(segments) };
    return { resultId: id, edits: difference(before.segments, segments) };
  }

  #keep(opened: Opened): Result {
    const result = { id: String(this.#next++), segments: segmentsOf(opened) };
    this.#results.delete(opened.uri);
    this.#results.set(opened.uri, result);
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= KEPT) break;
      this.#results.delete(oldest);
    }
    return result;
  }
}

/**
 * Computes the tokens of a document in slices of a few milliseconds, so that other requests do not wait for all of it. `open`
 * returns the document's current state, since the user may type meanwhile.
 */
export async function prepareTokens(
  open: () => Opened | undefined,
  { now, yield: nextTurn }: Pick<LanguageHost, 'now' | 'yield'>,
  isCancelled: () => boolean,
): Promise<void> {
  let opened = open();
  let since = now();
  for (let at = 0; opened && at < opened.file.chunks.length; at++) {
    const placed = opened.file.chunks[at];
    if (placed) {
      encodedChunk(placed, opened.positions.positionAt(placed.start), opened);
      releaseLarge(opened.file, placed.chunk);
    }
    if (now() - since <= SLICE_MS) continue;
    await nextTurn();
    if (isCancelled()) return;
    opened = open();
    since = now();
  }
}

function segmentsOf(opened: Opened): readonly Segment[] {
  const segments: Segment[] = [];
  let line = 0;
  let character = 0;
  for (const placed of opened.file.chunks) {
    const first = opened.positions.positionAt(placed.start);
    const tokens = encodedChunk(placed, first, opened);
    const [down = 0, across = 0] = tokens.data;
    if (tokens.data.length === 0) continue;
    const lines = first.line + down - line;
    segments.push({ tokens, line: lines, character: lines === 0 ? across - character : across });
    line = first.line + tokens.lastLine;
    character = tokens.lastCharacter;
  }
  return segments;
}

/** Returns the numbers of all segments, in an array that is made in its full size: one that grows leaves its smaller copies. */
function dataOf(segments: readonly Segment[]): number[] {
  const data = Array<number>(segments.reduce((sum, { tokens }) => sum + tokens.data.length, 0)).fill(0);
  let next = 0;
  for (const { tokens, line, character } of segments) {
    data[next++] = line;
    data[next++] = character;
    for (let at = 2; at < tokens.data.length; at++) data[next++] = tokens.data[at] ?? 0;
  }
  return data;
}

/** Returns one edit that covers everything between the first and the last difference; none if there is no difference. */
function difference(before: readonly Segment[], after: readonly Segment[]): SemanticTokensDelta['edits'] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && isSame(before[head], after[head])) head++;
  let tail = 0;
  while (tail < shorter - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  const old = dataOf(before.slice(head, before.length - tail));
  const own = dataOf(after.slice(head, after.length - tail));
  const most = Math.min(old.length, own.length);
  let from = 0;
  while (from < most && old[from] === own[from]) from++;
  let same = 0;
  while (same < most - from && old.at(-1 - same) === own.at(-1 - same)) same++;
  const deleteCount = old.length - same - from;
  const data = own.slice(from, own.length - same);
  if (deleteCount === 0 && data.length === 0) return [];
  const start = before.slice(0, head).reduce((sum, { tokens }) => sum + tokens.data.length, 0) + from;
  return [{ start, deleteCount, data }];
}

function isSame(one: Segment | undefined, other: Segment | undefined): boolean {
  return one?.tokens === other?.tokens && one?.line === other?.line && one?.character === other?.character;
}
