import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, text } from '#base/user-text.ts';
import { derived } from '#base/derived.ts';
import { observe } from '#base/store.ts';
import { shortHash } from '#features/platform/branches.ts';
import { type GitAttempt, openFiles, stepText } from '#features/history/git-attempt.ts';
import { worstState } from '#sync/core/status/sync-state.ts';
import { type StatusLine, statusLine } from '#features/changes/status-line.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { CommandId } from '#shell/commands/commands.ts';
import type { BranchTarget, DeploymentTarget, FolderTarget } from '#shell/targets.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { isProtected } from '#shell/vscode/protection.ts';
import type { PlatformServices, StepServices, SyncServices } from './composed.ts';
import { countsOn } from '#features/changes/count-changes.ts';

const backgrounds = {
  normal: undefined,
  warning: new vscode.ThemeColor('statusBarItem.warningBackground'),
  error: new vscode.ThemeColor('statusBarItem.errorBackground'),
} as const;

/** Shows deployment · branch · counts · build state in the status bar; a click runs the next sensible step. */
export function showStatusBar({ platform, sync, steps }: StatusSources, store: DisposableStore): void {
  const item = store.add(vscode.window.createStatusBarItem('status', vscode.StatusBarAlignment.Left, 90));
  item.name = text`Modelbench`;
  const line = store.add(derived<ShownLine | undefined>(() => lineOf(platform, sync.syncs, steps.attempts)));
  store.add(
    observe(line, (shown) => {
      if (!shown) {
        item.hide();
        return;
      }
      item.text = shown.text;
      item.tooltip = passage(shown.tooltip);
      item.command = {
        title: shown.tooltip,
        command: shown.command,
        ...(shown.argument ? { arguments: [shown.argument] } : {}),
      };
      item.accessibilityInformation = { label: shown.spoken, role: 'button' };
      item.backgroundColor = backgrounds[shown.tone];
      item.show();
    }),
  );
}

interface StatusSources {
  readonly platform: PlatformServices;
  readonly sync: SyncServices;
  readonly steps: StepServices;
}

function lineOf(
  { data, session, builds }: PlatformServices,
  syncs: SyncServices['syncs'],
  attempts: StepServices['attempts'],
): ShownLine | undefined {
  const deployment = session.used.value;
  if (!deployment) return undefined;
  const target = session.activeTarget(deployment);
  const known = data.known(deployment)?.branches.value?.find(({ name }) => name === target?.branchName);
  const sessions = target ? syncs.ofBranch(target) : [];
  const statuses = sessions.map(({ sync }) => sync.status.value);
  const attempt = target && attempts.of(target);
  const line = statusLine({
    canContinue: continuedStep(attempt),
    deployment: data.titleOf(deployment),
    branch: target?.branchName,
    counts: target && countsOn({ syncs, attempts }, target),
    sync: worstState(statuses.map(({ state }) => state)),
    build: target && builds.stateOf(target),
    hash: shortHash(known?.lastHash),
    isProtected: target !== undefined && isProtected({ data }, target),
  });
  return line && { ...line, argument: argumentOf(line.command, target ?? deployment, sessions) };
}

interface ShownLine extends StatusLine {
  /** The target of the command: the bar may show another deployment than the views do. */
  readonly argument: BranchTarget | DeploymentTarget | FolderTarget | undefined;
}

/** Returns the text of a stopped step whose conflicts are resolved. */
function continuedStep(attempt: GitAttempt | undefined): string | undefined {
  return attempt && openFiles(attempt).length === 0 ? stepText(attempt) : undefined;
}

/** Returns the target of a click. Other commands ask which folder is meant, or do not depend on one. */
function argumentOf(
  command: CommandId,
  target: BranchTarget | DeploymentTarget,
  sessions: readonly SyncSession[],
): ShownLine['argument'] {
  switch (command) {
    case 'modelbench.devMode.start':
    case 'modelbench.build.showError':
    case 'modelbench.git.continue':
      return target;
    case 'modelbench.push':
    case 'modelbench.pullFiles':
    case 'modelbench.sync.resume':
    case 'modelbench.sync.sendWaiting':
      return sessions.length === 1 ? { folderId: sessions[0]?.folder.folderId ?? '' } : undefined;
    default:
      return undefined;
  }
}
