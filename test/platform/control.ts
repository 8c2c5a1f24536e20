import { createKey, type KeyInput } from './auth/credentials.ts';
import type { BuildStatus } from './core/builds.ts';
import type { Core } from './core/core.ts';
import { commitFiles } from './core/deployments.ts';
import { decideDevice } from './core/device-flow.ts';
import { branchFiles, readFiles } from './core/files.ts';
import { branchByName, deploymentById } from './core/rows.ts';
import { publish } from './core/upstream.ts';
import type { FaultInput, Faults, LoggedRequest } from './faults.ts';
import { git } from './git/git.ts';
import { demo } from './seed/names.ts';
import type { Row } from './state/database.ts';

/** What a test does behind the API's back. */
export interface Control {
  /** Keys, ids and names of the demo seed. */
  readonly demo: typeof demo;
  readonly requestLog: readonly LoggedRequest[];
  clearRequestLog(): void;
  /** The paths of the requests that have arrived and have not ended. */
  readonly requestsUnderway: readonly string[];
  /** Replaces all faults; an empty list ends them. */
  faults(faults: readonly FaultInput[]): void;
  /** A colleague pushes files to a shared or the deploy branch (null deletes one); answers the commit. */
  colleagueCommit(
    deploymentId: number,
    branch: string,
    files: Readonly<Record<string, string | null>>,
    message?: string,
  ): Promise<string>;
  /** Runs a Git command in a deployment's repository and answers its output. */
  git(deploymentId: number, ...args: readonly string[]): Promise<string>;
  /** A file of a branch as it is served; undefined where there is none. */
  readFile(deploymentId: number, branch: string, path: string): Promise<string | undefined>;
  /** Path → SHA-1 of a branch's files, sorted. */
  hashes(deploymentId: number, branch: string): Promise<Readonly<Record<string, string>>>;
  /** Waits until no build of the branch is under way. */
  buildSettled(deploymentId: number, branch: string): Promise<BuildStatus>;
  /** Answers a device sign-in in the user's place; without an e-mail address it is denied. */
  decideDevice(userCode: string, email?: string): boolean;
  /** Every row that the platform keeps, by table. */
  rows(): Readonly<Record<string, readonly Row[]>>;
  /** Stores a further API key. */
  createKey(input: KeyInput): number;
}

export function createControl(core: Core, faults: Faults): Control {
  const branchOf = (deploymentId: number, name: string): NonNullable<ReturnType<typeof branchByName>> => {
    const branch = branchByName(core.db, deploymentId, name);
    if (branch === undefined) throw new Error(`Deployment ${deploymentId} has no branch ${name}`);
    return branch;
  };
  return {
    demo,
    get requestLog() {
      return faults.log;
    },
    clearRequestLog: () => faults.clearLog(),
    get requestsUnderway() {
      return faults.underway;
    },
    faults: (list) => faults.set(list),
    colleagueCommit: async (deploymentId, branch, files, message = "A colleague's change") => {
      const author = { name: 'Grace', email: demo.colleague, date: core.clock.now() };
      const commit = await commitFiles(core, deploymentId, { branch, files, message, author });
      const deployment = deploymentById(core.db, deploymentId);
      if (deployment !== undefined) await publish(core, deployment, branch);
      core.builds.request(deploymentId, branch);
      return commit;
    },
    git: async (deploymentId, ...args) =>
      (await git(args, { cwd: core.repository(deploymentId).dir })).stdout.toString('utf8'),
    readFile: (deploymentId, branch, path) =>
      core.repository(deploymentId).exclusive(async () => {
        const files = await readFiles(core, branchOf(deploymentId, branch), [path]);
        return files.get(path)?.toString('utf8');
      }),
    hashes: (deploymentId, branch) =>
      core.repository(deploymentId).exclusive(async () => {
        const index = await branchFiles(core, branchOf(deploymentId, branch));
        return Object.fromEntries(
          [...index].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, { hash }]) => [path, hash]),
        );
      }),
    buildSettled: async (deploymentId, branch) => {
      core.builds.status(deploymentId, branch);
      await core.builds.settled(deploymentId, branch);
      return core.builds.status(deploymentId, branch);
    },
    decideDevice: (userCode, email) => decideDevice(core, userCode, email),
    rows: () => {
      const tables = core.db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
      return Object.fromEntries(tables.map(({ name }) => [name, core.db.all(`SELECT * FROM "${name}"`)]));
    },
    createKey: (input) => createKey(core.db, input),
  };
}
