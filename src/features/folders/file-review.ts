import { Store } from '#base/store.ts';
import { plural } from '#base/words.ts';
import type { ReviewDocument, ReviewRow } from '#features/review/messages.ts';
import type { ReviewSource, RowTexts } from '#features/review/source.ts';

/** Files that are written only after a user has seen what becomes of them. */
export interface ReviewedFiles {
  /** Names the tab. */
  readonly key: string;
  readonly title: string;
  readonly from: string;
  readonly to: string;
  /** The heading of the list. */
  readonly heading: string;
  readonly rows: readonly ReviewRow[];
  /** The primary button, by the ticked files: `Restore 3 Files`. */
  readonly button: (files: string) => string;
  readonly texts: (id: string) => Promise<RowTexts>;
  /** Opens a row in an editor. */
  readonly diff: (id: string) => Promise<unknown>;
}

/** The page of some files, and the ids of those that were ticked when it was confirmed; `undefined`: it was closed. */
export interface FileReview {
  readonly source: ReviewSource;
  readonly answer: Promise<ReadonlySet<string> | undefined>;
}

/** Makes the page of files that are put back or given up: all of them are ticked at first. */
export function fileReview(files: ReviewedFiles): FileReview {
  const { key, rows, texts, diff } = files;
  let finish = (_chosen: ReadonlySet<string> | undefined): void => undefined;
  const answer = new Promise<ReadonlySet<string> | undefined>((resolve) => {
    finish = resolve;
  });
  const groups = [{ id: 'files', label: files.heading, rows }];
  const all = new Set(rows.map(({ id }) => id));
  const document = new Store<ReviewDocument | undefined>(documentOf(files, groups, all));
  const tick = (ids: readonly string[], isTicked: boolean): void => {
    const ticked = new Set(document.value?.ticked);
    for (const id of ids) {
      if (!isTicked) ticked.delete(id);
      else if (all.has(id)) ticked.add(id);
    }
    document.set(documentOf(files, groups, ticked));
  };
  const source: ReviewSource = {
    key,
    document,
    tick,
    texts,
    diff,
    apply: async () => {
      finish(document.value?.ticked);
      return Promise.resolve(true);
    },
    close: () => finish(undefined),
  };
  return { source, answer };
}

function documentOf(
  { title, from, to, button }: ReviewedFiles,
  groups: ReviewDocument['groups'],
  ticked: ReadonlySet<string>,
): ReviewDocument {
  const whyNot = ticked.size === 0 ? 'Tick at least one file.' : '';
  return {
    title,
    from,
    to,
    isProduction: false,
    warnings: [],
    sections: [],
    options: [],
    action: { label: button(plural(ticked.size, 'File')), whyNot },
    links: [],
    empty: 'No file is left.',
    busy: '',
    groups,
    ticked,
  };
}
