import { asError } from '#base/async.ts';
import type { ModelDiffLine, ModelDiff } from './model-diff.ts';

/** Texts of a model by path. */
export type ModelTexts = ReadonlyMap<string, string>;

/** Both texts of a change, with the path on each side. */
export interface FileTexts {
  readonly before: readonly [path: string, text: string] | undefined;
  readonly after: readonly [path: string, text: string] | undefined;
}

/**
 * Finds what replacing the previous texts by the later ones changes in the model. The other texts are the same on both sides;
 * they are read only if names lead to them.
 */
export type CompareModels = (
  before: ModelTexts,
  after: ModelTexts,
  others: () => Promise<ModelTexts>,
) => Promise<ModelDiff>;

/** Compares models, for features that show what files change; reading models is a feature in a layer above. */
export interface ModelComparison {
  /** Resolves to what one file changes, one line each. */
  readonly ofFile: (path: string, before: string | undefined, after: string | undefined) => Promise<readonly string[]>;
  /** Resolves to what several files change together. */
  readonly ofFiles: CompareModels;
}

/** The dependencies of {@link filesModelDiff}. */
export interface FilesModelDiffPorts<Row> {
  readonly pathOf: (row: Row) => string;
  /** Rejects if a text cannot be read. */
  readonly texts: (row: Row) => Promise<FileTexts>;
  /** Resolves to the files that the list does not name: they are the same on both sides. */
  readonly others: () => Promise<ModelTexts>;
  readonly compare: CompareModels;
  /** Whether the result is no longer needed. */
  readonly isOver?: () => boolean;
}

/** The number of files to read at the same time. */
const atOnce = 8;

/** Resolves to what the ticked rows of a list change in the model; unticked files keep their previous text. */
export async function filesModelDiff<Row>(
  { ticked, unticked }: Record<'ticked' | 'unticked', readonly Row[]>,
  { pathOf, texts, others, compare, isOver = () => false }: FilesModelDiffPorts<Row>,
): Promise<ModelDiff> {
  const unread: ModelDiffLine[] = [];
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (let first = 0; first < ticked.length && !isOver(); first += atOnce) {
    const some = ticked.slice(first, first + atOnce);
    const read = await Promise.allSettled(some.map(texts));
    for (const [at, row] of some.entries()) {
      const result = read[at];
      if (result?.status === 'fulfilled') {
        if (result.value.before) before.set(...result.value.before);
        if (result.value.after) after.set(...result.value.after);
      } else unread.push(unreadLine(pathOf(row), asError(result?.reason)));
    }
  }
  const diff = await compare(before, after, async () => {
    const all = new Map(await others());
    const kept = await Promise.allSettled(unticked.map(texts));
    for (const result of kept)
      if (result.status === 'fulfilled' && result.value.before) all.set(...result.value.before);
    return all;
  });
  if (unread.length === 0) return diff;
  return { summary: `${diff.summary} (not all files could be read)`, lines: [...unread, ...diff.lines] };
}

function unreadLine(path: string, { message }: Error): ModelDiffLine {
  return { severity: 'warning', text: `${path} could not be read: ${message}` };
}
