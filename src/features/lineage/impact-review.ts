import { type BranchFiles, type BranchTree, compareTexts, textsOf } from '#features/folders/index.ts';
import {
  buildAppearance,
  type BuildWatcher,
  deployBranchOf,
  type PlatformData,
  type Session,
} from '#features/platform/index.ts';
import { goneNames, type ModelTexts, otherResults } from '#features/lineage/model-changes.ts';
import type { ImpactReport } from '#features/lineage/report.ts';
import { workspaceUsage } from '#features/language/index.ts';
import type { RenderTemplates } from '#model/templates/render-model.ts';
import type { Operations } from '#shell/operations.ts';
import { Hint } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';

/** What a review of a change reads from two branches and the workspace. */
export interface ReviewDeps {
  readonly data: PlatformData;
  readonly branchFiles: Pick<BranchFiles, 'tree'>;
  readonly remote: { refresh(target: BranchTarget): Promise<unknown> };
  readonly builds: BuildWatcher;
  /** Renders the templates of either branch. */
  readonly render: RenderTemplates;
  readonly offers: (accountId: string, operationId: string) => boolean;
}

/** Reviews the merge of one branch into another: files, names that queries use, references, reports and dashboards. */
export async function review(services: ReviewDeps, from: BranchTarget, to: BranchTarget): Promise<ImpactReport> {
  await services.remote.refresh(from);
  const after = textsOf(await services.branchFiles.tree(from));
  const build = services.builds.stateOf(from);
  const buildText = build ? buildAppearance(build).label : 'not known';
  return reviewTexts(services, to, { from: from.branchName, build: buildText, after: () => Promise.resolve(after) });
}

/** Reviews texts that are not on any branch yet; `after` makes them from the branch's current files. */
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
  const names = [...goneNames(model), ...otherResults(model)];
  const usedBy = await workspaceUsage(services.data, to, names, {
    dashboards: services.offers(to.accountId, 'getWorkbookDashboard') && services.offers(to.accountId, 'listWorkbooks'),
  });
  return { from, to: to.branchName, build, files: compareTexts(old, now), model, usedBy };
}

/** The texts to compare with a branch. */
interface ReviewedTexts {
  /** Their name in the review. */
  readonly from: string;
  /** The text of their build state. */
  readonly build: string;
  readonly after: (before: BranchTree) => Promise<ModelTexts>;
}

/** Reviews the active (or the given) branch against the deploy branch; throws `Hint` if either does not exist. */
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
