import { type ModelFile, parseRendered } from '../file.ts';
import type { ModelIndex } from '../index.ts';
import { expandAliases } from '../syntax/aliases.ts';
import { SourceMap } from '../templates/source-map.ts';
import { type Found, relatedProblems, textProblems } from './check.ts';

interface Expanded {
  readonly file: ModelFile;
  readonly map: SourceMap;
}

/** Maximum length of a file that is expanded, in characters: each edit parses the whole expanded text again. */
const LONGEST = 100_000;

const expanded = new WeakMap<ModelFile, Expanded | null>();
const indexes = new WeakMap<ModelIndex, { readonly revision: number; readonly index: ModelIndex }>();

/**
 * Returns the errors that a file's aliases (`*name`) cause: those of the text in which each alias is replaced by its value, without
 * `own`, the problems of the text as it is written. An alias has one error at most.
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
    ...read.file.chunks.flatMap((placed) => relatedProblems(placed, expandedIndex(index), read.file, { isStandalone })),
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

/** Returns a file without aliases; undefined if it has none, or if they cannot be expanded. */
function expand(file: ModelFile): Expanded | undefined {
  const known = expanded.get(file);
  if (known !== undefined) return known ?? undefined;
  const text = mayExpand(file) ? expandAliases(file.text) : undefined;
  const read = text && {
    file: parseRendered(file.path, { ...text, unsure: [], anything: [] }),
    map: new SourceMap(text.stretches),
  };
  expanded.set(file, read ?? null);
  return read;
}

function mayExpand({ language, text, chunks, jinja, conflicted, problems }: ModelFile): boolean {
  if (language !== 'yaml' || text.length > LONGEST || jinja.length > 0 || conflicted || problems.length > 0)
    return false;
  return (
    chunks.some(({ chunk }) => chunk.anchors.some(({ isAlias }) => isAlias)) &&
    chunks.every(({ chunk }) => chunk.problems.length === 0)
  );
}

/** Returns a model with all its aliases expanded. */
function expandedIndex(index: ModelIndex): ModelIndex {
  const known = indexes.get(index);
  if (known?.revision === index.revision) return known.index;
  const replaced = index.replacing([...index.files()].flatMap((file) => expand(file)?.file ?? []));
  indexes.set(index, { revision: index.revision, index: replaced });
  return replaced;
}
