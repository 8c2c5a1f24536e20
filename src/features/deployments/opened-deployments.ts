import { Store } from '#base/store.ts';
import { branchKey, type BuildWatcher, deployBranchOf, type PlatformData } from '#features/platform/index.ts';
import { failureOf } from '#shell/error-texts.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { type DeploymentDetails, deploymentNodeId } from './deployment-tree.ts';

/**
 * The details below the rows of deployments. Other features load environments or branches too, so loaded data does not mean that
 * a row was expanded: without its versions and build it would stay half empty.
 */
export class OpenedDeployments {
  readonly #data: PlatformData;
  readonly #builds: Pick<BuildWatcher, 'check' | 'states'>;
  readonly #opened = new Store<ReadonlyMap<string, DeploymentTarget>>(new Map());
  /** Deploy branches whose build was requested. */
  readonly #checked = new Set<string>();

  constructor(services: { readonly data: PlatformData; readonly builds: Pick<BuildWatcher, 'check' | 'states'> }) {
    this.#data = services.data;
    this.#builds = services.builds;
  }

  /** Returns the details of a deployment; `undefined` until its row was expanded. Can be called in `derived`. */
  detailsOf(target: DeploymentTarget): DeploymentDetails | undefined {
    const known = this.#data.known(target);
    if (!known || !this.#opened.value.has(deploymentNodeId(target))) return undefined;
    const environments = known.environments.state.value;
    const versions = known.versions.state.value;
    // Another sign-in clears the data, so the row must be expanded again.
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

  /** Loads everything below a row. Never rejects: the details contain the errors. */
  async open({ accountId, deploymentId }: DeploymentTarget): Promise<void> {
    const target = { accountId, deploymentId };
    const known = this.#data.of(target);
    await Promise.all([known.environments.ensure(), known.versions.ensure(), known.branches.ensure()]);
    this.#opened.update((before) => new Map(before).set(deploymentNodeId(target), target));
    this.#check(target, true);
  }

  /** Requests the production builds of expanded rows whose branches have arrived since. */
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
