import { reviewAgainstDeploy } from '#features/lineage/impact-review.ts';
import { type ImpactReport, impactText } from '#features/lineage/report.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';

/** The view that shows a review. */
interface ReviewPage {
  readonly objects: DocumentFiles;
}

/** What reviewing the active branch needs. */
export type OpenReviewDeps = Parameters<typeof reviewAgainstDeploy>[0] & ReviewPage;

/** Opens the review of the active (or the given) branch against the deploy branch. */
export async function openReview(services: OpenReviewDeps, given: BranchTarget | undefined): Promise<void> {
  const report = await reviewAgainstDeploy(services, given);
  const { accountId = '' } = given ?? services.session.active.value ?? {};
  await showReview(services, report, accountId);
}

/** Shows a review as a rendered page. `accountId`: the account of its branches. */
export async function showReview({ objects }: ReviewPage, report: ImpactReport, accountId: string): Promise<void> {
  const name = `${report.from} → ${report.to}`.replaceAll('/', '-');
  await objects.preview(accountId, `/reviews/${name}.md`, impactText(report));
}
