import { OpenDraft } from './open-draft.ts';
import type { DraftLocation } from './save-draft.ts';
import type { Workbook } from './workbook.ts';

/** The drafts that were opened in this window, by the address of their document. */
export class OpenDrafts {
  readonly #drafts = new Map<string, OpenDraft>();
  readonly #locationOf: (workbook: Workbook) => DraftLocation;

  /** `locationOf`: where the platform has the draft of a workbook. */
  constructor(locationOf: (workbook: Workbook) => DraftLocation) {
    this.#locationOf = locationOf;
  }

  at(address: string): OpenDraft | undefined {
    return this.#drafts.get(address);
  }

  /** The address of a workbook's draft: it holds names, which may be known only later, so an earlier one stays. */
  addressOf({ target, id }: Workbook): string | undefined {
    const { accountId, deploymentId } = target;
    const found = [...this.#drafts].find(
      ([, { workbook }]) =>
        workbook.id === id && workbook.target.accountId === accountId && workbook.target.deploymentId === deploymentId,
    );
    return found?.[0];
  }

  /** Begins a draft; one that was open at that address is not a draft any more. */
  begin(address: string, workbook: Workbook): OpenDraft {
    const draft = new OpenDraft(workbook, this.#locationOf(workbook));
    this.#drafts.set(address, draft);
    return draft;
  }

  clear(): void {
    this.#drafts.clear();
  }
}

/** The path of a document of a workbook, in a folder of its own: a copy of a workbook has the same name. */
export function draftPath({ target, id, name }: Workbook, title: string, ending: string): string {
  return `/${title} ${target.deploymentId}/workbook ${id}/${name.replaceAll('/', '-')}.${ending}`;
}
