import { Store } from '#base/store.ts';
import { branchKey, type BuildWatcher, deployBranchOf, type PlatformData } from '#features/platform/index.ts';
import { failureOf } from '#shell/error-texts.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { type DeploymentDetails, deploymentNodeId } from './deployment-tree.ts';

/**
 * What the rows of deployments show below them. Others load the environments or branches of a deployment as well, so what
 * happens to be there does not say whether its row was opened: without its versions and its build it would stay half empty.
 */
export class OpenedDeployments {
  readonly #data: PlatformData;
  readonly #builds: Pick<BuildWatcher, 'check' | 'states'>;
  readonly #opened = new Store<ReadonlySet<string>>(new Set());

  constructor(services: { readonly data: PlatformData; readonly builds: Pick<BuildWatcher, 'check' | 'states'> }) {
    this.#data = services.data;
    this.#builds = services.builds;
  }

  /** What is known of a deployment; `undefined` until its row was opened once. Can be called in `derived`. */
  detailsOf(target: DeploymentTarget): DeploymentDetails | undefined {
    const known = this.#data.known(target);
    if (!known || !this.#opened.value.has(deploymentNodeId(target))) return undefined;
    const environments = known.environments.state.value;
    const versions = known.versions.state.value;
    const deploy = known.branches.value && deployBranchOf(known.branches.value);
    const build = deploy && this.#builds.states.value.get(branchKey({ ...target, branchName: deploy.name }));
    return {
      environments: environments.value,
      versions: versions.value,
      deployBuild: deploy && build ? { branchName: deploy.name, build } : undefined,
      error: failureOf(environments.error ?? versions.error),
    };
  }

  /** Loads everything below a row. Never rejects: what failed is part of the details. */
  async open({ accountId, deploymentId }: DeploymentTarget): Promise<void> {
    const target = { accountId, deploymentId };
    const known = this.#data.of(target);
    await Promise.all([known.environments.ensure(), known.versions.ensure(), known.branches.ensure()]);
    this.#opened.set(new Set([...this.#opened.value, deploymentNodeId(target)]));
    const deploy = known.branches.value && deployBranchOf(known.branches.value);
    if (deploy) void this.#builds.check({ ...target, branchName: deploy.name });
  }
}
