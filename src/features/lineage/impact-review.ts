import { type BranchFiles, type BranchTree, compareTexts, textsOf } from '#features/folders/index.ts';
import {
  buildAppearance,
  type BuildWatcher,
  deployBranchOf,
  type PlatformData,
  type Session,
} from '#features/platform/index.ts';
import { goneNames, type ModelTexts } from '#features/lineage/model-changes.ts';
import type { ImpactReport } from '#features/lineage/report.ts';
import { workspaceUsage } from '#features/language/index.ts';
import type { RenderTemplates } from '#features/language/messages.ts';
import type { Operations } from '#shell/operations.ts';
import { Hint } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';

/** What is read of two branches and of the workspace, to say what a change means. */
export interface ReviewDeps {
  readonly data: PlatformData;
  readonly branchFiles: Pick<BranchFiles, 'tree'>;
  readonly remote: { refresh(target: BranchTarget): Promise<unknown> };
  readonly builds: BuildWatcher;
  /** Has the templates of either branch rendered. */
  readonly render: RenderTemplates;
  readonly offers: (accountId: string, operationId: string) => boolean;
}

/** What merging one branch into another means: files, names that queries use, references, reports and dashboards. */
export async function review(services: ReviewDeps, from: BranchTarget, to: BranchTarget): Promise<ImpactReport> {
  await services.remote.refresh(from);
  const after = textsOf(await services.branchFiles.tree(from));
  const build = services.builds.stateOf(from);
  const buildText = build ? buildAppearance(build).words : 'not known';
  return reviewTexts(services, to, { from: from.branchName, build: buildText, after: () => Promise.resolve(after) });
}

/** The same for texts that are on no branch yet, made of what the branch holds now. */
export async function reviewTexts(
  services: Omit<ReviewDeps, 'builds'>,
  to: BranchTarget,
  { from, build, after }: ReviewedTexts,
): Promise<ImpactReport> {
  await services.remote.refresh(to);
  const before = await services.branchFiles.tree(to);
  const [old, now] = [textsOf(before), await after(before)];
  const { modelImpact } = await import('#features/lineage/model-impact.ts');
  const model = await modelImpact(old, now, services.render);
  const usedBy = await workspaceUsage(services.data, to, goneNames(model), {
    dashboards: services.offers(to.accountId, 'getWorkbookDashboard') && services.offers(to.accountId, 'listWorkbooks'),
  });
  return { from, to: to.branchName, build, files: compareTexts(old, now), model, usedBy };
}

/** What is compared with a branch. */
interface ReviewedTexts {
  /** What it is called in the review. */
  readonly from: string;
  /** Its build state in words. */
  readonly build: string;
  readonly after: (before: BranchTree) => Promise<ModelTexts>;
}

/** Reviews the active (or the given) branch against the deploy branch; throws `UserError` where there is none of either. */
export async function reviewAgainstDeploy(
  services: ReviewDeps & { readonly session: Session; readonly operations: Operations },
  given: BranchTarget | undefined,
): Promise<ImpactReport> {
  const from = given ?? services.session.activeTarget();
  if (!from) {
    throw new Hint('Choose a branch in the Branches view, or start dev mode.', {
      title: 'Start Dev Mode',
      command: 'modelbench.devMode.start',
    });
  }
  const deploy = deployBranchOf(await services.data.of(from).branches.get());
  if (!deploy) throw new Hint('This deployment has no deploy branch to compare with.');
  return services.operations.run({
    label: `Reviewing ${from.branchName}`,
    key: `review ${from.branchName}`,
    run: async () => review(services, from, { ...from, branchName: deploy.name }),
  });
}
