import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { originOf } from '#base/origin.ts';
import { startDevMode } from '#api/resources/branches.ts';
import type { Client } from '#api/client/client.ts';
import { deleteDataModelFiles, writeDataModelFiles } from '#api/resources/data-model.ts';
import { isPlatformError } from '#api/errors.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { nodeHasher } from '#sync/disk/folder-ports.ts';
import { createNodePorts, type NodePorts } from '#sync/disk/sync-ports.ts';
import type { Platform } from '#platform/app.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import type { GuardKind } from '#sync/core/planning/plan.ts';
import { createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import { devBranch } from '#sync/core/target.ts';
import { randomFrom } from './random-schedule.ts';
import { newFolder } from './test-disk.ts';
import { patientClient } from '../api/patient-client.ts';

const DEPLOYMENT = 1;
const FILES = 60;
/** Events in an hour of a busy team: one every half minute here, one every minute on the platform. */
const EVENTS_HERE = 120;
const EVENTS_THERE = 60;
const CUT_EVERY = 50;
const WORKER = new URL('../../../src/sync/disk/hash-worker.ts', import.meta.url);
const confirmed: readonly GuardKind[] = ['localEmptied', 'remoteEmptied', 'allChangedLocally', 'allChangedRemotely'];
const alsoDeletes: readonly GuardKind[] = [...confirmed, 'manyDeletesLocal', 'manyDeletesRemote'];

/** Real time, but with short pauses. */
const hurriedClock: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 2), signal),
};

export interface DayReport {
  readonly events: number;
  /** Requests that were cut, before or after the platform received them. */
  readonly cuts: number;
  readonly restarts: number;
  readonly conflicts: number;
  /** The differences at the end of each hour. */
  readonly problems: readonly string[];
}

/** Simulates hours of work on a real disk and the platform; compares both trees after each hour. */
export async function liveThroughHours(platform: Platform, hours: number, seed: number): Promise<DayReport> {
  const desk = await WorkingDesk.open(platform, seed);
  try {
    for (let hour = 1; hour <= hours; hour++) await desk.hour(hour);
    return desk.report;
  } finally {
    await desk.close();
  }
}

class WorkingDesk {
  readonly #platform: Platform;
  readonly #branch: string;
  readonly #random: (below: number) => number;
  readonly #home = newFolder('sync-day-');
  readonly #colleague: Client;
  readonly #problems: string[] = [];
  #ports: NodePorts | undefined;
  #sync: FolderSync | undefined;
  #isRough = false;
  #version = 0;
  #events = 0;
  #requests = 0;
  #cuts = 0;
  #restarts = 0;
  #conflicts = 0;

  private constructor(platform: Platform, branch: string, seed: number) {
    this.#platform = platform;
    this.#branch = branch;
    this.#random = randomFrom(seed);
    this.#colleague = this.#client(false);
    mkdirSync(path.join(this.#home, 'model'));
  }

  static async open(platform: Platform, seed: number): Promise<WorkingDesk> {
    const client = clientOf(platform, (request) => platform.fetch(request));
    const { name } = await client.call(startDevMode, { params: { deploymentId: '1' }, body: { branchName: 'main' } });
    const desk = new WorkingDesk(platform, name, seed);
    await desk.#open();
    return desk;
  }

  get report(): DayReport {
    return {
      events: this.#events,
      cuts: this.#cuts,
      restarts: this.#restarts,
      conflicts: this.#conflicts,
      problems: this.#problems,
    };
  }

  async hour(number: number): Promise<void> {
    this.#isRough = true;
    for (let here = EVENTS_HERE, there = EVENTS_THERE; here + there > 0;) {
      this.#events += 1;
      if (this.#random(here + there) < here) {
        here -= 1;
        await this.#somethingHere();
      } else {
        there -= 1;
        await this.#somethingThere();
      }
    }
    this.#isRough = false;
    if (number % 2 === 0) await this.#restart();
    await this.#settle(number);
  }

  async close(): Promise<void> {
    await this.#sync?.close();
    this.#ports?.dispose();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 3 });
  }

  async #somethingHere(): Promise<void> {
    const sync = this.#opened();
    const choice = this.#random(20);
    if (choice === 0) await quietly(async () => void (await sync.pull(await sync.plan(), 'all', { confirmed })));
    else if (choice === 1) await this.#pushSeveral();
    else {
      const file = this.#file();
      const saved = [file];
      if (choice === 2) rmSync(this.#at(file), { force: true });
      else if (choice === 3) saved.push(this.#rename(file));
      else this.#write(file);
      sync.onSaved(saved);
      // Several consecutive saves are uploaded together.
      if (this.#random(3) > 0) await sync.flush();
    }
  }

  async #pushSeveral(): Promise<void> {
    const sync = this.#opened();
    for (let count = 2 + this.#random(8); count > 0; count--) this.#write(this.#file());
    await quietly(async () => void (await sync.push(await sync.plan(), 'all', { confirmed })));
  }

  async #somethingThere(): Promise<void> {
    const body = { branchName: this.#branch };
    const params = { deploymentId: String(DEPLOYMENT) };
    const file = this.#file();
    if (this.#random(8) > 0) {
      const files = [{ path: file, content: this.#text('theirs') }];
      await this.#colleague.call(writeDataModelFiles, { params, body: { ...body, files } });
    } else {
      await quietly(() =>
        this.#colleague.call(deleteDataModelFiles, { params, body: { ...body, files: [{ path: file }] } }),
      );
    }
  }

  /** Runs rounds of pull, push and choices without cuts until both sides agree, and compares them. */
  async #settle(hour: number): Promise<void> {
    const sync = this.#opened();
    await sync.flush();
    let plan = await sync.plan();
    for (let round = 0; plan.entries.length > 0 && round < 4; round++) {
      await sync.pull(plan, 'all', { confirmed: alsoDeletes });
      await sync.push(await sync.plan(), 'all', { confirmed: alsoDeletes });
      plan = await sync.plan();
      for (const { kind, path: file } of plan.entries) {
        if (kind !== 'conflict') continue;
        this.#conflicts += 1;
        await sync.resolve(file, this.#random(2) === 0 ? 'mine' : 'theirs');
      }
      plan = await sync.plan();
    }
    const wanted = plan.entries.map(({ kind, path: file }) => `hour ${hour}: still wants ${kind} ${file}`);
    this.#problems.push(...wanted, ...(await this.#differences(hour)));
  }

  async #differences(hour: number): Promise<string[]> {
    const there = await this.#platform.control.hashes(DEPLOYMENT, this.#branch);
    const here = new Map<string, string>();
    const model = path.join(this.#home, 'model');
    for (const entry of readdirSync(model, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const at = path.join(entry.parentPath, entry.name);
      here.set(path.relative(this.#home, at).split(path.sep).join('/'), nodeHasher.hash(readFileSync(at)));
    }
    const names = new Set([...here.keys(), ...Object.keys(there).filter((name) => name.startsWith('model/'))]);
    return [...names].flatMap((name) =>
      here.get(name) === there[name] ? [] : [`hour ${hour}: ${name} is ${here.get(name)} here, ${there[name]} there`],
    );
  }

  async #restart(): Promise<void> {
    this.#restarts += 1;
    await this.#sync?.close();
    this.#ports?.dispose();
    await this.#open();
  }

  async #open(): Promise<void> {
    const branch = devBranch(this.#branch);
    if (!branch.ok) throw new Error(branch.error);
    this.#ports = await createNodePorts({
      folder: path.join(this.#home, 'model'),
      storage: path.join(this.#home, 'storage'),
      branch: branch.value,
      worker: WORKER,
      logger: silentLogger,
    });
    const remote = createPlatformWriter({ client: this.#client(true), deployment: DEPLOYMENT, branch: branch.value });
    this.#sync = createFolderSync({
      ports: { ...this.#ports, remote, clock: hurriedClock, editors: { dirty: () => new Set() } },
      target: { account: 'day', deployment: String(DEPLOYMENT), branch: branch.value },
      logger: silentLogger,
    });
  }

  #opened(): FolderSync {
    if (!this.#sync) throw new Error('The sync is not open.');
    return this.#sync;
  }

  /** Returns a client that loses one request in fifty on the user's side, every other of them after the platform performed it. */
  #client(isCut: boolean): Client {
    return clientOf(this.#platform, async (request) => {
      const isStruck = isCut && this.#isRough && ++this.#requests % CUT_EVERY === 0;
      if (isStruck) this.#cuts += 1;
      if (isStruck && this.#cuts % 2 === 0) throw new TypeError('fetch failed');
      const response = await this.#platform.fetch(request);
      if (isStruck) throw new TypeError('fetch failed');
      return response;
    });
  }

  #file(): string {
    const number = this.#random(FILES);
    return number < 10 ? `model/top_${number}.yml` : `model/folder_${number % 7}/cube_${number}.yml`;
  }

  #rename(file: string): string {
    const to = this.#file();
    if (!existsSync(this.#at(file)) || existsSync(this.#at(to))) return file;
    mkdirSync(path.dirname(this.#at(to)), { recursive: true });
    renameSync(this.#at(file), this.#at(to));
    return to;
  }

  #write(file: string): void {
    mkdirSync(path.dirname(this.#at(file)), { recursive: true });
    writeFileSync(this.#at(file), this.#text('mine'));
  }

  #text(whose: string): string {
    return `# ${whose} ${++this.#version}\n${'x'.repeat(this.#random(2000))}\n`;
  }

  #at(file: string): string {
    return path.join(this.#home, ...file.split('/'));
  }
}

function clientOf(platform: Platform, fetch: (request: Request) => Promise<Response>): Client {
  return patientClient({
    baseUrl: 'http://127.0.0.1',
    credential: () => ({ kind: 'bearer', token: platform.apiKey, origin: originOf('http://127.0.0.1') }),
    logger: silentLogger,
    fetch: async (input, init) => fetch(new Request(input, init)),
    limits: { attempts: 1 },
  });
}

/** Ignores refusals of the platform and failures of the connection: they are part of the day. */
async function quietly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isPlatformError(error)) throw error;
  }
}
