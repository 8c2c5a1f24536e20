import { UserError } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { OfferedData } from '#features/platform/vscode/deps.ts';
import type { Chosen } from '#features/workspace/vscode/organise-items.ts';

/** A workbook that a command acts on. */
export interface Workbook {
  readonly target: DeploymentTarget;
  readonly id: string;
  readonly name: string;
}

/** The chosen workbook; throws what to do when it is none, or when its dashboard cannot be read (docs/platform-api.md#getworkbookdashboard is optional). */
export async function chosenWorkbook(
  { offers, learnOffers }: Pick<OfferedData, 'offers' | 'learnOffers'>,
  { target, items }: Chosen,
): Promise<Workbook> {
  const [item] = items;
  if (!item || item.type !== 'WORKBOOK') throw new UserError('Choose a workbook: dashboards belong to workbooks.');
  await learnOffers(target.accountId);
  if (!offers(target.accountId, 'getWorkbookDashboard')) {
    throw new UserError('This platform’s API cannot read dashboards.');
  }
  return { target, id: item.id, name: item.name };
}
