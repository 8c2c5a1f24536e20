import { asError } from '#base/async.ts';
import type { MeaningLine, ModelMeaning } from './model-meaning.ts';

/** Texts of a model by path. */
export type ModelTexts = ReadonlyMap<string, string>;

/** Both texts of a change, by the paths that they have on their side. */
export interface FileTexts {
  readonly before: readonly [path: string, text: string] | undefined;
  readonly after: readonly [path: string, text: string] | undefined;
}

/**
 * What replacing the former texts by the later ones changes of the model. The others are the same on both sides; they are read
 * only where names lead to them.
 */
export type CompareModels = (
  before: ModelTexts,
  after: ModelTexts,
  others: () => Promise<ModelTexts>,
) => Promise<ModelMeaning>;

/** What a feature that shows what files change of the model needs for it; reading models is a feature above it. */
export interface ModelComparison {
  /** What one file changes, a line each. */
  readonly ofFile: (path: string, before: string | undefined, after: string | undefined) => Promise<readonly string[]>;
  /** What several files change together. */
  readonly ofFiles: CompareModels;
}

/** What the meaning of ticked files is made of. */
export interface FilesMeaningPorts<Row> {
  readonly pathOf: (row: Row) => string;
  /** Rejects where a text cannot be read. */
  readonly texts: (row: Row) => Promise<FileTexts>;
  /** The files that the list does not name: they are the same on both sides. */
  readonly others: () => Promise<ModelTexts>;
  readonly compare: CompareModels;
  /** Whether the result is no longer needed. */
  readonly isOver?: () => boolean;
}

/** So many files are read at the same time. */
const atOnce = 8;

/** What the ticked rows of a list change of the model; what is not ticked stays as it is. */
export async function filesMeaning<Row>(
  { ticked, unticked }: Record<'ticked' | 'unticked', readonly Row[]>,
  { pathOf, texts, others, compare, isOver = () => false }: FilesMeaningPorts<Row>,
): Promise<ModelMeaning> {
  const unread: MeaningLine[] = [];
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
  const meaning = await compare(before, after, async () => {
    const all = new Map(await others());
    const kept = await Promise.allSettled(unticked.map(texts));
    for (const result of kept)
      if (result.status === 'fulfilled' && result.value.before) all.set(...result.value.before);
    return all;
  });
  if (unread.length === 0) return meaning;
  return { summary: `${meaning.summary} (not all files could be read)`, lines: [...unread, ...meaning.lines] };
}

function unreadLine(path: string, { message }: Error): MeaningLine {
  return { severity: 'warning', text: `${path} could not be read: ${message}` };
}
