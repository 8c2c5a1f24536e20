import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, text } from '#base/user-text.ts';
import { derived } from '#base/derived.ts';
import { observe } from '#base/store.ts';
import { shortHash } from '#features/platform/branches.ts';
import { openFiles, stepText } from '#features/history/git-attempt.ts';
import { worstState } from '#sync/core/sync-state.ts';
import { type StatusLine, statusLine } from '#features/changes/status-line.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { isProtected } from '#shell/vscode/protection.ts';
import type { PlatformServices, StepServices, SyncServices } from './composed.ts';
import { countsOn } from '#features/changes/count-changes.ts';

const backgrounds = {
  normal: undefined,
  warning: new vscode.ThemeColor('statusBarItem.warningBackground'),
  error: new vscode.ThemeColor('statusBarItem.errorBackground'),
} as const;

/** Shows deployment · branch · counts · build state in the status bar; a click runs the next sensible step. */
export function statusBarContribution(
  platform: PlatformServices,
  sync: SyncServices,
  steps: StepServices,
): Contribution {
  return {
    id: 'statusBar',
    register: (store) => {
      const item = store.add(vscode.window.createStatusBarItem('status', vscode.StatusBarAlignment.Left, 90));
      item.name = text`Modelbench`;
      const line = store.add(derived<StatusLine | undefined>(() => lineOf(platform, sync.syncs, steps.attempts)));
      store.add(
        observe(line, (shown) => {
          if (!shown) {
            item.hide();
            return;
          }
          item.text = shown.text;
          item.tooltip = passage(shown.tooltip);
          item.command = shown.command;
          item.accessibilityInformation = { label: shown.spoken, role: 'button' };
          item.backgroundColor = backgrounds[shown.tone];
          item.show();
        }),
      );
    },
  };
}

function lineOf(
  { data, session, builds }: PlatformServices,
  syncs: SyncServices['syncs'],
  attempts: StepServices['attempts'],
): StatusLine | undefined {
  const deployment = session.active.value;
  if (!deployment) return undefined;
  const target = session.activeTarget();
  const statuses = target ? syncs.ofBranch(target).map(({ sync }) => sync.status.value) : [];
  const attempt = target && attempts.of(target);
  return statusLine({
    canContinue: attempt && openFiles(attempt).length === 0 ? stepText(attempt) : undefined,
    deployment: data.titleOf(deployment),
    branch: target?.branchName,
    counts: target && countsOn({ syncs, attempts }, target),
    sync: worstState(statuses.map(({ state }) => state)),
    build: target && builds.stateOf(target),
    hash: shortHash(data.known(deployment)?.branches.value?.find(({ name }) => name === target?.branchName)?.lastHash),
    isProtected: target !== undefined && isProtected({ data }, target),
  });
}
