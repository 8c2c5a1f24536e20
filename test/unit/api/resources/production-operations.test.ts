import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '#api/resources/operations.ts';
import { gatedRequests } from '#features/api-explorer/gated-request.ts';
import { holesIn, unasked } from '#support/api/gate-scan.ts';
import { root } from '../../../tools/run.ts';

/** The files that send an operation which can reach a deploy branch; their functions need a `ProductionPass`. */
const gated: Readonly<Record<string, string>> = {
  commit: 'src/features/history/git-workflow.ts',
  merge: 'src/features/history/git-workflow.ts',
  mergeToDefault: 'src/features/history/git-workflow.ts',
  finishUpload: 'src/sync/core/remote/platform-remote.ts',
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

/** Operations that only read, sign in or answer a question although their method is another one than GET. */
const unchanging = [
  ...['startDeviceSignIn', 'pollDeviceSignIn', 'refreshSignIn'],
  ...['streamChatByAgent', 'streamChatByDeployment', 'abortChatByAgent', 'abortChatByDeployment'],
];

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

/** Ways past the gate, each as a file that a careless or hurried change could add. */
const planted: Readonly<Record<string, readonly [path: string, text: string]>> = {
  'a task that sends a request of its own': [
    'src/features/builds/vscode/task.ts',
    'await fetch(`${url}/build/api/v1/deployments/1/commit`, { body });',
  ],
  'a request through Node': ['src/cli/a.ts', "import { request } from 'node:https';"],
  'an operation of its own for a raw client': [
    'src/features/chat/a.ts',
    "await client.call({ id: 'x', method: 'POST', path: '/build/api/v1/deployments/{deploymentId}/commit' }, {});",
  ],
  'an operation out of the list of all': [
    'src/tools/a.ts',
    "import { operations } from '#api/resources/operations.ts';\nawait client.call(operations.find(({ id }) => id === name), {});",
  ],
  'an operation under another name': [
    'src/features/chat/index.ts',
    "export { commit as save } from '#api/resources/branches.ts';",
  ],
  'all operations of a module': ['src/features/chat/index.ts', "export * from '../../api/resources/upload.ts';"],
  'an import while the program runs': [
    'src/cli/mcp/a.ts',
    "const { commit } = await import('#api/resources/branches.ts');",
  ],
  'a deep link with a gate that always says yes': [
    'src/features/deployments/vscode/link.ts',
    'await throughGate(target, { read, ask: async (question) => question, say }, send);',
  ],
  'a tool of agents with a reading of its own': ['src/tools/rename.ts', 'await throughToolGate(call, context, send);'],
  'a button of a notification with a deploy branch that is open': [
    'src/features/builds/vscode/again.ts',
    'await openSync(folder, target, { branch, isOpen: true });',
  ],
  'another access to a deploy branch': ['src/features/chat/a.ts', 'class Open implements DeployAccess {}'],
  'a forged pass': ['src/a.ts', 'const pass = {} as ProductionPass;'],
  'a pass forged twice over': ['src/b.ts', 'const pass = {} as unknown as ProductionPass;'],
  'a pass from a value of no type': ['src/c.ts', 'const pass: ProductionPass = JSON.parse(text);'],
  'a pass that is made': ['src/d.ts', 'const pass = new Pass(step, target, to);'],
  'a pass from its prototype': ['src/e.ts', 'const pass = Object.create(Pass.prototype);'],
  'a call with a value of no type': [
    'src/features/chat/f.ts',
    'void commitBranch(data, target, message, {} as never);',
  ],
  'a call that the compiler does not judge': [
    'src/features/chat/g.ts',
    '// @ts-expect-error\nvoid mergeToDefault(data, target, options);',
  ],
};

describe('the operations that change something', () => {
  const listed = [...Object.keys(gated), ...Object.keys(harmless), ...unchanging];

  it('are each gated, or cannot reach a deploy branch for a reason', () => {
    const changes = operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);
    expect(listed.toSorted()).toEqual(changes.toSorted());
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('are each one request: no other operation has the path of a gated one', () => {
    const places = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
  });

  /** The data API, whose operations only query. */
  const queries = 'src/api/data/data-operations.ts';

  it('are all listed, whichever file of `src/api` has them', () => {
    const ids = new Set(operations.map(({ id }) => id));
    const made = [...sources].flatMap(([path, text]) =>
      path.startsWith('src/api/') && path !== queries
        ? [...text.matchAll(/export const (\w+) = operation\(\{\s*id: '(\w+)',\s*method: '(\w+)'/g)].flatMap(
            ([, name = '', id = '', method]) =>
              method === 'GET' || (ids.has(id) && name === id) ? [] : [`${path} ${name}`],
          )
        : [],
    );
    expect(made).toEqual([]);
  });

  it('are gated in the API Explorer as everywhere else', () => {
    expect(Object.keys(gatedRequests).toSorted()).toEqual([...Object.keys(gated), ...gatedInExplorer].toSorted());
  });

  it.each(Object.entries(gated))('send %s from one place, which asks for a pass', (id, place) => {
    expect(usersOf(id, sources)).toEqual([place]);
    const asks = /pass\.use\(|this\.#guards\.requireOpen\(\)/;
    expect(sources.get(place)).toMatch(asks);
    expect(unasked(sources.get(place) ?? '', new RegExp(`(?:branchApi\\.|call\\(\\s*)${id}\\b`), asks)).toEqual([]);
  });

  it.each(Object.entries(gated))('send %s again only after another check, if at all', (_id, place) => {
    expect(sources.get(place)).toMatch(/beforeRetry: pass\.beforeRetry|once: true/);
  });

  it('would be found in a new function of that place that asks for no pass', () => {
    const text = sources.get('src/features/history/git-workflow.ts') ?? '';
    const quick = `${text}\nexport async function quick(data, target) {\n  return sendCommit(data, target, '', undefined);\n}\n`;
    const raw = `${text}\nexport async function raw(client) {\n  return client.call(branchApi.commit, {});\n}\n`;
    const [sends, asks] = [/branchApi\.commit\b/, /pass\.use\(/];
    expect([unasked(text, sends, asks), unasked(quick, sends, asks), unasked(raw, sends, asks)]).toEqual([
      [],
      ['quick'],
      ['raw'],
    ]);
  });

  it.each(gatedInExplorer)('send %s from two places, which read the list of branches', (id) => {
    const places = usersOf(id, sources);
    expect(places.toSorted()).toEqual([
      'src/features/folders/branch-files.ts',
      'src/sync/core/remote/platform-remote.ts',
    ]);
    // Production may be built from a branch that is named like a dev branch.
    const checks = /await requireStillDev\(client|await this\.#guards\.requireTarget\(/;
    const unchecked = places.filter((path) => !checks.test(sources.get(path) ?? ''));
    expect(unchecked).toEqual([]);
    const writer = sources.get('src/sync/core/remote/platform-remote.ts') ?? '';
    const sends = writer.split(/^ {2}(?=\w+\()/m).filter((method) => new RegExp(`open\\(${id}\\b`).test(method));
    expect(sends.map((method) => checks.test(method))).toEqual([true]);
  });

  it('would be found at an ungated place', () => {
    const planted = new Map([
      ['src/features/chat/a.ts', "import { commit } from '#api/resources/branches.ts';\nvoid client.call(commit, {});"],
      [
        'src/features/chat/b.ts',
        "import * as git from '#api/resources/branches.ts';\nvoid client.call(git.commit, {});",
      ],
      ['src/features/chat/c.ts', "import { pull } from '#api/resources/branches.ts';\nvoid client.call(pull, {});"],
      ['src/features/chat/d.ts', "import type { commit } from '#api/resources/branches.ts';"],
    ]);
    expect(usersOf('commit', planted)).toEqual(['src/features/chat/a.ts', 'src/features/chat/b.ts']);
  });
});

describe('the sources', () => {
  it('have no way past the gate', () => {
    expect(holesIn(sources)).toEqual([]);
  });

  it.each(Object.entries(planted))('would be seen to have one: %s', (_name, [path, text]) => {
    expect(holesIn(new Map([[path, text]]))).toMatchObject([{ path }]);
  });

  it('may name a pass that they were given', () => {
    const text = 'export async function send(pass: ProductionPass): Promise<void> { pass.use(step, target); }';
    expect(holesIn(new Map([['src/features/chat/a.ts', text]]))).toEqual([]);
  });
});
