import { unlessOthersTurn } from '#sync/core/in-folder-turn.ts';
import { confirmAttempts } from '#sync/core/record/confirm-attempts.ts';
import { fileRulesOf, type SyncContext } from '#sync/core/context.ts';
import { compileIgnore, type IgnoreFileName, type IgnoreRules } from '#sync/core/selection/ignore.ts';
import { keepForGood } from '#sync/core/record/keep-for-good.ts';
import type { Plan, PlanEntry } from './plan.ts';
import type { PlanInput } from './plan-input.ts';
import { planSteps } from './planner.ts';
import type { LocalListing, RemoteListing, ScanRequest } from '#sync/core/ports.ts';
import type { Agreement } from '#sync/core/record/sync-record.ts';

export interface Comparison {
  readonly plan: Plan;
  readonly remote: RemoteListing;
  /** Paths on which both sides turned out to agree. */
  readonly adopted: readonly string[];
}

export interface CompareOptions {
  /** Re-hash every file. */
  readonly verify?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For tests: a different planner. */
  readonly planner?: ((input: PlanInput) => Generator<void, Plan>) | undefined;
}

/** The largest file that is deployed, in bytes: a file is in memory while it is uploaded. */
const MAX_DEPLOYED = 256 * 1024 * 1024;

/** The longest planning slice before other work may run, in ms. */
const SLICE_MS = 8;

/** Compares both sides and makes a plan. Records in the base where both sides already agree. */
export async function compareSides(
  context: SyncContext,
  target: string,
  options: CompareOptions = {},
): Promise<Comparison> {
  const { ports, state } = context;
  const { useGitignore, ignore, maxFileSize } = context.settings();
  const rules = fileRulesOf(ports);
  const names = ignoreNames(useGitignore);
  const above = await ports.files.ignoreFiles(names);
  const { signal } = options;
  const request: ScanRequest = {
    ignores: compileIgnore(ignore, above, rules).ignores,
    rules,
    ignoreLines: ignore,
    ignoreFiles: above,
    ignoreNames: names,
    verify: options.verify === true,
    maxFileSize: rules === 'deploy' ? Math.max(maxFileSize, MAX_DEPLOYED) : maxFileSize,
    known: state.entries,
    signal,
  };
  const sides = [
    scanAndRecover(context, request),
    context.link.timed(() => ports.remote.list(signal, state.entries)),
  ] as const;
  // Whatever has the next turn must find no scan at work, which may recover files.
  await Promise.allSettled(sides);
  const [local, remote] = await Promise.all(sides);
  await confirmAttempts(context, local, remote);
  const ignored = compileIgnore(ignore, [...above, ...(local.ignoreFiles ?? [])], rules);
  const steps = (options.planner ?? planSteps)({
    target,
    generation: state.generation,
    time: ports.clock.now(),
    base: state.entries,
    baseRoot: state.entries.size > 0 ? state.root : undefined,
    local,
    remote,
    dirty: ports.editors.dirty(),
    ignores: ignored.ignores,
    rules,
    unclean: state.unclean,
    isDoubtful: state.isDoubtful,
  });
  const plan = await inSlices(context, steps, signal);
  await adoptAgreed(context, plan.entries);
  if (local.complete && !plan.entries.some((entry) => mayBeTorn(entry, local))) state.trustFiles();
  const isReplaced = plan.guards.some(({ kind }) => kind === 'rootChanged');
  if (!isReplaced || state.entries.size === 0) await state.adoptRoot(local.root);
  const open = plan.entries.filter(({ kind }) => kind !== 'adopt' && kind !== 'forget');
  // Both sides were compared completely and agree: the user has nothing left to decide.
  if (open.length === 0 && local.complete && remote.complete) await state.trustAgain();
  const entries = withNewlyIgnored(open, plan.entries, remote, ignored);
  const adopted = plan.entries.filter(({ kind }) => kind === 'adopt').map(({ path }) => path);
  const unchanged = plan.unchanged + adopted.length;
  return {
    plan: { ...plan, entries, unchanged, generation: state.generation, links: local.links },
    remote,
    adopted,
  };
}

/**
 * Whether an open entry is about a file that is empty or known to be torn. While it waits, the unclean stop may be the
 * cause.
 */
function mayBeTorn(entry: PlanEntry, { files }: LocalListing): boolean {
  if (entry.kind === 'adopt' || entry.kind === 'forget') return false;
  return (entry.kind === 'conflict' && entry.reason === 'tornWrite') || files.get(entry.path)?.size === 0;
}

/** Scans the folder after recovering what a failed effect left behind, which may be a file that seems to be missing. */
async function scanAndRecover({ ports, writable }: SyncContext, request: ScanRequest): Promise<LocalListing> {
  const listing = await ports.files.scan(request);
  if (!writable || (listing.leftovers ?? 0) === 0) return listing;
  await unlessOthersTurn(ports, async () => ports.files.recover());
  return ports.files.scan(request);
}

/** Adds the paths that an ignore rule newly excludes, which now exist only on the platform as far as sync is concerned. */
function withNewlyIgnored(
  open: readonly PlanEntry[],
  all: readonly PlanEntry[],
  remote: RemoteListing,
  rules: IgnoreRules,
): readonly PlanEntry[] {
  const ignored = all
    .filter(({ kind, path }) => kind === 'forget' && remote.files.has(path) && rules.ignores(path, false))
    .map(({ path }): PlanEntry => ({ kind: 'ignored', path }));
  if (ignored.length === 0) return open;
  return [...open, ...ignored].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Resolves to the rules that currently apply to these paths: built-in rules, ignore files, settings. */
export async function ignoreRulesFor(context: SyncContext, paths: Iterable<string>): Promise<IgnoreRules> {
  const { useGitignore, ignore } = context.settings();
  return compileIgnore(ignore, await context.ports.files.ignoreFiles(ignoreNames(useGitignore), paths));
}

function ignoreNames(useGitignore: boolean): readonly IgnoreFileName[] {
  return useGitignore ? ['.modelbenchignore', '.gitignore'] : ['.modelbenchignore'];
}

async function inSlices(
  { ports: { clock } }: SyncContext,
  steps: Generator<void, Plan>,
  signal: AbortSignal | undefined,
): Promise<Plan> {
  let since = clock.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (clock.now() - since >= SLICE_MS) {
      await clock.sleep(0, signal);
      since = clock.now();
    }
  }
}

/**
 * Advances the base for rows 2 and 3 of docs/sync.md#the-table and for newly ignored paths, after the versions are
 * durable on this disk.
 */
async function adoptAgreed({ ports, state }: SyncContext, entries: readonly PlanEntry[]): Promise<void> {
  const agreements: Agreement[] = [];
  const adopted: string[] = [];
  for (const entry of entries) {
    if (entry.kind === 'adopt') {
      adopted.push(entry.path);
      agreements.push({ path: entry.path, hash: entry.hash, size: entry.size });
    } else if (entry.kind === 'forget') agreements.push({ path: entry.path, hash: undefined, size: 0 });
  }
  const unkept = await keepForGood(ports.files, adopted);
  await state.commit(unkept.size === 0 ? agreements : agreements.filter(({ path }) => !unkept.has(path)));
}

/** Checks whether the current folder is the one that the base describes. A folder with a new identity needs a comparison. */
export async function isAgreedFolder({ state, ports }: SyncContext): Promise<boolean> {
  return state.root === undefined || state.root === (await ports.files.identity());
}

/** Makes the current folder the one that the base describes. */
export async function adoptFolder({ state, ports }: SyncContext): Promise<void> {
  await state.adoptRoot(await ports.files.identity());
}

/**
 * Checks before a plan is carried out that the folder is the one it was made for. If the user has confirmed another
 * folder, that one becomes the linked folder. Resolves to the reason when it is neither.
 */
export async function claimFolder(context: SyncContext, { guards }: Plan): Promise<string | undefined> {
  if (guards.some(({ kind }) => kind === 'rootChanged')) await adoptFolder(context);
  return (await isAgreedFolder(context))
    ? undefined
    : 'The linked folder was replaced since the plan was made. Refresh the changes and try again.';
}
