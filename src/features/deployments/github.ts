import type { AccountClients, Client } from '#api/client/client.ts';
import { advanceCreationStep, resetCreationStep } from '#api/resources/deployments.ts';
import {
  connectGithub,
  getGithubStatus,
  listGithubBranches,
  listGithubInstallations,
  listGithubRepositories,
  loginOf,
} from '#api/resources/github.ts';
import type { AnswerOf } from '#api/operation.ts';
import { text } from '#base/user-text.ts';
import type { PlatformData, ProductionPass } from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';
import { shownRows } from '#shell/shown-rows.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';

/** An account or organization in which the platform's GitHub app is installed. */
export interface Installation {
  readonly id: string;
  /** The login of that account or organization. */
  readonly account: string | undefined;
}

export interface Repository {
  readonly owner: string;
  readonly repo: string;
  readonly defaultBranch?: string | undefined;
}

/**
 * GitHub as an account of the platform sees it. The fields of these lists are not documented, so users can type what they do not
 * contain.
 */
export class Github {
  readonly #client: Client;

  constructor({ data }: { readonly data: AccountClients }, accountId: string) {
    this.#client = data.client(accountId);
  }

  /** Throws a `Hint` if the account is not connected to GitHub. */
  async requireConnection(): Promise<void> {
    const { connected } = await this.#client.call(getGithubStatus, {});
    if (connected === false) {
      throw new Hint('This account is not connected to GitHub. Connect it in the account’s settings on the platform.');
    }
  }

  async installations(): Promise<readonly Installation[]> {
    const rows = (await shownRows(async () => this.#client.call(listGithubInstallations, {}))) ?? [];
    return rows.flatMap(({ id, account }) => (id === undefined ? [] : [{ id, account: loginOf(account) }]));
  }

  async repositories({ id, account }: Installation): Promise<readonly Repository[]> {
    const params = { installationId: id };
    const rows = (await shownRows(async () => this.#client.call(listGithubRepositories, { params }))) ?? [];
    return rows.flatMap((row) => repositoryOf(row, account) ?? []);
  }

  async branches({ owner, repo }: Repository): Promise<readonly string[]> {
    const params = { owner, repo };
    const rows = (await shownRows(async () => this.#client.call(listGithubBranches, { params }))) ?? [];
    return rows.flatMap(({ name }) => name ?? []);
  }
}

type RepositoryRow = AnswerOf<typeof listGithubRepositories>['data'][number];

function repositoryOf({ name, owner, fullName, defaultBranch }: RepositoryRow, account = ''): Repository | undefined {
  const [fullOwner, fullRepo] = fullName?.split('/') ?? [];
  const repo = name ?? fullRepo;
  return repo === undefined ? undefined : { owner: loginOf(owner) ?? fullOwner ?? account, repo, defaultBranch };
}

/** Parses a repository that the user typed: `owner/name`; `undefined` for anything else. */
export function parseRepository(typed: string): Repository | undefined {
  const [, owner, repo] = /^([^\s/]+)\/([^\s/]+)$/.exec(typed.trim()) ?? [];
  return owner === undefined || repo === undefined ? undefined : { owner, repo };
}

/** Connects a deployment to a branch of a repository (docs/platform-api.md#connectgithub); its first build starts. */
export async function connectRepository(
  { data, operations }: { readonly data: PlatformData; readonly operations: Operations },
  target: DeploymentTarget,
  { owner, repo, branch }: Repository & { readonly branch: string },
  pass: ProductionPass,
): Promise<void> {
  const { accountId, deploymentId } = target;
  pass.use('connectGithub', { accountId, deploymentId, branchName: branch });
  await operations.run({
    label: text`Cloning ${owner}/${repo}`,
    key: `github ${accountId} ${deploymentId}`,
    run: async () =>
      data
        .client(accountId)
        .call(
          connectGithub,
          { params: { deploymentId }, body: { owner, repo, branch } },
          { beforeRetry: pass.beforeRetry },
        ),
  });
  await data.of(target).branches.invalidate();
}

const setupMoves = { next: advanceCreationStep, startAgain: resetCreationStep } as const;

/**
 * Advances the platform's setup wizard of a deployment, or restarts it (docs/platform-api.md#advancecreationstep). Resolves to
 * the new step if the platform returns it.
 */
export async function moveSetup(
  data: PlatformData,
  { accountId, deploymentId }: DeploymentTarget,
  move: keyof typeof setupMoves,
): Promise<string | undefined> {
  const answer = await data.client(accountId).call(setupMoves[move], { params: { deploymentId } });
  await data.deployments(accountId).invalidate();
  return answer?.creationStep;
}
