import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '#api/operations.ts';
import { outcomeChecks } from '#api/outcome-checks.ts';
import { gatedRequests } from '#features/api-explorer/gated-request.ts';
import { root } from '../../tools/run.ts';

/** The files that send an operation which can reach a deploy branch; their functions need a `ProductionPass`. */
const gated: Readonly<Record<string, string>> = {
  commit: 'src/features/history/git-workflow.ts',
  merge: 'src/features/history/git-workflow.ts',
  mergeToDefault: 'src/features/history/git-workflow.ts',
  finishUpload: 'src/sync/core/platform-remote.ts',
  startDbtSync: 'src/features/deployments/run-dbt-sync.ts',
  connectGithub: 'src/features/deployments/github.ts',
  deleteBranch: 'src/features/branches/dev-mode.ts',
};

/** What the API Explorer takes to the gate as well: its requests may name any branch. */
const gatedInExplorer = ['writeDataModelFiles', 'deleteDataModelFiles', 'renameDataModelFiles'];

const onlyDev = 'the platform takes it for dev branches only';
const noModel = 'it changes no model: workspace, people and sign-in are not on branches';
const settings =
  'it changes how a deployment runs, not what its deploy branch holds; its own question names the deployment';
const unfinished = 'an upload changes a branch when it is finished, not before';

/** Why the other operations that change something cannot change a deploy branch. */
const harmless: Readonly<Record<string, string>> = {
  writeDataModelFiles: onlyDev,
  deleteDataModelFiles: onlyDev,
  renameDataModelFiles: onlyDev,
  startUpload: unfinished,
  uploadFile: unfinished,
  pull: 'it brings the parent’s changes into a branch, and the deploy branch has no parent',
  createBranch: 'a new branch has a parent, so that it is not the deploy branch',
  startDevMode: 'it forks a dev branch',
  stopDevMode: 'it leaves a dev branch',
  setBranchStagingEnvironment: 'the platform refuses it for the production branch',
  createDeployment: 'the deployment is new: nothing runs on its deploy branch',
  deleteDeployment: settings,
  updateDeployment: settings,
  setEnvVars: settings,
  advanceCreationStep: settings,
  resetCreationStep: settings,
  createMetadataToken: noModel,
  createDataToken: noModel,
  upsertReportByPublicId: noModel,
  connectReportToWorkbook: noModel,
  upsertWorkbookBySlug: noModel,
  duplicateWorkbook: noModel,
  updateWorkbookDashboard: noModel,
  publishDashboard: noModel,
  setAiWidgetThread: noModel,
  setEmbedAccess: noModel,
  bulkDeleteWorkspaceItems: noModel,
  bulkMoveWorkspaceItems: noModel,
  createNotification: noModel,
  updateNotification: noModel,
  deleteNotification: noModel,
  createUser: noModel,
  updateUser: noModel,
  deleteUser: noModel,
  bulkUsers: noModel,
  createUserAttribute: noModel,
  updateUserAttribute: noModel,
  upsertUserAttributeValue: noModel,
  updateTenantSettings: noModel,
  createOauthIntegration: noModel,
  updateOauthIntegration: noModel,
  deleteOauthIntegration: noModel,
  deleteUserOauthToken: noModel,
  initiateUserOauthToken: noModel,
  createOidcTokenConfig: noModel,
  updateOidcTokenConfig: noModel,
  deleteOidcTokenConfig: noModel,
  deleteEmbedTenant: noModel,
  createEmbedTenantGroup: noModel,
  updateEmbedTenantGroup: noModel,
  deleteEmbedTenantGroup: noModel,
  addEmbedTenantGroupUsers: noModel,
  removeEmbedTenantGroupUsers: noModel,
  setDashboardEmbedding: noModel,
  runPythonReport: noModel,
};

const sources = new Map(
  globSync('src/**/*.{ts,tsx}', { cwd: root }).map((path) => [
    path.replaceAll('\\', '/'),
    readFileSync(join(root, path), 'utf8'),
  ]),
);

/** The modules of `src/api` that hold an operation, by its id. */
const homes = new Map(
  [...Object.keys(gated), ...gatedInExplorer].map((id) => [
    id,
    [...sources].find(
      ([path, text]) => path.startsWith('src/api/') && text.includes(`export const ${id} = operation(`),
    )?.[0],
  ]),
);

/** The files that name an operation's constant, by its name or through the namespace of its module. */
function usersOf(id: string, files: ReadonlyMap<string, string>): readonly string[] {
  const home = homes.get(id) ?? '';
  const module = home.replace('src/', '').replaceAll('.', '\\.');
  const named = new RegExp(`import(?! type) \\{[^}]*\\b${id}\\b[^}]*\\} from '#?[./\\w-]*${module.split('/').at(-1)}'`);
  const whole = new RegExp(`import \\* as (\\w+) from '#?[./\\w-]*${module.split('/').at(-1)}'`);
  return [...files].flatMap(([path, text]) => {
    const space = whole.exec(text)?.[1];
    const isUsed = named.test(text) || (space !== undefined && new RegExp(`\\b${space}\\.${id}\\b`).test(text));
    return isUsed && path !== home ? [path] : [];
  });
}

/** Casts that would make a pass past the gate, and other classes of it. */
function forged(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([path, text]) => {
    const isGate = path === 'src/features/platform/production-pass.ts';
    const casts = /\b(?:as|<)\s*(?:unknown as )?ProductionPass\b(?!>)|\bsatisfies ProductionPass\b/.test(text);
    const passes = /\bas never\b/.test(text) && /\bProductionPass\b/.test(text);
    return casts || passes || (!isGate && /\bnew Pass\(/.test(text)) ? [path] : [];
  });
}

describe('the operations that change something', () => {
  it('are each gated, or cannot reach a deploy branch for a reason', () => {
    const changes = [...operations.filter(({ method }) => method !== 'GET').map(({ id }) => id)];
    const changing = changes.filter((id) => Object.hasOwn(outcomeChecks, id));
    const listed = [...Object.keys(gated), ...Object.keys(harmless)];
    expect(listed.toSorted()).toEqual(changing.toSorted());
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('are gated in the API Explorer as everywhere else', () => {
    expect(Object.keys(gatedRequests).toSorted()).toEqual([...Object.keys(gated), ...gatedInExplorer].toSorted());
  });

  it.each(Object.entries(gated))('send %s from one place, which asks for a pass', (id, place) => {
    expect(usersOf(id, sources)).toEqual([place]);
    const uses = /pass\.use\(|this\.#guards\.requireOpen\(\)/;
    expect(sources.get(place)).toMatch(uses);
  });

  it.each(gatedInExplorer)('send %s from two places, which read the list of branches', (id) => {
    const places = usersOf(id, sources);
    expect(places.toSorted()).toEqual(['src/features/folders/branch-files.ts', 'src/sync/core/platform-remote.ts']);
    // Production may be built from a branch that is named like a dev branch. A saved file alone goes without it: `onlyDev`.
    const checks = /await requireStillDev\(client|await this\.#guards\.requireDev\(/;
    const unchecked = places.filter((path) => !checks.test(sources.get(path) ?? ''));
    expect(unchecked).toEqual([]);
  });

  it('would be found at an ungated place', () => {
    const planted = new Map([
      ['src/features/chat/a.ts', "import { commit } from '#api/branches.ts';\nvoid client.call(commit, {});"],
      ['src/features/chat/b.ts', "import * as git from '#api/branches.ts';\nvoid client.call(git.commit, {});"],
      ['src/features/chat/c.ts', "import { pull } from '#api/branches.ts';\nvoid client.call(pull, {});"],
      ['src/features/chat/d.ts', "import type { commit } from '#api/branches.ts';"],
    ]);
    expect(usersOf('commit', planted)).toEqual(['src/features/chat/a.ts', 'src/features/chat/b.ts']);
  });
});

describe('a pass', () => {
  it('is made at the gate only', () => {
    expect(forged(sources)).toEqual([]);
  });

  it('would be found where it is forged', () => {
    const planted = new Map([
      ['src/a.ts', 'const pass = {} as ProductionPass;'],
      ['src/b.ts', 'const pass = {} as unknown as ProductionPass;'],
      ['src/c.ts', 'const pass = new Pass(step, target, to);'],
      ['src/d.ts', 'void commitBranch(data, target, message, pass as never); type A = ProductionPass;'],
      ['src/e.ts', 'function send(pass: ProductionPass): void {}'],
    ]);
    expect(forged(planted)).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts']);
  });
});
