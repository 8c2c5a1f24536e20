import type { CompileResult } from '../deps.ts';
import type { Core } from './core.ts';
import { environmentOf } from './environments.ts';
import { modelSource } from './files.ts';
import { type BranchRow, branchByName, deploymentById } from './rows.ts';

/** The answer of docs/platform-api.md#getbuildstatus. */
export interface BuildStatus {
  readonly status: 'built' | 'building' | 'failed' | 'none';
  readonly branchName: string;
  readonly errorText?: string;
}

interface BuildRow {
  readonly status: 'built' | 'building' | 'failed';
  readonly error_text: string | null;
}

interface Run {
  done: Promise<void>;
  again: boolean;
}

/** Builds branches with the model engine: one build at a time a branch, and the newest content always gets one. */
export class Builds {
  readonly #core: Core;
  readonly #running = new Map<string, Run>();
  #closed = false;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Starts a build of what the branch now holds; it runs in the background. */
  request(deploymentId: number, branchName: string): void {
    if (this.#closed || environmentOf(this.#core, deploymentId, branchName) === undefined) return;
    const key = `${deploymentId} ${branchName}`;
    this.#mark(deploymentId, branchName, 'building');
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const run: Run = { done: Promise.resolve(), again: false };
    run.done = this.#loop(deploymentId, branchName, run).finally(() => this.#running.delete(key));
    this.#running.set(key, run);
  }

  /** Starts a build of every environment of a deployment. */
  requestAll(deploymentId: number): void {
    const rows = this.#core.db.all<{ name: string }>('SELECT name FROM branches WHERE deployment_id = ?', deploymentId);
    for (const { name } of rows) this.request(deploymentId, name);
  }

  /** The state of a branch; a build that was never made, or that a killed platform left unfinished, is started. */
  status(deploymentId: number, branchName: string): BuildStatus {
    const branch = branchByName(this.#core.db, deploymentId, branchName);
    if (branch === undefined) {
      const empty = this.#core.db.get('SELECT 1 FROM branches WHERE deployment_id = ?', deploymentId) === undefined;
      return empty ? { status: 'none', branchName } : { status: 'building', branchName, errorText: 'Bad branch' };
    }
    if (environmentOf(this.#core, deploymentId, branchName) === undefined) {
      return { status: 'building', branchName, errorText: 'Branch is not active' };
    }
    const row = this.#row(deploymentId, branchName);
    if (row === undefined || (row.status === 'building' && !this.#running.has(`${deploymentId} ${branchName}`))) {
      this.request(deploymentId, branchName);
      return { status: 'building', branchName };
    }
    return { status: row.status, branchName, ...(row.error_text === null ? {} : { errorText: row.error_text }) };
  }

  /** Compiles what a branch holds now, without making it the branch's build. */
  async validate(branch: BranchRow): Promise<CompileResult> {
    return this.#core.engine.compile((await modelSource(this.#core, branch)).files);
  }

  /** Resolves when no build of the branch is under way. */
  async settled(deploymentId: number, branchName: string): Promise<void> {
    await this.#running.get(`${deploymentId} ${branchName}`)?.done;
  }

  /** Starts no more builds; what is under way ends with the engine. */
  stop(): void {
    this.#closed = true;
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  async #loop(deploymentId: number, branchName: string, run: Run): Promise<void> {
    do {
      run.again = false;
      const result = await this.#compile(deploymentId, branchName);
      if (this.#closed) return;
      if (!run.again) this.#finish(deploymentId, branchName, result);
    } while (run.again);
  }

  async #compile(deploymentId: number, branchName: string): Promise<CompileResult> {
    try {
      const branch = branchByName(this.#core.db, deploymentId, branchName);
      if (branch === undefined) throw new Error('Branch is gone');
      const source = await modelSource(this.#core, branch);
      return await this.#core.engine.compile(source.files);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { ok: false, errors: [{ message }], errorText: message };
    }
  }

  #finish(deploymentId: number, branchName: string, result: CompileResult): void {
    const deployment = deploymentById(this.#core.db, deploymentId);
    const branch = branchByName(this.#core.db, deploymentId, branchName);
    if (deployment === undefined || branch === undefined) return;
    this.#mark(deploymentId, branchName, result.ok ? 'built' : 'failed', result.ok ? undefined : result.errorText);
    this.#core.log({
      deploymentId: String(deploymentId),
      source: branch.parent === null ? 'production' : 'dev',
      container: 'MAIN',
      branchName,
      message: result.ok
        ? `Build of ${branchName} finished: ${result.cubes} cubes and views.`
        : `Build of ${branchName} failed: ${result.errorText}`,
    });
  }

  #row(deploymentId: number, branchName: string): BuildRow | undefined {
    return this.#core.db.get<BuildRow>(
      'SELECT status, error_text FROM builds WHERE deployment_id = ? AND branch_name = ?',
      deploymentId,
      branchName,
    );
  }

  #mark(deploymentId: number, branchName: string, status: BuildRow['status'], errorText?: string): void {
    const now = this.#core.now();
    if (status === 'building') {
      this.#core.db.run(
        `INSERT INTO builds (deployment_id, branch_name, status, started_at) VALUES (?, ?, 'building', ?)
         ON CONFLICT (deployment_id, branch_name)
         DO UPDATE SET status = 'building', error_text = NULL, started_at = excluded.started_at, finished_at = NULL`,
        deploymentId,
        branchName,
        now,
      );
      return;
    }
    this.#core.db.run(
      'UPDATE builds SET status = ?, error_text = ?, finished_at = ? WHERE deployment_id = ? AND branch_name = ?',
      status,
      errorText ?? null,
      now,
      deploymentId,
      branchName,
    );
  }
}
