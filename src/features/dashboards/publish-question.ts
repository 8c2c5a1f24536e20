import { isEqual } from '#base/equal.ts';
import { plural } from '#base/words.ts';
import type { PlatformData } from '#features/platform/index.ts';
import { Hint } from '#shell/user-error.ts';
import { draftChanges } from './draft-changes.ts';
import { readDashboard, type Workbook } from './workbook.ts';

/** The confirmation before a draft is published. */
export interface PublishQuestion {
  readonly text: string;
  /** The changes for viewers of the dashboard. */
  readonly detail: string;
  /** The draft to compare with the published version; `undefined` if nothing is published. */
  readonly draft: unknown;
  /** What the platform had when the question was asked. */
  readonly read: { readonly draft: unknown; readonly published: unknown };
}

/** Returns the question again if the draft or what is published has changed since it was asked; otherwise `undefined`. */
export function changedQuestion(asked: PublishQuestion, now: PublishQuestion): PublishQuestion | undefined {
  if (isEqual(asked.read, now.read)) return undefined;
  return { ...now, text: `This has changed since you confirmed it. ${now.text}` };
}

/** The maximum number of changes that the confirmation lists. */
const mostChanges = 4;

/**
 * Reads what publishing a workbook's draft would change. `isOlder`: whether the editor shows a different draft than this one of
 * the platform. Throws `Hint` if there is no draft.
 */
export async function publishQuestion(
  data: PlatformData,
  workbook: Workbook,
  isOlder: (draft: unknown) => boolean,
): Promise<PublishQuestion> {
  const { name } = workbook;
  const { dashboardDraft, dashboardPublished } = await readDashboard(data, workbook);
  if (!dashboardDraft) {
    throw new Hint(`“${name}” has no draft to publish. Edit its dashboard and save it first.`);
  }
  return {
    text: isOlder(dashboardDraft)
      ? `Someone saved a newer draft of “${name}” than your editor shows. Publish theirs?`
      : `Publish the draft of “${name}”?`,
    detail: dashboardPublished ? changesIn(dashboardPublished, dashboardDraft) : 'for the first time',
    draft: dashboardPublished ? dashboardDraft : undefined,
    read: { draft: dashboardDraft, published: dashboardPublished },
  };
}

function changesIn(published: unknown, draft: unknown): string {
  const changes = draftChanges(published, draft);
  if (changes.length === 0) return 'no difference from the published version';
  const more = changes.length - mostChanges;
  const shown = changes.slice(0, mostChanges).join(' · ');
  return `${plural(changes.length, 'change')}: ${shown}${more > 0 ? ` · and ${more} more` : ''}`;
}
