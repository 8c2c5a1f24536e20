import type { ReadonlyStore } from '#base/store.ts';
import type { SyncSession } from '#features/folders/index.ts';
import { attemptOf, type ResolvedPulls, type StoppedStepDeps } from '#features/history/index.ts';
import type { LinkedFolder, Session } from '#features/platform/index.ts';
import { failureOf } from '#shell/error-texts.ts';
import type { ChangeTreeInput, Obstacle, PushMode } from './change-nodes.ts';
import { type CommitPlanDeps, commitPlanOf } from './commit-plan.ts';

/** Everything that the Changes view shows something of. */
export interface ChangeInputDeps extends StoppedStepDeps, CommitPlanDeps {
  readonly isTrusted: ReadonlyStore<boolean>;
  /** How saved files of a folder are pushed. */
  readonly pushModeOf: (session: SyncSession) => PushMode;
  readonly session: Session;
  readonly resolvedPulls: ResolvedPulls;
}

/** What the Changes view shows of each linked folder; `timeText` says a time. */
export function changeInputs(deps: ChangeInputDeps, timeText: (time: number) => string): readonly ChangeTreeInput[] {
  const { session, syncs, isTrusted } = deps;
  return session.links.value.map((folder) => {
    const open = syncs.ofFolder(folder.folderId);
    return {
      folderId: folder.folderId,
      name: folder.name,
      deployment: deploymentTitle(deps, folder),
      branch: open?.target.branchName,
      obstacle: open ? undefined : obstacleOf(deps, folder),
      unreturned: open && deps.resolvedPulls.waiting({ ...open.target, folderId: folder.folderId }),
      problem:
        folder.problem === undefined
          ? failureOf(syncs.problem(folder.folderId))
          : { title: 'Link cannot be used', message: folder.problem },
      pushMode: open && deps.pushModeOf(open),
      status: open?.sync.status.value,
      attempt: open && attemptOf(deps, open),
      ...(open && commitPlanOf(deps, open.target, timeText)),
      elsewhere: shownElsewhere(deps, folder),
      opening: open || !isTrusted.value ? undefined : openingBranch(session, folder),
    };
  });
}

function deploymentTitle({ data, session }: ChangeInputDeps, folder: LinkedFolder): string | undefined {
  const target = session.targetOf(folder);
  return target && data.titleOf(target);
}

/** Why the sync of a folder is not open; nothing where it is being opened, or its link cannot be used. */
function obstacleOf({ isTrusted, session }: ChangeInputDeps, folder: LinkedFolder): Obstacle | undefined {
  if (!folder.link) return undefined;
  if (!isTrusted.value) return { kind: 'restricted' };
  const target = session.targetOf(folder);
  if (!target) return { kind: 'signedOut', tenant: new URL(folder.link.tenantUrl).host };
  return session.activeBranch(target) === undefined ? { kind: 'noDevMode', ...target } : undefined;
}

/** A folder's deployment, while the views show one that no folder of the window is linked to. */
function shownElsewhere(
  { data, session }: Pick<ChangeInputDeps, 'data' | 'session'>,
  folder: LinkedFolder,
): ChangeTreeInput['elsewhere'] {
  const shown = session.active.value;
  const target = session.targetOf(folder);
  if (!shown || !target || session.foldersOf(shown).length > 0) return undefined;
  return { ...target, linked: data.titleOf(target), shown: data.titleOf(shown) };
}

/** The branch that a folder's sync is being opened for. */
function openingBranch(session: ChangeInputDeps['session'], folder: LinkedFolder): string | undefined {
  const target = session.targetOf(folder);
  return target && session.activeBranch(target);
}
