import type { Event } from '#base/event.ts';
import { baseName } from '#base/path.ts';
import { Store } from '#base/store.ts';
import type { TextChange } from '#base/text-change.ts';
import { UserError } from '#shell/user-error.ts';
import type { ReviewDocument } from './messages.ts';
import { oneFileDocument } from './one-file-document.ts';
import type { ReviewSource } from './source.ts';

/** A change of one file that the user reviews before it is made. */
export interface FileEdit {
  /** What the change does; also the label of the button that makes it. */
  readonly title: string;
  /** Where the change comes from: `Quick fix`. */
  readonly from: string;
  /** As the user knows the file. */
  readonly path: string;
  readonly replacement: TextChange;
}

/** The file of an edit, as the page of the review needs it. */
export interface FileEditPorts {
  /** Resolves to the current text of the file, unsaved changes included. */
  readonly read: () => Promise<string>;
  /** Reports changes of the file's text; those of one event follow each other. */
  readonly onDidChange: Event<readonly TextChange[]>;
  /** Returns what the edit changes in the model, one line each. */
  readonly changes: (before: string, after: string) => Promise<readonly string[]>;
  /** Shows both texts in an editor. */
  readonly diff: (before: string, after: string) => Promise<unknown>;
  /** Makes the change, which the user can undo; resolves to whether it was made. */
  readonly apply: (replacement: TextChange) => Promise<boolean>;
  /** Called once when the review ends: whether the change was made, and where it begins. */
  readonly ended: (isApplied: boolean, start: number) => void;
}

/**
 * Returns the page on which the user reviews a change of one file. The change follows what is written before and after it
 * meanwhile; it can no longer be made once its own text was edited. `removed` is the text that it replaces.
 */
export function editReview(edit: FileEdit, removed: string, ports: FileEditPorts): ReviewSource {
  let { replacement } = edit;
  let isApplied = false;
  let revision = 0;
  const document = new Store<ReviewDocument | undefined>(documentOf(edit, revision, ''));
  const following = ports.onDidChange((changes) => {
    if (isApplied) return;
    const moved = changes.reduce<TextChange | undefined>((at, change) => at && behind(at, change), replacement);
    replacement = moved ?? replacement;
    const whyNot = document.value?.action.whyNot ?? '';
    document.set(documentOf(edit, (revision += 1), moved ? whyNot : OUTDATED));
  });
  const texts = async (): Promise<{ readonly before: string; readonly after: string }> => {
    const before = await ports.read();
    if (before.slice(replacement.start, replacement.end) !== removed) throw new UserError(OUTDATED);
    return { before, after: replaced(before, replacement) };
  };
  return {
    key: `edit ${edit.path}`,
    accountId: undefined,
    document,
    // The page has only this one file, so there is nothing to select.
    tick: () => undefined,
    texts: async () => {
      const { before, after } = await texts();
      return { before, after, changes: await ports.changes(before, after) };
    },
    diff: async () => {
      const { before, after } = await texts();
      return ports.diff(before, after);
    },
    apply: async () => {
      await texts();
      isApplied = true;
      isApplied = await ports.apply(replacement);
      if (!isApplied)
        throw new UserError(`${baseName(edit.path)} was not changed. Close this page and choose the fix again.`);
      return true;
    },
    close: () => {
      following.dispose();
      ports.ended(isApplied, replacement.start);
    },
  };
}

const OUTDATED = 'This text was edited after the change was proposed. Close this page and choose the change again.';

/** Returns where a range is after another change of the text; `undefined` if the change is within it. */
function behind(at: TextChange, { start, end, text }: TextChange): TextChange | undefined {
  const by = text.length - (end - start);
  if (end <= at.start) return { ...at, start: at.start + by, end: at.end + by };
  return start >= at.end ? at : undefined;
}

function replaced(text: string, { start, end, text: inserted }: TextChange): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/** `revision` is another number whenever the text has changed, so that the page asks for the difference again. */
function documentOf({ title, from, path }: FileEdit, revision: number, whyNot: string): ReviewDocument {
  return oneFileDocument({
    title,
    from,
    to: path,
    warnings: whyNot === '' ? [] : [{ id: 'outdated', severity: 'warning', text: whyNot }],
    action: { label: title, whyNot },
    group: { id: `edit ${revision}`, label: 'File' },
    row: { id: path, path, kind: 'change' },
  });
}
