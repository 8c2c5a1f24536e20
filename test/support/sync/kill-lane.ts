import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { originOf } from '#base/origin.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { nodeCalls } from '#sync/disk/disk-calls.ts';
import { loadTable } from '#sync/disk/stat-file.ts';
import { nodeHasher } from '#sync/disk/folder-ports.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import { devBranch } from '#sync/core/target.ts';
import { InlineScanner } from './inline-scanner.ts';
import type { KillOrder } from './kill-child.ts';
import { comeToAgree, killStory, lostVersions, toldText } from './kill-story.ts';
import { buildPrograms, type Programs } from './programs.ts';
import { patientClient } from '../api/patient-client.ts';

export interface KillSetup {
  readonly url: string;
  readonly key: string;
  readonly branch: string;
}

/** The child and the scan's worker, in a separate folder. */
export interface KillPrograms extends Programs {
  readonly folder: string;
}

export async function buildKillPrograms(): Promise<KillPrograms> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sync-kill-'));
  return { folder, ...(await buildPrograms('test/support/sync/kill-child.ts', folder)) };
}

/** One folder with its own section of the branch, in which a child is killed again and again. */
export class KillLane {
  readonly #setup: KillSetup;
  readonly #programs: KillPrograms;
  readonly #remoteFolder: string;
  readonly #home: string;
  readonly #folder: string;
  readonly #storage: string;

  constructor(setup: KillSetup, programs: KillPrograms, name: string) {
    this.#setup = setup;
    this.#programs = programs;
    this.#remoteFolder = `model/${name}`;
    this.#home = path.join(programs.folder, name);
    this.#folder = path.join(this.#home, 'folder');
    this.#storage = path.join(this.#home, 'storage');
  }

  /** Brings both sides and the base in sync once; each round starts from a copy of this state. */
  async prepare(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    for (const { name, base } of killStory) if (base) this.#write(name, toldText(name, 'base'));
    await this.#withSync(async (sync) => {
      const outcome = await sync.push(await sync.plan(), 'all');
      if (outcome.status !== 'done') throw new Error(outcome.message);
    });
    cpSync(this.#home, `${this.#home}-base`, { recursive: true });
  }

  /** Runs the child up to a point; returns the number of points if it was not killed. */
  async round(
    killAt: number,
    number: number,
  ): Promise<{ readonly points: number; readonly problems: readonly string[] }> {
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 3 });
    cpSync(`${this.#home}-base`, this.#home, { recursive: true });
    await this.#tellStory(number);
    const points = await this.#child(killAt);
    const problems: string[] = [];
    await this.#withSync(async (sync) => {
      problems.push(...lostVersions(await this.#present(sync), number, 'after the kill'));
      problems.push(...(await comeToAgree(sync)));
      problems.push(...lostVersions(await this.#present(sync), number, 'in the end'));
    });
    const leftovers = readdirSync(this.#folder, { recursive: true })
      .map(String)
      .filter((name) => name.includes('.modelbench-'));
    return { points, problems: [...problems, ...leftovers.map((name) => `left behind: ${name}`)] };
  }

  /** Resolves to every version that exists here, on the platform or in the trash. */
  async #present(sync: FolderSync): Promise<ReadonlySet<string>> {
    const versions = new Set<string>();
    for (const name of readdirSync(this.#folder, { recursive: true }).map(String)) {
      if (/\.(yml|old)$/.test(name)) versions.add(readFileSync(path.join(this.#folder, name), 'utf8'));
    }
    const paths = new Set(killStory.map(({ name }) => `${this.#remoteFolder}/${name}`));
    for await (const { bytes } of this.#remote().read(paths))
      versions.add(new TextDecoder().decode(bytes ?? new Uint8Array()));
    const trash = path.join(this.#storage, 'trash');
    for (const { id } of await sync.trashed()) versions.add(readFileSync(path.join(trash, `${id}.bin`), 'utf8'));
    return versions;
  }

  /** Puts both sides in the state of the story, with contents of this round. */
  async #tellStory(number: number): Promise<void> {
    const remote = this.#remote();
    const { files } = await remote.list();
    const hash = (name: string): string | undefined => files.get(`${this.#remoteFolder}/${name}`)?.hash;
    const wanted = killStory.flatMap(({ name, remote: there }) =>
      there === null ? [] : [{ name, content: toldText(name, there === 'edit' ? `remote ${number}` : 'base') }],
    );
    const names = new Set(wanted.map(({ name }) => `${this.#remoteFolder}/${name}`));
    const gone = [...files]
      .filter(([file]) => !names.has(file))
      .map(([file, { hash: expected }]) => ({ path: file, expected }));
    if (gone.length > 0) await remote.remove(gone);
    const encoder = new TextEncoder();
    await remote.put(
      wanted.map(({ name, content }) => {
        const bytes = encoder.encode(content);
        return { path: `${this.#remoteFolder}/${name}`, bytes, hash: nodeHasher.hash(bytes), expected: hash(name) };
      }),
    );
    for (const { name, local: here } of killStory) {
      if (here === 'edit') this.#write(name, toldText(name, `local ${number}`));
      else if (here === null) rmSync(path.join(this.#folder, name), { force: true });
    }
  }

  #write(name: string, content: string): void {
    const file = path.join(this.#folder, name);
    if (!existsSync(path.dirname(file))) mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  #child(killAt: number): Promise<number> {
    const order: KillOrder = {
      ...this.#setup,
      remoteFolder: this.#remoteFolder,
      folder: this.#folder,
      storage: this.#storage,
      worker: this.#programs.worker,
      killAt,
    };
    return new Promise((resolve, reject) => {
      const env = { ...process.env, NODE_COMPILE_CACHE: path.join(this.#programs.folder, 'compiled') };
      execFile(process.execPath, [this.#programs.child, JSON.stringify(order)], { env }, (error, stdout, stderr) => {
        if (!error) resolve((JSON.parse(stdout) as { points: number }).points);
        else if (error.signal === 'SIGKILL') resolve(0);
        else reject(new Error(`the child failed: ${stderr}`));
      });
    });
  }

  #remote(): ReturnType<typeof createPlatformWriter> {
    const branch = devBranch(this.#setup.branch);
    if (!branch.ok) throw new Error(branch.error);
    const { url, key } = this.#setup;
    const client = patientClient({
      baseUrl: url,
      credential: () => ({ kind: 'bearer', token: key, origin: originOf(url) }),
      logger: silentLogger,
    });
    return createPlatformWriter({ client, deployment: 1, branch: branch.value, folder: this.#remoteFolder });
  }

  async #withSync(work: (sync: FolderSync) => Promise<void>): Promise<void> {
    const remote = this.#remote();
    const tableFile = path.join(this.#storage, 'stat-table.bin');
    const local = await createNodePorts({
      folder: this.#folder,
      storage: this.#storage,
      worker: this.#programs.worker,
      remoteFolder: this.#remoteFolder,
      branch: this.#setup.branch,
      logger: silentLogger,
      // Checks the child's result in this thread, with the table that its worker left: starting another worker each time would
      // take longer than the check.
      scanner: new InlineScanner(this.#folder, this.#remoteFolder, nodeCalls, loadTable(tableFile)),
    });
    const sync = createFolderSync({
      ports: { ...local, remote, clock: systemClock, editors: { dirty: () => new Set() } },
      target: { account: 'demo', deployment: '1', branch: this.#setup.branch },
      logger: silentLogger,
    });
    try {
      await work(sync);
    } finally {
      await sync.close();
      local.dispose();
    }
  }
}
