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
  readonly #opened = new Store<ReadonlyMap<string, DeploymentTarget>>(new Map());
  /** Deploy branches whose build was asked for. */
  readonly #checked = new Set<string>();

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
    // After another sign-in nothing is there any more: the row is to be opened again.
    if (!isRead(environments) || !isRead(versions)) return undefined;
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
    this.#opened.update((before) => new Map(before).set(deploymentNodeId(target), target));
    this.#check(target, true);
  }

  /** Asks for the production builds of opened rows whose branches are there only now. */
  checkBuilds(): void {
    for (const target of this.#opened.value.values()) this.#check(target, false);
  }

  #check(target: DeploymentTarget, isAnew: boolean): void {
    const branches = this.#data.known(target)?.branches.value;
    const deploy = branches && deployBranchOf(branches);
    if (!deploy) return;
    const branch = { ...target, branchName: deploy.name };
    const key = branchKey(branch);
    if (!isAnew && this.#checked.has(key)) return;
    this.#checked.add(key);
    void this.#builds.check(branch);
  }
}

function isRead({ value, error }: { readonly value: unknown; readonly error?: unknown }): boolean {
  return value !== undefined || error !== undefined;
}
