import { afterEach, describe, expect, it } from 'vitest';
import { branchCommands } from '#features/branches/vscode/branch-commands.ts';
import { compareCommands } from '#features/branches/vscode/compare-commands.ts';
import { connectToGithub } from '#features/deployments/vscode/github.ts';
import { dbtSync } from '#features/deployments/vscode/manage-deployment.ts';
import { createBranch, deleteBranch } from '#api/resources/branches.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { deleteDeployment, startDbtSync } from '#api/resources/deployments.ts';
import { connectGithub } from '#api/resources/github.ts';
import { askAndSend } from '#features/api-explorer/ask-and-send.ts';
import { catalogueOf } from '#features/api-explorer/catalogue.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import type { ReviewSource } from '#features/review/source.ts';
import { demo } from '#platform/seed/names.ts';
import * as vscode from '#support/fake-vscode.ts';
import { type HandlerDesk, openHandlerDesk } from '#support/handler-desk.ts';

/** What the handlers get of VS Code, which other files use as well. */
const host: { readonly window: Record<string, unknown>; readonly workspace: Record<string, unknown> } = vscode;

interface Row {
  readonly name: string;
  readonly parentBranch?: string | null;
}

/** A window whose user answers the questions of one write, and what happens meanwhile. */
interface Scene {
  readonly desk: HandlerDesk;
  /** The deployment of the write. */
  readonly deploymentId: string;
  /** The branch that it changes. */
  readonly to: string;
  /** What the platform's list of branches says instead, from now on. */
  list: (rows: readonly Row[]) => readonly Row[];
  /** The branches and deployments that the settings protect. */
  readonly protects: string[];
  /** The titles of the questions so far. */
  readonly asked: string[];
  /** What the window has sent so far, without what happens meanwhile. */
  readonly sent: string[];
  /** Resolves to whether the user confirms the question. */
  readonly answer: (title: string) => Promise<boolean>;
}

/** A step that can change a deploy branch, other than commit, merge and deploy. */
interface Write {
  readonly deployment?: 'connected';
  /** Makes what it acts on; resolves to the branch that it changes. */
  readonly prepare?: (desk: HandlerDesk) => Promise<string>;
  readonly run: (scene: Scene) => Promise<unknown>;
}

/** Sends a request in the API Explorer. */
const explored =
  (id: string, request: (to: string) => { readonly query?: unknown; readonly body?: unknown }): Write['run'] =>
  async ({ desk, deploymentId, to, protects, answer }) => {
    const entry = catalogueOf(undefined).find(id);
    if (!entry) throw new Error(`no ${id}`);
    const { data } = desk;
    await askAndSend(
      {
        data,
        isTrusted: true,
        isProtected: ({ branchName }) => protects.includes(branchName),
        confirm: async ({ title }) => answer(title),
        say: () => undefined,
      },
      { entry, chunks: { params: { deploymentId }, ...request(to) }, account: desk.account },
      async () => {
        await data.client(desk.account.id).call(entry.op, { params: { deploymentId }, ...request(to) });
      },
    );
  };

async function devBranch(desk: HandlerDesk, path?: string): Promise<string> {
  const { branchName } = await startDevMode(desk, { ...desk.target, branchName: 'main' });
  if (path !== undefined) await write(desk, branchName, path);
  return branchName;
}

async function write({ client }: HandlerDesk, branchName: string, path: string): Promise<void> {
  const body = { branchName, files: [{ path, content: 'cubes: []\n' }] };
  await client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
}

const main = async (): Promise<string> => Promise.resolve('main');
const file = 'model/cubes/new.yml';
const files = [{ path: file, content: 'cubes: []\n' }];

const writes: Readonly<Record<string, Write>> = {
  'dbt sync': { prepare: main, run: async ({ desk }) => dbtSync(desk.services, desk.target) },
  'connection to GitHub': {
    deployment: 'connected',
    prepare: main,
    run: async ({ desk, deploymentId }) => connectToGithub(desk.services, { ...desk.target, deploymentId }),
  },
  'deletion of a dev branch': {
    prepare: async (desk) => devBranch(desk, file),
    run: async (scene) => branchCommands(onPages(scene))['modelbench.branch.delete'](branchOf(scene)),
  },
  'deletion of a branch without changes': {
    prepare: async (desk) => {
      const body = { name: 'empty', parentBranch: 'main' };
      await desk.client.call(createBranch, { params: { deploymentId: '1' }, body });
      return 'empty';
    },
    run: async (scene) => branchCommands(onPages(scene))['modelbench.branch.delete'](branchOf(scene)),
  },
  'pruning of dev branches': {
    prepare: async (desk) => {
      const pruned = await devBranch(desk, file);
      await desk.session.leave(desk.target);
      return pruned;
    },
    run: async (scene) => compareCommands(onPages(scene))['modelbench.branch.prune'](),
  },
  'request startDbtSync': { prepare: main, run: explored('startDbtSync', (branchName) => ({ body: { branchName } })) },
  'request writeDataModelFiles to production': {
    prepare: main,
    run: explored('writeDataModelFiles', (branchName) => ({ body: { branchName, files } })),
  },
  'request writeDataModelFiles to a dev branch': {
    prepare: async (desk) => devBranch(desk),
    run: explored('writeDataModelFiles', (branchName) => ({ body: { branchName, files } })),
  },
  'request deleteBranch': {
    prepare: async (desk) => devBranch(desk, file),
    run: explored('deleteBranch', (branchName) => ({ query: { branchName } })),
  },
  'request finishUpload': {
    prepare: main,
    run: explored('finishUpload', () => ({ body: { transaction: { id: 'x' }, files: {}, autoRemoveFiles: false } })),
  },
  'request merge': {
    prepare: async (desk) => {
      await desk.platform.control.colleagueCommit(1, demo.sharedBranch, { [file]: 'cubes: []\n' });
      return demo.sharedBranch;
    },
    run: explored('merge', (branchName) => ({ body: { branchName } })),
  },
};

function branchOf({ desk, to }: Scene): { readonly branchName: string } & HandlerDesk['target'] {
  return { ...desk.target, branchName: to };
}

/** The services of a window whose pages the user answers. */
function onPages({ desk, answer }: Scene): never {
  const open = async (source: ReviewSource): Promise<void> => {
    const { title = '', confirmation } = source.document.value ?? {};
    if (await answer(title)) await source.apply({ message: '', options: [], typed: confirmation?.expected ?? '' });
    source.close();
  };
  const services = desk.services as { readonly deletion: object };
  const lost = {
    ...services.deletion,
    reviews: { open },
    remote: { refresh: async () => Promise.resolve() },
    branchFiles: { text: async () => Promise.resolve('') },
  };
  const deletion = { ...services.deletion, lost };
  const pruning = { deletion, forks: { of: () => new Map() }, windows: { on: () => new Map() } };
  return Object.assign(services, { deletion, pruning }) as never;
}

/** What happens to a write between its question and its request, on the platform or in another window. */
interface Change {
  readonly happen: (scene: Scene) => Promise<unknown>;
  /** The writes that it does not concern, with the reason. */
  readonly not?: Readonly<Record<string, string>>;
}

const unknownBranch = 'only the start of the upload says which branch it changes, and the question says so';
const onlyNames = 'a request that writes files is confirmed with those files; the platform compares their hashes';

const changes: Readonly<Record<string, Change>> = {
  'a colleague has changed the branch': {
    happen: async ({ desk, deploymentId, to }) =>
      to.startsWith('dev-')
        ? write(desk, to, 'model/cubes/later.yml')
        : desk.platform.control.colleagueCommit(Number(deploymentId), to, { 'model/cubes/later.yml': 'cubes: []\n' }),
    not: {
      'request finishUpload': unknownBranch,
      'request writeDataModelFiles to a dev branch': onlyNames,
      'request deleteBranch': 'a request names no files that are lost',
    },
  },
  'the branch is gone': {
    happen: async (scene) => {
      const { desk, deploymentId, to } = scene;
      scene.list = (rows) => rows.filter(({ name }) => name !== to);
      await desk.client
        .call(deleteBranch, { params: { deploymentId }, query: { branchName: to } })
        .catch(() => undefined);
    },
    not: { 'request finishUpload': unknownBranch },
  },
  'production is built from this branch': {
    happen: async (scene) => {
      scene.list = (rows) => rows.map((row) => ({ ...row, parentBranch: row.name === scene.to ? null : scene.to }));
      return Promise.resolve();
    },
    not: Object.fromEntries(
      [
        ...['dbt sync', 'connection to GitHub', 'request startDbtSync', 'request writeDataModelFiles to production'],
        'request finishUpload',
      ].map((name) => [name, 'it was asked about as production']),
    ),
  },
  'the branch is protected': {
    happen: async ({ protects, to }) => Promise.resolve(protects.push(to === demo.sharedBranch ? 'main' : to)),
    not: { 'request finishUpload': unknownBranch },
  },
  'the user has signed out': { happen: async ({ desk }) => desk.accounts.remove(desk.account.id) },
  'the deployment is deleted': {
    happen: async ({ desk, deploymentId }) => desk.client.call(deleteDeployment, { params: { deploymentId } }),
  },
  'another window has done it': {
    happen: async ({ desk, deploymentId, to }) => {
      const params = { deploymentId };
      if (to.startsWith('dev-') || to === 'empty') {
        return desk.client.call(deleteBranch, { params, query: { branchName: to } });
      }
      if (deploymentId !== '1') {
        const body = { owner: 'shop', repo: 'marketing-model', branch: 'main' };
        return desk.client.call(connectGithub, { params, body });
      }
      await desk.client.call(startDbtSync, { params, body: { branchName: to } });
      return desk.platform.control.colleagueCommit(1, to, { 'model/cubes/synced.yml': 'cubes: []\n' });
    },
    not: {
      'request finishUpload': unknownBranch,
      'connection to GitHub': 'the same repository is connected again, which changes nothing',
    },
  },
};

/** Whether no confirmation could help after a change, so that nothing is asked again. */
function isAskedOnce(name: string, change: string): boolean {
  // Elsewhere a branch that is not listed may be another name of production.
  const isGone = change === 'the branch is gone' && /^(?:dbt|deletion|pruning)/.test(name);
  return isGone || change === 'the user has signed out' || change === 'the deployment is deleted';
}

/** When it happens: while the question is open, or when the branches are read after it was answered. */
const moments = ['while its question is open', 'after it was confirmed'] as const;

const cases = Object.keys(writes).flatMap((name) =>
  Object.entries(changes).flatMap(([change, { not = {} }]) =>
    Object.hasOwn(not, name) ? [] : moments.map((moment) => ({ name, change, moment })),
  ),
);

interface Meanwhile {
  /** Happens once, at this moment. */
  readonly meanwhile?: Change['happen'];
  readonly moment?: (typeof moments)[number];
  /** Happens when the platform has got the request. */
  readonly after?: Change['happen'];
  /** Whether the reply is lost. */
  readonly lose?: boolean;
}

/** Opens a window for a write. */
async function openScene(
  { deployment, prepare = main }: Write,
  { meanwhile, moment, lose, after }: Meanwhile,
): Promise<Scene> {
  let isOurs = false;
  let isConfirmed = false;
  let left = meanwhile;
  const relisted = async (request: Request, answer: Response): Promise<Response> => {
    if (request.method !== 'GET' || !new URL(request.url).pathname.endsWith('/branches') || !answer.ok) return answer;
    const { data } = (await answer.json()) as { readonly data: readonly Row[] };
    return Response.json({ data: scene.list(data) });
  };
  const happen = async (): Promise<void> => {
    const due = left;
    left = undefined;
    isOurs = false;
    await due?.(scene);
    isOurs = true;
  };
  const desk = await openHandlerDesk({
    through: async (request, send) => {
      if (!isOurs) return relisted(request, await send(request));
      if (request.method !== 'GET') {
        scene.sent.push(`${request.method} ${new URL(request.url).pathname}`);
        const answer = await send(request);
        await after?.(scene);
        if (lose === true) throw new TypeError('fetch failed');
        return answer;
      }
      if (isConfirmed && moment === 'after it was confirmed' && request.url.includes('/branches')) await happen();
      return relisted(request, await send(request));
    },
  });
  const asked: string[] = [];
  const scene: Scene = {
    desk,
    deploymentId: deployment ? String(desk.platform.control.demo.connected) : '1',
    to: '',
    list: (rows) => rows,
    protects: [],
    asked,
    sent: [],
    // The first question is confirmed, and no other.
    answer: async (title) => {
      if (asked.push(title) > 1) return false;
      if (moment === 'while its question is open') await happen();
      isConfirmed = true;
      return true;
    },
  };
  await desk.data.deployments(desk.account.id).ensure();
  Object.assign(scene, { to: await prepare(desk) });
  answerWith(scene);
  isOurs = true;
  return scene;
}

/** Has the user of a scene answer the questions of VS Code, and its settings protect what the scene does. */
function answerWith({ answer, to, protects }: Scene): void {
  const labelled = (items: readonly { readonly label: string }[]): unknown =>
    items.find(({ label }) => label === to) ?? items[0];
  Object.assign(host.window, {
    showWarningMessage: async (title: string, _options: unknown, button: string) =>
      (await answer(title)) ? button : undefined,
    showInputBox: async ({ title = '', placeHolder }: { readonly title?: string; readonly placeHolder?: string }) =>
      (await answer(title)) ? placeHolder : undefined,
    showInformationMessage: async () => Promise.resolve(undefined),
    showQuickPick: async (
      items: readonly { readonly label: string }[],
      { canPickMany }: { readonly canPickMany?: boolean } = {},
    ) => Promise.resolve(canPickMany === true ? [labelled(items)] : labelled(items)),
  });
  const values: Readonly<Record<string, readonly string[]>> = { 'protected.branches': protects };
  host.workspace['getConfiguration'] = () => ({
    inspect: (name: string) => ({ key: name, defaultValue: [], globalValue: values[name] }),
  });
}

const before = { window: { ...host.window }, workspace: { ...host.workspace } };
afterEach(() => {
  Object.assign(host.workspace, before.workspace);
  for (const name of Object.keys(host.window)) if (!(name in before.window)) delete host.window[name];
});

async function errorOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => '',
    (error: unknown) => String(error),
  );
}

describe('a write that its user has confirmed once', () => {
  it.each(cases)('$name sends nothing where $change $moment', async ({ name, change, moment }) => {
    const write = writes[name];
    const happen = changes[change]?.happen;
    if (!write || !happen) throw new Error('There is no such case.');
    let hasHappened = false;
    const meanwhile: Change['happen'] = async (scene) => {
      hasHappened = true;
      await happen(scene);
    };
    const scene = await openScene(write, { meanwhile, moment });
    const refused = await errorOf(write.run(scene));
    expect({ hasHappened, sent: scene.sent, refused }).toMatchObject({ hasHappened: true, sent: [] });
    // It is asked about again, the user reads why it was not sent, or it was done anyway.
    const isDone = change === 'another window has done it' || change === 'the branch is gone';
    expect(scene.asked.length > 1 || refused !== '' || isDone).toBe(true);
    expect(refused).not.toMatch(/TypeError|not confirmed/);
    const most = isAskedOnce(name, change) ? 1 : Infinity;
    expect(scene.asked.length).toBeLessThanOrEqual(most);
  });

  it.each(Object.keys(writes))('%s is sent once where nothing has changed', async (name) => {
    const write = writes[name];
    if (!write) throw new Error('There is no such write.');
    // A dbt sync waits until the platform has written its branch.
    const after: Change['happen'] = async ({ desk }) =>
      desk.platform.control.colleagueCommit(1, 'main', { 'model/cubes/synced.yml': 'cubes: []\n' });
    const scene = await openScene(write, { after });
    await errorOf(write.run(scene));
    expect(scene.sent).toHaveLength(1);
    expect(scene.asked).toHaveLength(1);
  });

  it.each(Object.keys(writes))('%s is not sent twice where its reply is lost', async (name) => {
    const write = writes[name];
    if (!write) throw new Error('There is no such write.');
    const scene = await openScene(write, { lose: true });
    const refused = await errorOf(write.run(scene));
    expect(scene.sent).toHaveLength(1);
    // A deletion shows in the list; of the others the user reads that it may have been done.
    expect(refused).toMatch(
      /deletion|pruning|deleteBranch/.test(name) ? /^$|may have been done/ : /may have been done|fetch/,
    );
  });

  it.each(Object.keys(writes))('%s is not sent where its question is closed', async (name) => {
    const write = writes[name];
    if (!write) throw new Error('There is no such write.');
    const scene = await openScene(write, {});
    scene.asked.push('an earlier question');
    await errorOf(write.run(scene));
    expect([scene.sent, scene.asked.length]).toEqual([[], 2]);
  });
});
