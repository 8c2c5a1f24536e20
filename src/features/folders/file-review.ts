import { Store } from '#base/store.ts';
import { plural } from '#base/words.ts';
import {
  filesModelDiff,
  type FileTexts,
  LiveModelDiff,
  type ModelComparison,
  type ModelTexts,
  type Reviews,
  type ReviewSource,
  type RowTexts,
} from '#features/review/index.ts';
import type { ReviewDocument, ReviewRow, ReviewSection } from '#features/review/messages.ts';
import type { UntickedFiles } from './unticked-files.ts';

/** Files that are written only after the user has reviewed them. */
export interface ReviewedFiles {
  /** Identifies the tab. */
  readonly key: string;
  /** The account whose versions are shown. */
  readonly accountId: string;
  readonly title: string;
  readonly from: string;
  readonly to: string;
  /** The heading of the list. */
  readonly heading: string;
  readonly rows: readonly ReviewRow[];
  /** A note above the list that the user must read first. */
  readonly note?: string;
  /** The reason why nothing can be applied now. */
  readonly whyNot?: string;
  /** Returns the label of the primary button for the ticked files: `Restore 3 Files`. */
  readonly button: (files: string) => string;
  readonly texts: (id: string) => Promise<RowTexts>;
  /** Opens a row in an editor. */
  readonly diff: (id: string) => Promise<unknown>;
  /** Returns the version of a row that the page offers, if its path does not say enough: an unticked row stays so in this version. */
  readonly version?: (id: string) => string;
  /** The data for the section on what the files change in the model. */
  readonly model: ReviewedModel;
}

/** Opens pages of several files. */
export interface FilePages extends Pick<Reviews, 'open'> {
  readonly model: ModelComparison;
  /** Where unticked files outlive the window; without it they last as long as the page. */
  readonly unticked?: UntickedFiles | undefined;
}

/** The model that the files belong to. */
interface ReviewedModel extends ModelComparison {
  /** Resolves to the models that are not in the list. */
  readonly others: () => Promise<ModelTexts>;
  /** Returns the path that a file gets, if it differs. */
  readonly laterPath?: (id: string) => string;
}

/** The page of some files, and the ids that were ticked when the user confirmed it; `undefined` if the user closed it. */
export interface FileReview {
  readonly source: ReviewSource;
  readonly answer: Promise<ReadonlySet<string> | undefined>;
}

/**
 * Makes the page of files to restore or discard. All of them are ticked at first, except those that the user unticked before the
 * window was reloaded; a file that cannot be unticked is always included.
 */
export function fileReview(files: ReviewedFiles, unticked?: UntickedFiles): FileReview {
  const { accountId, key, rows, diff } = files;
  let finish = (_chosen: ReadonlySet<string> | undefined): void => undefined;
  const answer = new Promise<ReadonlySet<string> | undefined>((resolve) => {
    finish = resolve;
  });
  const groups = [{ id: 'files', label: files.heading, rows }];
  const all = new Set(rows.map(({ id }) => id));
  const free = new Set(rows.flatMap(({ id, canTick }) => (canTick ? [id] : [])));
  const nameOf = (id: string): string => JSON.stringify([id, files.version?.(id) ?? '']);
  const before = unticked?.of(key) ?? new Set();
  const ticked = new Store<ReadonlySet<string>>(
    new Set([...all].filter((id) => !free.has(id) || !before.has(nameOf(id)))),
  );
  const modelDiff = liveDiffOf(files, ticked);
  const made = (): ReviewDocument => documentOf(files, groups, ticked.value, modelDiff.section(ticked.value));
  const document = new Store<ReviewDocument | undefined>(made());
  modelDiff.onDidFind(() => document.set(made()));
  const tick = (ids: readonly string[], isTicked: boolean): void => {
    const now = new Set(ticked.value);
    for (const id of ids) {
      if (!free.has(id)) continue;
      if (isTicked) now.add(id);
      else now.delete(id);
    }
    ticked.set(now);
    unticked?.set(key, new Set([...all].filter((id) => !now.has(id)).map(nameOf)));
    document.set(made());
  };
  const source: ReviewSource = {
    key,
    accountId,
    document,
    tick,
    texts: async (id) => shownTexts(files, id),
    diff,
    apply: async () => {
      unticked?.set(key, new Set());
      finish(ticked.value);
      return Promise.resolve(true);
    },
    close: () => {
      modelDiff.dispose();
      finish(undefined);
    },
  };
  return { source, answer };
}

/** Resolves to both texts of a row and what they change in the model. */
async function shownTexts({ texts, model }: ReviewedFiles, id: string): Promise<RowTexts> {
  const found = await texts(id);
  return { ...found, changes: await model.ofFile(id, found.before, found.after) };
}

/** Follows what the ticked files change in the model; each file is read once. */
function liveDiffOf(
  { rows, texts, model }: ReviewedFiles,
  step: Store<ReadonlySet<string>>,
): LiveModelDiff<ReadonlySet<string>> {
  const read = new Map<string, Promise<RowTexts>>();
  const textsOf = async (id: string): Promise<FileTexts> => {
    const reading = read.get(id) ?? texts(id);
    read.set(id, reading);
    return onSides(id, model, await reading);
  };
  const ids = rows.map(({ id }) => id);
  return new LiveModelDiff(step, {
    isSame: (one, other) => one === other,
    find: async (ticked, isOver) =>
      filesModelDiff(
        { ticked: ids.filter((id) => ticked.has(id)), unticked: ids.filter((id) => !ticked.has(id)) },
        {
          pathOf: (id) => id,
          texts: textsOf,
          others: model.others,
          compare: model.ofFiles,
          isOver,
        },
      ),
  });
}

function onSides(id: string, { laterPath = (path) => path }: ReviewedModel, { before, after }: RowTexts): FileTexts {
  return {
    before: before === undefined ? undefined : [id, before],
    after: after === undefined ? undefined : [laterPath(id), after],
  };
}

function documentOf(
  { title, from, to, button, note, whyNot = '' }: ReviewedFiles,
  groups: ReviewDocument['groups'],
  ticked: ReadonlySet<string>,
  modelDiff: ReviewSection,
): ReviewDocument {
  return {
    title,
    from,
    to,
    isProduction: false,
    warnings: note === undefined ? [] : [{ id: 'note', severity: 'info', text: note }],
    sections: [modelDiff],
    options: [],
    action: {
      label: button(plural(ticked.size, 'File')),
      whyNot: ticked.size === 0 ? 'Tick at least one file.' : whyNot,
    },
    links: [],
    empty: 'No file is left.',
    busy: '',
    groups,
    ticked,
  };
}
