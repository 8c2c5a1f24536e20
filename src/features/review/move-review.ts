import { baseName, dirName } from '#base/path.ts';
import { Store } from '#base/store.ts';
import { UserError } from '#shell/user-error.ts';
import type { ReviewDocument } from './messages.ts';
import { oneFileDocument } from './one-file-document.ts';
import type { ReviewSource } from './source.ts';

/** A file that the user moves after a review; its text stays as it is. */
export interface FileMove {
  /** Also the label of the button. */
  readonly title: string;
  /** As the user knows the file, before and after. */
  readonly from: string;
  readonly to: string;
}

/** The actions of the page. */
export interface FileMovePorts {
  readonly read: () => Promise<string>;
  /** Shows the file. */
  readonly show: () => Promise<unknown>;
  /** Moves the file, and shows it in its new folder; resolves to whether it did. An existing file is not replaced. */
  readonly apply: () => Promise<boolean>;
}

/** Returns the page on which the user reviews that a file moves to another folder. */
export function moveReview(move: FileMove, { read, show, apply }: FileMovePorts): ReviewSource {
  return {
    key: `move ${move.from}`,
    accountId: undefined,
    document: new Store<ReviewDocument | undefined>(documentOf(move)),
    // The page has only this one file, so there is nothing to select.
    tick: () => undefined,
    texts: async () => {
      const text = await read();
      return { before: text, after: text, note: `The file moves to ${move.to}. Its text does not change.` };
    },
    diff: show,
    apply: async () => {
      if (await apply()) return true;
      throw new UserError(
        `${baseName(move.from)} was not moved. If a file of that name exists in ${dirName(move.to)} now, choose the fix again.`,
      );
    },
    close: () => undefined,
  };
}

function documentOf({ title, from, to }: FileMove): ReviewDocument {
  return oneFileDocument({
    title,
    from: dirName(from) || '.',
    to: dirName(to) || '.',
    action: { label: title, whyNot: '' },
    group: { id: 'files', label: 'File' },
    row: { id: to, path: to, kind: 'rename', from },
  });
}
