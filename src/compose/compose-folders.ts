import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { BranchDeltas, type ListFiles } from '#features/changes/branch-deltas.ts';
import { BranchFiles, type OpenBranchTrash } from '#features/folders/branch-files.ts';
import { BranchTrash } from '#features/folders/branch-trash.ts';
import { GitAttempts } from '#features/history/git-attempt.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import { SaveChoices } from '#features/folders/save-choice.ts';
import { SyncPauses } from '#features/folders/sync-pause.ts';
import { ResolvedPulls } from '#features/history/resolved-pull.ts';
import { type OpenSync, SyncSessions } from '#features/folders/sync-sessions.ts';
import { type HoldFacts, holdUploads, UploadConsent } from '#features/folders/upload-consent.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { RemoteDocuments } from '#features/folders/vscode/remote-documents.ts';
import { RemoteFileSystem } from '#features/folders/vscode/remote-file-system.ts';
import { pushesSaves, pushSetting } from '#features/folders/vscode/sync-settings.ts';
import { listedState, stateStore } from '#shell/vscode/stores.ts';
import { BegunMerges } from '#features/folders/begun-merges.ts';
import { type BegunWork, type RecordBegun, recordedState } from '#features/folders/begun-work.ts';
import type { VersionsChange } from '#features/folders/stored-versions.ts';
import { PlanView } from '#features/folders/plan-view.ts';
import { mayUpload } from '#features/folders/vscode/upload-consent.ts';
import type { BranchServices, PlatformServices, StepServices, SyncServices, WindowServices } from './composed.ts';

/** Creates the begun work of linked folders, on the states of VS Code. */
export function begunWork({ globalState, workspaceState }: vscode.ExtensionContext): BegunWork {
  const [user, window] = [listedState(globalState), listedState(workspaceState)];
  const records = new Set<RecordBegun>();
  return { user, window, records, merges: new BegunMerges(recordedState(window, records)) };
}

/** Creates the services that keep linked folders in sync with their branches. */
export function syncServices(
  { context, logger, isTrusted }: WindowServices,
  { accounts, data, session }: PlatformServices,
  begun: BegunWork,
  store: DisposableStore,
): SyncServices {
  const state = stateStore(context.globalState);
  const remembered = {
    saveChoices: store.add(new SaveChoices(pushSetting, state)),
    pauses: new SyncPauses(state),
    changed: {
      files: store.add(new Emitter<readonly vscode.Uri[]>()),
      versions: store.add(new Emitter<VersionsChange>()),
    },
  };
  const openSync = lazySync({ begun, context, data, logger, ...remembered });
  const services: SyncServices = {
    ...remembered,
    merges: begun.merges,
    openSync,
    consent: store.add(new UploadConsent({ data, userState: state })),
    syncs: store.add(new SyncSessions({ session, accounts, isTrusted, open: openSync, logger })),
    plan: store.add(new PlanView(stateStore(context.workspaceState))),
  };
  holdRiskyUploads(services, data, store);
  return services;
}

/** Loads the sync engine with the first linked folder: it is large, so it has its own bundle. */
function lazySync(
  deps: Pick<WindowServices, 'context' | 'logger'> &
    Pick<PlatformServices, 'data'> &
    Pick<SyncServices, 'saveChoices' | 'pauses' | 'changed'> & { readonly begun: BegunWork },
): OpenSync {
  return async (folder, target, deploy) => {
    // Whether uploads need consent depends on the deployment, so load the list before anything can be saved.
    await deps.data.deployments(target.accountId).start();
    const { openSyncWith } = await import('#features/folders/vscode/open-sync.ts');
    const reportFiles = (uris: readonly vscode.Uri[]): void => deps.changed.files.fire(uris);
    const reportVersions = (change: VersionsChange): void => deps.changed.versions.fire(change);
    return openSyncWith({ ...deps, reportFiles, reportVersions })(folder, target, deploy);
  };
}

/** Holds back uploads whose risk the user has not accepted, while saved files would be pushed automatically. */
function holdRiskyUploads(
  { syncs, consent, saveChoices }: SyncServices,
  data: PlatformData,
  store: DisposableStore,
): void {
  const pushes: HoldFacts['pushes'] = ({ folder }) => pushesSaves(folder.folderId, saveChoices);
  store.add(holdUploads({ syncs, consent, data, pushes, onDidChangePushes: saveChoices.onDidChange }));
}

/**
 * Creates the services for files of branches without a local copy; the user's own dev branches are writable in a trusted window.
 */
export function branchServices(
  { context, logger, isTrusted }: WindowServices,
  { accounts, data, session }: PlatformServices,
  { syncs, merges, consent }: SyncServices,
  store: DisposableStore,
): BranchServices {
  const openTrash = lazyBranchTrash({ context, logger });
  const branchFiles = new BranchFiles(data, () => Date.now(), openTrash);
  const branchTrash = new BranchTrash(branchFiles, openTrash);
  const mayWrite = (target: BranchTarget): boolean =>
    isTrusted.value && session.myBranches(target).has(target.branchName);
  const mayUploadTo = async (target: BranchTarget): Promise<boolean> => mayUpload({ consent, data }, target);
  return {
    branchFiles,
    branchTrash,
    documents: store.add(new RemoteDocuments(syncs, merges, branchTrash)),
    remote: store.add(new RemoteFileSystem(branchFiles, accounts, { mayWrite, mayUpload: mayUploadTo })),
  };
}

/** Opens the trash on demand: it needs the file-system code, which is in the bundle of the sync engine. */
function lazyBranchTrash(deps: Pick<WindowServices, 'context' | 'logger'>): OpenBranchTrash {
  return async (target) => (await import('#features/folders/vscode/open-sync.ts')).openBranchTrashWith(deps)(target);
}

/** Creates the services for Git steps: the steps that stopped, and the changes that a step would bring. */
export function stepServices(
  { context, logger }: WindowServices,
  { data }: PlatformServices,
  { branchFiles, remote }: BranchServices,
  begun: BegunWork,
  store: DisposableStore,
): StepServices {
  const state = stateStore(context.globalState);
  const list: ListFiles = async (target) => {
    // Open documents of the branch are refreshed together with the list.
    await remote.refresh(target);
    return branchFiles.list(target);
  };
  return {
    attempts: store.add(new GitAttempts(recordedState(begun.window, begun.records))),
    resolvedPulls: new ResolvedPulls({ data, files: branchFiles, userState: recordedState(begun.user, begun.records) }),
    deltas: store.add(
      new BranchDeltas({
        list,
        // In the bundle of the Changes view, whose rows are the result.
        comparison: async () => import('#features/changes/branch-delta.ts'),
        state,
        now: () => Date.now(),
        logger,
      }),
    ),
  };
}
