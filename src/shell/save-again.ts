import type { Clock } from '#base/clock.ts';

/** A document of an editor. */
export interface Savable {
  readonly isDirty: boolean;
  /** Resolves to whether the document was saved. */
  save(): PromiseLike<boolean>;
}

/** What can be seen of the saves of one document. */
export interface Saves {
  readonly clock: Pick<Clock, 'sleep'>;
  /** How many of them VS Code has begun. */
  readonly begun: () => number;
}

const AGAIN_MS = 50;
/** If no save is seen to begin, because another extension takes too long with each. */
const ATTEMPTS = 100;

/**
 * Saves a document while others may save it, too: the user, or a merge editor, which saves its result when it opens. As long as
 * extensions work on such a save, VS Code answers `false` to the next one and does nothing, so that it is asked again. Resolves to
 * `false` if VS Code tried and could not save, for example because another program wrote the file.
 */
export async function saveAgain(document: Savable, { clock, begun }: Saves): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = begun();
    if ((await document.save()) || !document.isDirty) return true;
    // The first one may have seen the beginning of the other save.
    if (attempt > 1 && begun() > before) return false;
    await clock.sleep(AGAIN_MS);
    if (!document.isDirty) return true;
  }
  return false;
}
