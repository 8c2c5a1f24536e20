import { readEnvVars, setEnvVars } from '#api/resources/runtime.ts';
import { isEqual } from '#base/equal.ts';
import type { PlatformData } from '#features/platform/index.ts';
import {
  mergedVariables,
  readVariables,
  shownVariables,
  type Variable,
  type VariableChange,
  variableChanges,
  variableProblems,
} from '#shell/env-vars.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { UserError } from '#shell/user-error.ts';

/** Asks whether to write changes over the platform's current variables. */
export type ConfirmVariables = (
  changes: readonly VariableChange[],
  onPlatform: readonly Variable[],
) => Promise<boolean>;

/** What a save writes: the platform's current variables with the user's changes. */
interface WritePlan {
  readonly now: readonly Variable[];
  readonly variables: readonly Variable[];
  readonly changes: readonly VariableChange[];
}

/** The environment variables of a deployment. Secrets stay masked, and concurrent changes by others are never overwritten. */
export class EnvironmentVariables {
  readonly #data: PlatformData;
  readonly #target: DeploymentTarget;
  #shown: readonly Variable[] = [];

  constructor(data: PlatformData, target: DeploymentTarget) {
    this.#data = data;
    this.#target = target;
  }

  /** Reads the variables; later edits are compared with them. */
  async read(): Promise<readonly Variable[]> {
    this.#shown = await this.#onPlatform();
    return this.#shown;
  }

  /** Returns the problems of an edited document. */
  problems(edited: unknown): ReturnType<typeof variableProblems> {
    return variableProblems(edited, this.#shown);
  }

  /**
   * Writes the edited variables after confirmation and reads them again; resolves to the number of changes. Throws `UserError` if
   * the document is invalid, the user declines, or someone else changed the same variables since they were read. Other changes by
   * others are kept.
   */
  async save(edited: unknown, confirm: ConfirmVariables): Promise<number> {
    const variables = readVariables(edited, this.#shown);
    if (!variables.ok) throw new UserError(variables.error);
    let plan = await this.#plan(variables.value);
    // Others change variables also while the question is open.
    for (let agreed: WritePlan | undefined; !isEqual(agreed?.changes, plan.changes);) {
      if (plan.changes.length > 0 && !(await confirm(plan.changes, plan.now))) {
        throw new UserError('Cancelled: nothing was written. Your changes are still in the document.');
      }
      agreed = plan;
      plan = await this.#plan(variables.value);
    }
    const { changes } = plan;
    if (changes.length > 0) {
      await this.#data.client(this.#target.accountId).call(setEnvVars, {
        params: { deploymentId: this.#target.deploymentId },
        body: { env_variables: [...plan.variables] },
      });
    }
    await this.read();
    return changes.length;
  }

  /** Compares the edited variables with the platform’s current ones. Throws `UserError` if someone else changed the same ones. */
  async #plan(edited: readonly Variable[]): Promise<WritePlan> {
    const now = await this.#onPlatform();
    const { variables, contested } = mergedVariables(this.#shown, edited, now);
    if (contested.length > 0) {
      const names = contested.map((name) => `“${name}”`).join(', ');
      throw new UserError(`Someone changed ${names} meanwhile. Open the variables again and repeat your change.`);
    }
    return { now, variables, changes: variableChanges(now, variables) };
  }

  /** The variables that were read last. */
  get shown(): readonly Variable[] {
    return this.#shown;
  }

  async #onPlatform(): Promise<readonly Variable[]> {
    const { accountId, deploymentId } = this.#target;
    return shownVariables(await readEnvVars(this.#data.client(accountId), deploymentId));
  }
}
