import { abortable, abortReason, asError, CancelledError, Sequencer } from '#base/async.ts';
import type { Logger } from '#base/log.ts';
import type { ReadonlyStore } from '#base/store.ts';
import { AwaitedLock } from '#sync/core/record/awaited-lock.ts';
import { BranchVersions } from '#sync/core/versions/branch-versions.ts';
import { classifyEntries } from '#sync/core/versions/contents.ts';
import { type SyncContext, writerOf } from './context.ts';
import { adoptFolder, claimFolder, compareSides, type CompareOptions } from '#sync/core/planning/compare-sides.ts';
import {
  type ApplyOptions,
  defaultSettings,
  type FolderSync,
  type Selection,
  type SyncOutcome,
  type SyncSettings,
  type SyncStatus,
} from './folder-sync.ts';
import type { PauseReason } from '#sync/core/status/sync-facts.ts';
import { blockingGuard, folderGuard } from '#sync/core/planning/guards.ts';
import { FolderMaintenance } from '#sync/core/undo/folder-maintenance.ts';
import type { HistoryAction } from '#sync/core/undo/history.ts';
import { direction, type Plan, type PlanEntry } from '#sync/core/planning/plan.ts';
import type { SyncPorts, TrashCause, TrashItem } from './ports.ts';
import { inFolderTurn, requireFolderTurn } from './in-folder-turn.ts';
import { SyncMonitor } from '#sync/core/status/monitor.ts';
import { notWritable } from '#sync/core/record/not-writable.ts';
import { runUntil } from '#sync/core/remote/repeat.ts';
import { pullEntries } from '#sync/core/transfer/pull.ts';
import { pushEntries } from '#sync/core/transfer/push.ts';
import { endsConflict, resolvePath } from '#sync/core/transfer/resolve.ts';
import { restoreVersion } from '#sync/core/undo/restore.ts';
import { refused, SyncRun } from '#sync/core/transfer/sync-run.ts';
import { SaveSender } from '#sync/core/saves/save-sender.ts';
import { SharedComparison } from '#sync/core/planning/shared-comparison.ts';
import { BaseOpener } from '#sync/core/record/opened-base.ts';
import { type SyncTarget, targetKey } from './target.ts';

export interface FolderSyncInit {
  readonly ports: SyncPorts;
  readonly target: SyncTarget;
  readonly settings?: Partial<SyncSettings> | undefined;
  readonly logger: Logger;
}

/** Creates the sync of one linked folder with one branch. It reads and writes nothing before the first `plan` or save. */
export function createFolderSync(init: FolderSyncInit): FolderSync {
  return new LinkedFolderSync(init);
}

class LinkedFolderSync implements FolderSync {
  readonly target: SyncTarget;
  readonly #key: string;
  readonly maintenance: FolderMaintenance;
  readonly #ports: SyncPorts;
  readonly #logger: Logger;
  readonly #monitor: SyncMonitor;
  readonly #turn = new Sequencer();
  readonly #saves: SaveSender;
  readonly #ended = new AbortController();
  readonly #versions: BranchVersions;
  #settings: SyncSettings;
  readonly #bases: BaseOpener;
  readonly #lock: AwaitedLock;
  readonly #comparison = new SharedComparison(this.#turn, (signal) => this.#compareNow({ signal }));
  #timer: AbortController | undefined;
  #context: SyncContext | undefined;

  constructor({ ports, target, settings, logger }: FolderSyncInit) {
    this.target = target;
    this.#key = targetKey(target);
    this.#ports = ports;
    this.#logger = logger;
    this.#settings = { ...defaultSettings, ...settings };
    this.#bases = new BaseOpener(ports, target, logger, () => this.#settings);
    this.#monitor = new SyncMonitor({
      logger,
      clock: ports.clock,
      branch: target.branch,
      readOnly: () => (writerOf(ports) ? (this.#bases.isReader ? 'otherWindow' : undefined) : 'branch'),
      generation: () => this.#context?.state.generation,
      onHold: (held) => this.#saves.hold(held),
      onOutage: () => this.#saves.retryLater(),
    });
    this.#saves = new SaveSender({
      ports,
      logger,
      monitor: this.#monitor,
      ended: this.#ended.signal,
      settings: () => this.#settings,
      open: () => this.#open(),
      compare: (context) => this.#compare(context, {}),
      push: async (context, entries, run) => {
        await requireFolderTurn(ports, async () => this.#pushLogged(context, entries, run, false));
        this.#afterRun(context, run);
        await this.maintenance.record('save', run.outcome('Pushed'));
      },
      inTurn: (work) => this.#turn.queue(work),
      plan: () => this.plan(),
    });
    const opened = async (): Promise<SyncContext> => (await this.#bases.opened()).context;
    this.#versions = new BranchVersions({ opened, plan: () => this.#monitor.plan, logger, signal: this.#ended.signal });
    this.maintenance = new FolderMaintenance({
      ...{ ports, branch: target.branch, logger, opened },
      status: () => this.#monitor.store.value,
      remoteHash: (path) => this.#versions.hashOf(path),
      exclusive: (busy, action, work) => this.#exclusive(busy, action, work),
    });
    const takesLock = (): Promise<boolean> => this.#turn.queue(() => this.#bases.takesLock());
    this.#lock = new AwaitedLock(ports.clock, this.#ended.signal, takesLock, () => this.plan());
    this.#restartTimer();
  }

  get status(): ReadonlyStore<SyncStatus> {
    return this.#monitor.store;
  }

  plan(options: Pick<CompareOptions, 'verify' | 'signal'> = {}): Promise<Plan> {
    if (options.verify === true) return this.#turn.queue(() => this.#compareNow(options));
    const compared = this.#comparison.run();
    // A caller that stops waiting does not cancel the comparison for the others.
    return options.signal ? abortable(compared, options.signal) : compared;
  }

  push(plan: Plan, selection: Selection, options: ApplyOptions = {}): Promise<SyncOutcome> {
    return this.#apply('push', plan, selection, options);
  }

  pull(plan: Plan, selection: Selection, options: ApplyOptions = {}): Promise<SyncOutcome> {
    return this.#apply('pull', plan, selection, options);
  }

  resolve(...[path, choice, options = {}]: Parameters<FolderSync['resolve']>): Promise<SyncOutcome> {
    const shown = this.#monitor.plan?.entries ?? [];
    return this.#exclusive('pushing', 'resolve', async (context) => {
      const guard = folderGuard(this.#monitor.plan);
      const outcome = guard ? refused(guard.message) : await resolvePath(context, path, choice, shown, options);
      // Do not wait for the next comparison: the number of remaining conflicts is shown now.
      if (outcome.status === 'done' && endsConflict(choice)) this.#monitor.drop([{ path }], context.state.generation);
      return outcome;
    });
  }

  onSaved(paths: readonly string[]): void {
    this.#saves.add(paths);
  }

  async sendWaiting(): Promise<void> {
    await this.plan();
    await this.#saves.sendAll();
  }

  flush(): Promise<void> {
    return this.#saves.flush();
  }

  pause(reason: PauseReason): void {
    this.#monitor.pause(reason);
  }

  resume(reason: PauseReason): void {
    this.#monitor.resume(reason);
    this.#saves.resume(this.#monitor.plan);
  }

  configure(settings: Partial<SyncSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#restartTimer();
  }

  baseContent(path: string): Promise<Uint8Array | undefined> {
    return this.#versions.base(path);
  }

  localContent(path: string): Promise<Uint8Array | undefined> {
    return this.#ports.files.read(path).then((file) => file?.bytes);
  }

  remoteContent(path: string, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    return this.#versions.remote(path, signal);
  }

  async trashed(): Promise<readonly TrashItem[]> {
    return [...(await this.#ports.trash.list())].sort((a, b) => b.time - a.time);
  }

  trashedContent(id: string): Promise<Uint8Array | undefined> {
    return this.#ports.trash.read(id);
  }

  keepCopy(path: string, cause: TrashCause, unsaved?: Uint8Array): Promise<void> {
    return this.#ports.files.keepCopy(path, cause, unsaved).then(() => undefined);
  }

  restore(item: TrashItem): Promise<SyncOutcome> {
    return this.#exclusive('pulling', 'restore', (context) => restoreVersion(context, item));
  }

  dispose(): void {
    this.close().catch((error: unknown) => this.#logger.warn('Sync did not close cleanly', { error: String(error) }));
  }

  async close(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort(new CancelledError('The folder is no longer linked here.'));
    this.#timer?.abort();
    await this.#saves.end();
    await this.#turn.queue(async () => {
      await this.#saves.keep();
      await this.#bases.close();
    });
    await this.#versions.idle();
    this.#monitor.dispose();
  }

  #compareNow(options: CompareOptions): Promise<Plan> {
    if (this.#ended.signal.aborted) throw abortReason(this.#ended.signal);
    return this.#monitor.during('checking', async () => {
      try {
        const plan = await this.#compare((await this.#open()).context, options);
        this.#saves.resume(plan);
        return plan;
      } catch (thrown) {
        this.#monitor.failed(asError(thrown));
        throw thrown;
      }
    });
  }

  /** Compares both sides, and forgets the waiting saves that turn out to need no upload. */
  async #compare(context: SyncContext, options: CompareOptions): Promise<Plan> {
    const { turn } = this.#saves;
    const { plan: found, remote, adopted } = await compareSides(context, this.#key, options);
    const plan = await classifyEntries(context, found, options.signal).finally(() =>
      this.#versions.listed(context, remote, adopted),
    );
    this.#monitor.setPlan(plan);
    this.#monitor.reached(this.#ports.clock.now());
    this.#saves.compared(plan, turn);
    return plan;
  }

  async #apply(way: 'push' | 'pull', plan: Plan, selection: Selection, options: ApplyOptions): Promise<SyncOutcome> {
    return this.#exclusive(way === 'push' ? 'pushing' : 'pulling', way, async (context) => {
      const stale = plan.target !== this.#key || plan.generation !== context.state.generation;
      if (stale)
        return refused(
          'The plan is out of date: something was synced since it was made. Refresh the changes and try again.',
        );
      const entries = plan.entries.filter(
        (entry) => direction(entry) === way && (selection === 'all' || selection.has(entry.path)),
      );
      const guard = blockingGuard(plan.guards, way, entries, options.confirmed ?? []);
      if (guard) return refused(guard.message);
      const otherFolder = await claimFolder(context, plan);
      if (otherFolder !== undefined) return refused(otherFolder);
      await context.state.trustAgain();
      const run = new SyncRun(entries.length, options);
      if (way === 'pull') {
        await pullEntries(context, entries, run);
        // A first pull creates the folder.
        if (context.state.root === undefined) await adoptFolder(context);
      } else {
        const problem = await this.#pushLogged(context, entries, run, true);
        if (problem !== undefined) return refused(problem);
      }
      this.#afterRun(context, run);
      return run.outcome(way === 'push' ? 'Pushed' : 'Pulled');
    });
  }

  /** Pushes entries; an explicit push of several files prefers one upload transaction. Resolves to why nothing can be pushed. */
  async #pushLogged(
    context: SyncContext,
    entries: readonly PlanEntry[],
    run: SyncRun,
    explicit: boolean,
  ): Promise<string | undefined> {
    const writer = writerOf(this.#ports);
    if (!writer)
      return 'This branch is read only: only your own dev branches can be written to. Start dev mode to push.';
    const uploads = entries.filter(({ kind }) => kind === 'upload').length;
    const route = explicit && uploads > 1 ? 'transaction' : 'direct';
    await pushEntries({ ...context, writer }, entries, route, run);
    return undefined;
  }

  /** Runs one operation at a time, in the writing window only. Save-sync waits meanwhile, and a new comparison follows. */
  #exclusive(
    busy: 'pushing' | 'pulling',
    action: HistoryAction,
    work: (context: SyncContext) => Promise<SyncOutcome>,
  ): Promise<SyncOutcome> {
    this.#comparison.interrupt();
    return this.#turn.queue(async () => {
      if (this.#ended.signal.aborted) return refused('The folder is no longer linked here.');
      return this.#monitor.during(busy, async () => {
        try {
          const session = await this.#open();
          const problem = await notWritable(session, this.#ports.lastBranch);
          if (problem !== undefined) return refused(problem);
          const outcome = await inFolderTurn(this.#ports, async () => work(session.context));
          await this.maintenance.record(action, outcome);
          if (outcome.status !== 'refused') this.plan().catch(() => undefined);
          return outcome;
        } catch (thrown) {
          this.#monitor.failed(asError(thrown));
          throw thrown;
        }
      });
    });
  }

  /** Updates the status after a push or pull, without another comparison. */
  #afterRun(context: SyncContext, run: SyncRun): void {
    this.#versions.sent(run.applied);
    this.#monitor.drop(run.applied, context.state.generation);
    if (run.applied.length > 0) this.#monitor.set({ lastSynced: this.#ports.clock.now(), error: undefined });
    if (run.firstError) this.#monitor.failed(run.firstError);
  }

  async #open(): ReturnType<BaseOpener['open']> {
    const session = await this.#bases.open();
    this.#context = session.context;
    if (session.writable && writerOf(this.#ports)) await this.#saves.takeUp(session.context);
    if (!session.writable) this.#lock.wait();
    return session;
  }

  #restartTimer(): void {
    this.#timer?.abort();
    const { refreshSeconds } = this.#settings;
    if (refreshSeconds <= 0) return;
    this.#timer = new AbortController();
    const check = async (): Promise<boolean> => {
      if (!this.#monitor.held) await this.plan().catch(() => undefined);
      return false;
    };
    runUntil(this.#ports.clock, () => refreshSeconds * 1000, this.#timer.signal, check);
  }
}
