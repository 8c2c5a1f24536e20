import type { Alias } from 'yaml';
import { type Chunk, ChunkNotes } from '../chunk.ts';
import type { TextChange } from '#base/text-change.ts';
import {
  type AnchoredText,
  type Expansion,
  expansionOf,
  MOST_GROWTH,
  readAnchored,
} from '#model/syntax/yaml/aliases.ts';

/** What is known of a chunk with anchors, aliases or merges. */
interface Read {
  /** Undefined if the text has errors. */
  readonly anchored: AnchoredText | undefined;
  expansion: Expansion | undefined;
}

const reads = new ChunkNotes<Read>();

/**
 * Returns what replaces the aliases of each chunk of a file, in offsets of the chunk; undefined if the file cannot be expanded. Only
 * chunks with anchors or aliases are read, each once as long as its text and the values of its aliases stay the same.
 */
export function expandedChunks(
  chunks: readonly Chunk[],
  length: number,
): ReadonlyMap<Chunk, readonly TextChange[]> | undefined {
  const all = chunks.filter(isAnchored).map((chunk) => [chunk, readOf(chunk)] as const);
  const targets = targetsIn(all.map(([, { anchored }]) => anchored));
  if (!targets) return undefined;
  const edits = new Map<Chunk, readonly TextChange[]>();
  const most = length * MOST_GROWTH;
  let size = 0;
  for (const [chunk, read] of all) {
    const expansion = upToDate(read, targets, most);
    size += expansion?.size ?? 0;
    if (!expansion || size > most) return undefined;
    if (expansion.edits.length > 0) edits.set(chunk, expansion.edits);
  }
  return edits;
}

/** Checks for a chunk that has something to expand, or to insert elsewhere. */
function isAnchored({ anchors, text }: Chunk): boolean {
  return anchors.length > 0 || text.includes('<<');
}

function readOf(chunk: Chunk): Read {
  const known = reads.get(chunk);
  if (known) return known;
  const read = { anchored: readAnchored(chunk.text), expansion: undefined };
  reads.set(chunk, read);
  return read;
}

/** Returns the node that each alias stands for; undefined if a text has errors. An anchor holds in all texts below it. */
function targetsIn(texts: readonly (AnchoredText | undefined)[]): ReadonlyMap<Alias, unknown> | undefined {
  const anchors = new Map<string, unknown>();
  const targets = new Map<Alias, unknown>();
  for (const text of texts) {
    if (!text) return undefined;
    for (const [alias, own] of text.aliases) targets.set(alias, own ?? anchors.get(alias.source));
    for (const [name, node] of text.anchors) anchors.set(name, node);
  }
  return targets;
}

function upToDate(read: Read, targets: ReadonlyMap<Alias, unknown>, most: number): Expansion | undefined {
  const { anchored, expansion } = read;
  if (expansion && [...expansion.used].every(([alias, node]) => targets.get(alias) === node)) return expansion;
  read.expansion = anchored && expansionOf(anchored, (alias) => targets.get(alias), most);
  return read.expansion;
}
