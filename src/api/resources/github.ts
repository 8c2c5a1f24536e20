import * as v from 'valibot';
import { operation, slow } from '#api/operation.ts';
import { changed, idIn, idOut, inDeployment, listOf, objectOf, opt, strictObject, text } from '#api/schema.ts';

const tag = 'GitHub';

/** A GitHub account: its name, or the object that GitHub itself returns. */
const account = v.union([v.string(), v.looseObject({ login: v.string() })]);

/** Returns the name of a GitHub account from either form. */
export function loginOf(answered: v.InferOutput<typeof account> | undefined): string | undefined {
  return typeof answered === 'object' ? answered.login : answered;
}

/** Clones the repository and triggers the first build. See docs/platform-api.md#connectgithub. */
export const connectGithub = operation({
  id: 'connectGithub',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/github/connect',
  tag,
  summary: 'Connect a deployment to a GitHub repository.',
  timeoutFactor: slow,
  params: inDeployment,
  body: strictObject({ owner: text, repo: text, branch: text }),
  answer: changed({ branchName: v.string(), lastHash: v.string() }),
});

/** See docs/platform-api.md#getgithubstatus. */
export const getGithubStatus = operation({
  id: 'getGithubStatus',
  method: 'GET',
  path: '/api/v1/github/status',
  tag,
  summary: 'Read whether the account is connected to GitHub.',
  answer: objectOf({ connected: opt(v.boolean()), login: opt(v.string()) }),
});

/** See docs/platform-api.md#listgithubinstallations. */
export const listGithubInstallations = operation({
  id: 'listGithubInstallations',
  method: 'GET',
  path: '/api/v1/github/installations',
  tag,
  summary: 'List the GitHub installations.',
  answer: listOf(v.looseObject({ id: opt(idOut), account: opt(account) })),
});

/** See docs/platform-api.md#listgithubrepositories. */
export const listGithubRepositories = operation({
  id: 'listGithubRepositories',
  method: 'GET',
  path: '/api/v1/github/installations/{installationId}/repositories',
  tag,
  summary: 'List the repositories of a GitHub installation.',
  params: strictObject({ installationId: idIn }),
  answer: listOf(
    v.looseObject({
      id: opt(idOut),
      name: opt(v.string()),
      owner: opt(account),
      fullName: opt(v.string()),
      defaultBranch: opt(v.string()),
    }),
  ),
});

/** See docs/platform-api.md#listgithubbranches. */
export const listGithubBranches = operation({
  id: 'listGithubBranches',
  method: 'GET',
  path: '/api/v1/github/repositories/{owner}/{repo}/branches',
  tag,
  summary: 'List the branches of a GitHub repository.',
  params: strictObject({ owner: text, repo: text }),
  answer: listOf(v.looseObject({ name: opt(v.string()) })),
});
