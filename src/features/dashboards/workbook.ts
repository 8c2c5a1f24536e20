import { getWorkbookDashboard, publishDashboard, updateWorkbookDashboard } from '#api/resources/dashboards.ts';
import type { AnswerOf } from '#api/operation.ts';
import type { OfferedData, PlatformData } from '#features/platform/index.ts';
import type { Chosen } from '#features/workspace/index.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import type { DraftLocation } from './save-draft.ts';

/** A workbook that a command acts on; its dashboard has a draft and a published version. */
export interface Workbook {
  readonly target: DeploymentTarget;
  readonly id: string;
  readonly name: string;
}

/**
 * Resolves to the chosen workbook. Throws a `Hint` if the item is not a workbook or its dashboard cannot be read
 * (docs/platform-api.md#getworkbookdashboard is optional).
 */
export async function chosenWorkbook(
  { offers, learnOffers }: Pick<OfferedData, 'offers' | 'learnOffers'>,
  { target, items }: Chosen,
): Promise<Workbook> {
  const [item] = items;
  if (!item || item.type !== 'WORKBOOK') throw new Hint('Choose a workbook: dashboards belong to workbooks.');
  await learnOffers(target.accountId);
  if (!offers(target.accountId, 'getWorkbookDashboard')) {
    throw new Hint('This platform’s API cannot read dashboards.');
  }
  return { target, id: item.id, name: item.name };
}

/** Returns the parameters of operations on the dashboard of a workbook. */
export const dashboardParams = ({
  target,
  id,
}: Workbook): { readonly deploymentId: string; readonly workbookId: string } => ({
  deploymentId: target.deploymentId,
  workbookId: id,
});

/** Reads the draft and the published version of a workbook's dashboard. */
export async function readDashboard(
  data: PlatformData,
  workbook: Workbook,
): Promise<AnswerOf<typeof getWorkbookDashboard>> {
  return data.client(workbook.target.accountId).call(getWorkbookDashboard, { params: dashboardParams(workbook) });
}

/** Reads the published version; throws `UserError` if there is none. */
export async function readPublished(data: PlatformData, workbook: Workbook): Promise<unknown> {
  const { dashboardPublished } = await readDashboard(data, workbook);
  if (!dashboardPublished) throw new Hint(`“${workbook.name}” has not been published yet.`);
  return dashboardPublished;
}

/** Returns where the draft of a workbook is read and written (docs/platform-api.md#updateworkbookdashboard). */
export function draftPlaceOf(data: PlatformData, workbook: Workbook): DraftLocation {
  return {
    read: async () => (await readDashboard(data, workbook)).dashboardDraft ?? undefined,
    write: async (draft) => {
      const saved = await data.client(workbook.target.accountId).call(updateWorkbookDashboard, {
        params: dashboardParams(workbook),
        body: { dashboardDraft: draft as never },
      });
      return saved.dashboardDraft ?? draft;
    },
  };
}

/**
 * Publishes the draft of a workbook (docs/platform-api.md#publishdashboard, optional). `allowEmbed`: whether it may then be
 * embedded; `undefined` leaves that unchanged.
 */
export async function publishDraft(
  data: PlatformData,
  workbook: Workbook,
  allowEmbed: boolean | undefined,
): Promise<void> {
  const body = allowEmbed === undefined ? {} : { allowEmbed };
  await data.client(workbook.target.accountId).call(publishDashboard, { params: dashboardParams(workbook), body });
}
