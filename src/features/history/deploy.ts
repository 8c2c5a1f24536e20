import { isEqual } from '#base/equal.ts';
import { isInside } from '#base/path.ts';
import type { FollowedLink } from '#sync/core/selection/followed-link.ts';
import { foreignFiles } from '#sync/core/planning/foreign-files.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import { mayDeploy } from '#sync/core/target.ts';
import type { WorkPlan } from '#features/folders/index.ts';
import type { Deployment } from '#features/platform/index.ts';

/**
 * Returns why a folder cannot be deployed to this deployment, and what to do instead. The platform may not report the deploy mode
 * (docs/platform-api.md#deployments lists no such field); then the platform decides.
 */
export function deployRefusal({ name, deployMode }: Deployment): string | undefined {
  if (mayDeploy(deployMode)) return undefined;
  return `“${name}” is not deployed by uploads: its production follows the deploy branch. Start dev mode and use “Merge to Default Branch…”.`;
}

/**
 * Turns a comparison with the deploy branch into a deploy (docs/platform-api.md#uploads): the folder counts, so a file that is
 * only on the platform becomes a deletion, and a different file an upload. Entries with a note, which would undo what someone else
 * deployed, delete what is only on the platform, or upload what a link brings into the project (docs/sync.md#deployed-foreign), are not
 * ticked. `included`: links, or files below them, whose content the user decided to upload. Every effect has the hash that it
 * replaces, so that a deploy stops if someone else deploys meanwhile.
 */
export function deployPlan(compared: Plan, included: readonly string[] = []): WorkPlan {
  const ticked = new Set<string>();
  const notes = new Map<string, string>();
  const entries = compared.entries.flatMap((entry) => {
    const { effects, note: own } = deployed(entry);
    const foreign = foreignFiles({ entries: effects, links: compared.links });
    for (const { path } of effects) {
      const link = included.some((each) => isInside(path, each)) ? undefined : foreign.get(path);
      const note = [...(own === undefined ? [] : [own]), ...(link ? [linkNote(link)] : [])].join('; ') || undefined;
      if (note === undefined) ticked.add(path);
      else notes.set(path, note);
    }
    return effects.length === 0 ? [entry] : effects;
  });
  return { plan: { ...compared, entries }, ticked, notes };
}

/** Whether a later plan transfers the same selected entries as the shown one, and has no new guard. */
export function sendsWhatWasShown(shown: Plan, later: Plan, selection: ReadonlySet<string>): boolean {
  const chosen = ({ entries }: Plan): readonly PlanEntry[] => entries.filter(({ path }) => selection.has(path));
  const known = new Set(shown.guards.map(({ kind }) => kind));
  const isNew = later.guards.some(({ blocks, kind }) => blocks !== 'pull' && !known.has(kind));
  return !isNew && isEqual(chosen(shown), chosen(later));
}

/** Describes where a file that is not the project's own is from. */
export function linkNote({ target, leadsTo }: FollowedLink): string {
  const why = leadsTo === 'outside' ? 'outside of the project' : 'which is never deployed under its own name';
  return `a link to ${target}, ${why}`;
}

interface Deployed {
  readonly effects: readonly PlanEntry[];
  readonly note?: string;
}

const newer = 'would undo what someone deployed since';
const onlyThere = 'only on the platform';

function deployed(entry: PlanEntry): Deployed {
  const { path } = entry;
  switch (entry.kind) {
    case 'upload':
    case 'deleteRemote':
    case 'renameRemote':
      return { effects: [entry] };
    case 'download':
      return overDownload(entry);
    case 'deleteLocal':
      return { effects: [upload(path, entry.expectedLocal, entry.size, undefined)], note: newer };
    case 'renameLocal': {
      const { from, hash, size } = entry;
      return {
        effects: [upload(from, hash, size, undefined), { kind: 'deleteRemote', path, expectedRemote: hash, size }],
        note: newer,
      };
    }
    case 'conflict':
      return overConflict(entry);
    default:
      return { effects: [] };
  }
}

type Entry<Kind> = Extract<PlanEntry, { readonly kind: Kind }>;

function overDownload({ path, hash, expectedLocal, reason, size = 0 }: Entry<'download'>): Deployed {
  if (expectedLocal !== undefined) return { effects: [upload(path, expectedLocal, size, hash)], note: newer };
  const effects: readonly PlanEntry[] = [{ kind: 'deleteRemote', path, expectedRemote: hash, size }];
  return { effects, note: reason === 'added' ? onlyThere : newer };
}

function overConflict({ path, local, remote, base, reason, size }: Entry<'conflict'>): Deployed {
  const isPlain = reason === 'bothAdded' || reason === 'bothChanged';
  if (!isPlain || local === undefined || remote === undefined) return { effects: [] };
  const effects = [upload(path, local, size, remote)];
  // Without a common version it is unknown which side is newer: the folder's version is the one to deploy.
  return base === undefined ? { effects } : { effects, note: newer };
}

function upload(path: string, hash: string, size: number, expectedRemote: string | undefined): PlanEntry {
  const reason = expectedRemote === undefined ? 'added' : 'changed';
  return { kind: 'upload', path, reason, hash, size, expectedRemote };
}
