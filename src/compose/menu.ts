import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import { openFiles, stepText } from '#features/history/git-attempt.ts';
import type { CommandId } from '#shell/commands/commands.ts';
import { canDeploy } from './context-keys.ts';
import type { Services } from './composed.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';

interface MenuItem extends vscode.QuickPickItem {
  readonly command: CommandId;
}

type MakeItem = (label: UserText, command: CommandId, description?: string) => MenuItem;

/** Shows the status bar's menu: the available actions, the most likely ones first. */
export async function showMenu(services: Services): Promise<void> {
  const picked = await vscode.window.showQuickPick(menuItems(services), {
    title: text`Modelbench`,
    placeHolder: text`What do you want to do?`,
    matchOnDescription: true,
  });
  if (picked) await execute(picked.command);
}

function menuItems(services: Services): readonly MenuItem[] {
  const { session, accounts } = services.platform;
  const item: MakeItem = (label, command, description = '') => ({
    label,
    description: textOf(description),
    command,
  });
  if (accounts.all.value.length === 0) return [item(text`$(sign-in) Sign In…`, 'modelbench.signIn')];
  const branch = session.activeTarget()?.branchName;
  const dev =
    branch === undefined
      ? [item(text`$(git-branch) Start Dev Mode…`, 'modelbench.devMode.start')]
      : [
          ...stoppedItems(services, item),
          item(text`$(cloud-upload) Push Files to Dev Branch…`, 'modelbench.push', branch),
          item(text`$(cloud-download) Pull Files from Dev Branch…`, 'modelbench.pullFiles', branch),
          item(text`$(git-commit) Commit…`, 'modelbench.commit', branch),
          item(text`$(repo-pull) Pull from Parent Branch`, 'modelbench.pull', branch),
          item(text`$(git-merge) Merge into Parent Branch…`, 'modelbench.merge', branch),
          item(text`$(rocket) Merge to Default Branch…`, 'modelbench.mergeToDefault', branch),
          item(text`$(refresh) Check the Build`, 'modelbench.build.refresh', branch),
          item(text`$(settings-gear) Set How Saved Files Are Pushed…`, 'modelbench.sync.choosePush', branch),
          item(text`$(debug-stop) Stop Dev Mode`, 'modelbench.devMode.stop', branch),
        ];
  return [
    ...dev,
    ...(canDeploy(services.platform) ? [item(text`$(rocket) Deploy to Production…`, 'modelbench.deploy')] : []),
    item(text`$(arrow-swap) Switch Dev Branch…`, 'modelbench.devMode.switch'),
    item(text`$(server-environment) Select Deployment…`, 'modelbench.selectDeployment'),
    item(text`$(account) Switch Account…`, 'modelbench.switchAccount'),
    item(text`$(output) Show Log`, 'modelbench.showLog'),
  ];
}

/** Returns the actions for a step that stopped because of conflicts; they come first. */
function stoppedItems({ steps, platform }: Services, item: MakeItem): readonly MenuItem[] {
  const target = platform.session.activeTarget();
  const attempt = target && steps.attempts.of(target);
  if (!attempt) return [];
  const step = stepText(attempt);
  const next: MenuItem =
    openFiles(attempt).length > 0
      ? item(text`$(warning) Resolve Conflicts…`, 'modelbench.conflict.merge')
      : item(text`$(debug-continue) Continue the ${step}`, 'modelbench.git.continue');
  return [next, item(text`$(discard) Abort the ${step}`, 'modelbench.git.abort')];
}
