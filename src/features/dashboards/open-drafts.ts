import { OpenDraft } from './open-draft.ts';
import type { DraftLocation } from './save-draft.ts';
import type { Workbook } from './workbook.ts';

/** The drafts that were opened in this window, by the URI of their document. */
export class OpenDrafts {
  readonly #drafts = new Map<string, OpenDraft>();
  readonly #locationOf: (workbook: Workbook) => DraftLocation;

  /** `locationOf`: returns where the platform stores the draft of a workbook. */
  constructor(locationOf: (workbook: Workbook) => DraftLocation) {
    this.#locationOf = locationOf;
  }

  at(address: string): OpenDraft | undefined {
    return this.#drafts.get(address);
  }

  /**
   * Returns the URI of a workbook's open draft. The URI contains names that may be loaded only later, so an existing one is kept.
   */
  addressOf({ target, id }: Workbook): string | undefined {
    const { accountId, deploymentId } = target;
    const found = [...this.#drafts].find(
      ([, { workbook }]) =>
        workbook.id === id && workbook.target.accountId === accountId && workbook.target.deploymentId === deploymentId,
    );
    return found?.[0];
  }

  /** Registers a draft, replacing the one that was open at that URI. */
  begin(address: string, workbook: Workbook): OpenDraft {
    const draft = new OpenDraft(workbook, this.#locationOf(workbook));
    this.#drafts.set(address, draft);
    return draft;
  }

  clear(): void {
    this.#drafts.clear();
  }
}

/**
 * Returns the path of a workbook's document. Each workbook has its own folder, because a copy of a workbook has the same name.
 */
export function draftPath({ target, id, name }: Workbook, title: string, ending: string): string {
  return `/${title} ${target.deploymentId}/workbook ${id}/${name.replaceAll('/', '-')}.${ending}`;
}
