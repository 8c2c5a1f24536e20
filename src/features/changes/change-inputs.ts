import type { ReadonlyStore } from '#base/store.ts';
import type { SyncSession } from '#features/folders/index.ts';
import { attemptOf, type ResolvedPulls, type StoppedStepDeps } from '#features/history/index.ts';
import type { LinkedFolder, Session } from '#features/platform/index.ts';
import { failureOf } from '#shell/error-texts.ts';
import type { ChangeTreeInput, Obstacle, PushMode } from './change-nodes.ts';
import { type CommitPlanDeps, commitPlanOf } from './commit-plan.ts';

/** The dependencies of {@link changeInputs}. */
export interface ChangeInputDeps extends StoppedStepDeps, CommitPlanDeps {
  readonly isTrusted: ReadonlyStore<boolean>;
  /** Returns how saved files of a folder are pushed. */
  readonly pushModeOf: (session: SyncSession) => PushMode;
  readonly session: Session;
  readonly resolvedPulls: ResolvedPulls;
}

/** Returns the data that the Changes view shows for each linked folder; `timeText` formats a time. */
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

/** Returns why the sync of a folder is not open; `undefined` if it is being opened, or if its link is invalid. */
function obstacleOf({ isTrusted, session }: ChangeInputDeps, folder: LinkedFolder): Obstacle | undefined {
  if (!folder.link) return undefined;
  if (!isTrusted.value) return { kind: 'restricted' };
  const target = session.targetOf(folder);
  if (!target) return { kind: 'signedOut', tenant: new URL(folder.link.tenantUrl).host };
  return session.activeBranch(target) === undefined ? { kind: 'noDevMode', ...target } : undefined;
}

/** Returns a folder's deployment if the views show one that no folder of the window is linked to. */
function shownElsewhere(
  { data, session }: Pick<ChangeInputDeps, 'data' | 'session'>,
  folder: LinkedFolder,
): ChangeTreeInput['elsewhere'] {
  const shown = session.active.value;
  const target = session.targetOf(folder);
  if (!shown || !target || session.foldersOf(shown).length > 0) return undefined;
  return { ...target, linked: data.titleOf(target), shown: data.titleOf(shown) };
}

/** Returns the branch whose sync is being opened for a folder. */
function openingBranch(session: ChangeInputDeps['session'], folder: LinkedFolder): string | undefined {
  const target = session.targetOf(folder);
  return target && session.activeBranch(target);
}
