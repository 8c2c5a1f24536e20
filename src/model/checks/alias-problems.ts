import { type Chunk, ChunkNotes } from '../chunk.ts';
import { type ModelFile, parseChunk, type PlacedChunk, unreadFile, withinLimits } from '../file.ts';
import type { ModelIndex } from '../index.ts';
import { whyUnreadable } from '../limits.ts';
import { withEdits } from '#model/syntax/yaml/aliases.ts';
import { expandedChunks } from '../syntax/expanded-items.ts';
import { SourceMap } from '../templates/source-map.ts';
import type { TextChange } from '#base/text-change.ts';
import { type Found, relatedProblems, textProblems } from './check.ts';

interface Expanded {
  readonly file: ModelFile;
  readonly map: SourceMap;
}

/** Maximum length of a file that is expanded, in characters: its chunks are stored and checked twice. */
const LONGEST = 1_000_000;

const expanded = new WeakMap<ModelFile, Expanded | null>();
const indexes = new WeakMap<ModelIndex, { readonly revision: number; readonly index: ModelIndex }>();

/**
 * Returns the errors that a file's aliases (`*name`) and merges (`<<`) cause: those of the text in which each is replaced by its
 * value, without `own`, the problems of the text as it is written. An alias has one error at most.
 */
export function aliasProblems(
  file: ModelFile,
  index: ModelIndex,
  own: readonly Found[],
  isStandalone: boolean,
): readonly Found[] {
  const read = expand(file);
  if (!read) return [];
  const problems = [
    ...textProblems(read.file),
    ...read.file.chunks.flatMap((placed) =>
      relatedProblems(placed, withoutAliases(index), read.file, { isStandalone }),
    ),
  ];
  const known = new Set(own.map(keyOf));
  const reported = new Set<number>();
  return problems.flatMap((found): Found[] => {
    const { problem, start, end, severity } = found;
    if (severity !== 'error' || known.has(keyOf(found))) return [];
    known.add(keyOf(found));
    const { code, message } = problem;
    const { isExact, ...range } = read.map.sourceOf(start, end);
    // A value at a wrong position often has several errors, which are one mistake.
    if (!isExact && reported.has(range.start)) return [];
    if (!isExact) reported.add(range.start);
    return [{ problem: { code, message, ...range }, severity, ...range }];
  });
}

/** The same mistake is found at an anchor and at each of its aliases. */
function keyOf({ problem: { code, message } }: Found): string {
  return `${code} ${message}`;
}

/** Returns a file without aliases and merges; undefined if it has none, or if they cannot be expanded. */
function expand(file: ModelFile): Expanded | undefined {
  const known = expanded.get(file);
  if (known !== undefined) return known ?? undefined;
  const read = mayExpand(file) ? expandedFile(file) : undefined;
  expanded.set(file, read ?? null);
  return read;
}

function mayExpand({ language, text, chunks, jinja, conflicted, problems }: ModelFile): boolean {
  if (language !== 'yaml' || text.length > LONGEST || jinja.length > 0 || conflicted || problems.length > 0)
    return false;
  return (
    (/<<\s*:/.test(text) || chunks.some(({ chunk }) => chunk.anchors.some(({ isAlias }) => isAlias))) &&
    chunks.every(({ chunk }) => chunk.problems.length === 0)
  );
}

function expandedFile(file: ModelFile): Expanded | undefined {
  const changes = expandedChunks(
    file.chunks.map(({ chunk }) => chunk),
    file.text.length,
  );
  if (!changes) return undefined;
  const inFile = file.chunks.flatMap(({ chunk, start }) =>
    (changes.get(chunk) ?? []).map((change) => ({ ...change, start: start + change.start, end: start + change.end })),
  );
  const { text, stretches } = withEdits(file.text, inFile);
  const read = withinLimits(file.path, text, () => {
    const chunks = replacedChunks(file.chunks, (chunk) => expandedChunk(chunk, changes.get(chunk) ?? NOTHING));
    return chunks ? { ...file, text, chunks } : unreadFile(file.path, text, 'its aliases are nested too deep');
  });
  return { file: read, map: new SourceMap(stretches) };
}

/** Returns chunks of other lengths in place of the given ones; undefined if one has no replacement. */
function replacedChunks(
  chunks: readonly PlacedChunk[],
  replace: (chunk: Chunk) => Chunk | undefined,
): readonly PlacedChunk[] | undefined {
  const replaced: PlacedChunk[] = [];
  let moved = 0;
  let section = { before: -1, after: -1 };
  for (const { chunk, start, sectionStart, lead } of chunks) {
    if (section.before !== sectionStart) section = { before: sectionStart, after: sectionStart + moved };
    const own = replace(chunk);
    if (!own) return undefined;
    replaced.push({ start: start + moved, sectionStart: section.after, lead, chunk: own });
    moved += own.text.length - chunk.text.length;
  }
  return replaced;
}

const NOTHING: readonly TextChange[] = [];

interface ExpandedChunk {
  readonly changes: readonly TextChange[];
  /** Undefined if its values are nested so deep that parsers would recurse too far. */
  readonly chunk: Chunk | undefined;
}

const expandedOf = new ChunkNotes<ExpandedChunk>();

/** Returns the chunk without aliases. One that has none is copied too, because its problems in the expanded model are its own. */
function expandedChunk(chunk: Chunk, changes: readonly TextChange[]): Chunk | undefined {
  const known = expandedOf.get(chunk);
  if (known?.changes === changes) return known.chunk;
  const { text } = withEdits(chunk.text, changes);
  const made = whyUnreadable(text) === undefined ? parseChunk(chunk, text) : undefined;
  expandedOf.set(chunk, { changes, chunk: made });
  return made;
}

/** Returns a model in which the aliases of all files are replaced by their values. */
export function withoutAliases(index: ModelIndex): ModelIndex {
  const known = indexes.get(index);
  if (known?.revision === index.revision) return known.index;
  const files = [...index.files()].flatMap((file) => expand(file)?.file ?? []);
  const replaced = index.replacing(files, known?.index);
  indexes.set(index, { revision: index.revision, index: replaced });
  return replaced;
}
