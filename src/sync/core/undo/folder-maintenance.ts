import { checkName } from '#base/file-names.ts';
import type { Logger } from '#base/log.ts';
import { isInside } from '#base/path.ts';
import type { SyncContext } from '#sync/core/context.ts';
import { discardEntries } from './discard.ts';
import { ignoreRulesFor } from '#sync/core/planning/compare-sides.ts';
import { explainText } from '#sync/core/status/explain.ts';
import { heldBy } from '#sync/core/status/held-by.ts';
import type { ApplyOptions, SyncOutcome, SyncStatus, SyncMaintenance } from '#sync/core/folder-sync.ts';
import type { Hash } from '#sync/core/hash.ts';
import { type HistoryAction, type HistoryRun, historyText, lastToUndo, type UndoSteps } from './history.ts';
import { verifiedText } from '#sync/core/planning/plan-text.ts';
import type { SyncPorts } from '#sync/core/ports.ts';
import { refused } from '#sync/core/transfer/sync-run.ts';
import { undoRun, undoSteps } from './undo.ts';

interface MaintenanceInit {
  readonly ports: SyncPorts;
  readonly branch: string;
  readonly logger: Logger;
  readonly status: () => SyncStatus;
  readonly opened: () => Promise<SyncContext>;
  /** Returns the hash that the platform has for a path, as far as it is known. */
  readonly remoteHash: (path: string) => Hash | undefined;
  /** Runs work exclusively, and records it in the history. */
  readonly exclusive: (
    busy: 'pushing' | 'pulling',
    action: HistoryAction,
    work: (context: SyncContext) => Promise<SyncOutcome>,
  ) => Promise<SyncOutcome>;
}

/** The history of a linked folder, and the operations that undo changes. */
export class FolderMaintenance implements SyncMaintenance {
  /** Identifies this session in the history. */
  readonly #session = crypto.randomUUID();
  readonly #init: MaintenanceInit;

  constructor(init: MaintenanceInit) {
    this.#init = init;
  }

  history(): Promise<readonly HistoryRun[]> {
    return this.#init.ports.history.list();
  }

  async historyPage(formatTime: (time: number) => string): Promise<string> {
    return historyText(await this.history(), this.#session, formatTime);
  }

  verification(): string {
    return verifiedText(this.#init.status().plan);
  }

  discard(paths: ReadonlySet<string>, options: ApplyOptions = {}): Promise<SyncOutcome> {
    const entries = this.#init.status().plan?.entries.filter(({ path }) => paths.has(path)) ?? [];
    return this.#init.exclusive('pulling', 'discard', (context) => discardEntries(context, entries, options));
  }

  async undoSteps(run: HistoryRun): Promise<UndoSteps> {
    return undoSteps(await this.#init.opened(), run);
  }

  undoLast(action: 'push' | 'pull', options: ApplyOptions = {}): Promise<SyncOutcome> {
    const undo = async (context: SyncContext): Promise<SyncOutcome> => {
      const run = lastToUndo(await this.history(), action);
      if (!run) return refused(`There is no ${action} to undo in the sync history of this folder.`);
      const outcome = await undoRun(context, run, options);
      return outcome.status === 'done' ? { ...outcome, undoes: run.id } : outcome;
    };
    return this.#init.exclusive(action === 'push' ? 'pushing' : 'pulling', 'undo', undo);
  }

  async explain(path: string, modelFolder: string): Promise<string> {
    const { opened, status, ports, remoteHash } = this.#init;
    const context = await opened();
    const inside = path !== modelFolder && isInside(path, modelFolder);
    const rules = await ignoreRulesFor(context, inside ? [path] : []);
    const facts = status();
    const { plan } = facts;
    const hash = remoteHash(path);
    return explainText({
      path,
      modelFolder,
      isInside: inside,
      local: inside ? await ports.files.stateOf(path) : { kind: 'absent' },
      base: context.state.entries.get(path),
      remote: hash === undefined ? undefined : { hash },
      rule: rules.explain(path, false),
      entry: plan?.entries.find((entry) => entry.path === path || ('from' in entry && entry.from === path)),
      guards: plan?.guards ?? [],
      name: inside ? checkName(path) : undefined,
      isDirty: ports.editors.dirty().has(path),
      held: heldBy(facts, path),
    });
  }

  /** Records a run in the history. Failing to write the history stops nothing. */
  async record(action: HistoryAction, outcome: SyncOutcome): Promise<void> {
    const { status, message, applied, changed, trashed, undoes } = outcome;
    if (status === 'refused' || (action === 'save' && applied.length + outcome.failed.length === 0)) return;
    const { ports, branch, logger } = this.#init;
    const about = { id: crypto.randomUUID(), time: ports.clock.now(), action, branch, session: this.#session };
    const failed = outcome.failed.map((failure) => ({ path: failure.path, message: failure.message }));
    try {
      await ports.history.append({ ...about, status, message, applied, failed, changed, trashed, undoes });
    } catch (error) {
      logger.warn('The sync history could not be written', { error: String(error) });
    }
  }
}
