import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import { openFiles, stepText } from '#features/history/git-attempt.ts';
import { type CommandArguments, type CommandId, commands } from '#shell/commands/commands.ts';
import { canDeploy, canSwitch } from './context-keys.ts';
import type { Services } from './composed.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';

interface MenuItem extends vscode.QuickPickItem {
  readonly command: CommandId;
  readonly run: () => Promise<void>;
}

type MakeItem = <Id extends CommandId>(
  label: UserText,
  command: Id,
  description?: string,
  ...target: CommandArguments<Id>
) => MenuItem;

/** Shows the status bar's menu: the available actions, the most likely ones first. */
export async function showMenu(services: Services): Promise<void> {
  const picked = await vscode.window.showQuickPick(menuItems(services), {
    title: text`Modelbench`,
    placeHolder: text`What do you want to do?`,
    matchOnDescription: true,
  });
  await picked?.run();
}

function menuItems(services: Services): readonly MenuItem[] {
  const { session, accounts } = services.platform;
  const item: MakeItem = (label, command, description = '', ...target) => ({
    label,
    description: textOf(description),
    command,
    run: async () => execute(command, ...target),
  });
  if (accounts.all.value.length === 0) return [item(text`$(sign-in) Sign In…`, 'modelbench.signIn')];
  // Its rows name the shown branch, so steps act on that one, whichever others the window has.
  const target = session.activeTarget(session.used.value);
  const branch = target?.branchName;
  // A dev branch without a linked folder has no files to push or pull here.
  const hasFolder = target !== undefined && services.sync.syncs.ofBranch(target).length > 0;
  const dev =
    branch === undefined
      ? [item(text`$(git-branch) Start Dev Mode…`, 'modelbench.devMode.start')]
      : [
          ...stoppedItems(services, item),
          ...(hasFolder
            ? [
                item(text`$(cloud-upload) Push Files to Dev Branch…`, 'modelbench.push', branch),
                item(text`$(cloud-download) Pull Files from Dev Branch…`, 'modelbench.pullFiles', branch),
              ]
            : []),
          item(text`$(git-commit) Commit…`, 'modelbench.commit', branch, target),
          item(text`$(repo-pull) Pull from Parent Branch`, 'modelbench.pull', branch, target),
          item(text`$(git-merge) Merge into Parent Branch…`, 'modelbench.merge', branch, target),
          item(text`$(rocket) Merge to Default Branch…`, 'modelbench.mergeToDefault', branch, target),
          item(text`$(refresh) Check the Build`, 'modelbench.build.refresh', branch, target),
          ...(hasFolder
            ? [item(text`$(settings-gear) Set How Saved Files Are Pushed…`, 'modelbench.sync.choosePush', branch)]
            : []),
          item(text`$(debug-stop) Stop Dev Mode`, 'modelbench.devMode.stop', branch, target),
        ];
  const all = [
    ...dev,
    ...(canDeploy(services.platform) ? [item(text`$(rocket) Deploy to Production…`, 'modelbench.deploy')] : []),
    ...(canSwitch(services.platform)
      ? [item(text`$(arrow-swap) Switch Dev Branch…`, 'modelbench.devMode.switch')]
      : []),
    item(text`$(server-environment) Select Deployment…`, 'modelbench.selectDeployment'),
    item(text`$(account) Switch Account…`, 'modelbench.switchAccount'),
    item(text`$(output) Show Log`, 'modelbench.showLog'),
  ];
  // What changes something would only be refused in Restricted Mode.
  return services.window.isTrusted.value ? all : all.filter(({ command }) => commands[command].effect === 'reads');
}

/** Returns the actions for a step that stopped because of conflicts; they come first. */
function stoppedItems({ steps, platform }: Services, item: MakeItem): readonly MenuItem[] {
  const target = platform.session.activeTarget(platform.session.used.value);
  const attempt = target && steps.attempts.of(target);
  if (!attempt) return [];
  const step = stepText(attempt);
  const next: MenuItem =
    openFiles(attempt).length > 0
      ? item(text`$(warning) Resolve Conflicts…`, 'modelbench.conflict.merge')
      : item(text`$(debug-continue) Continue the ${step}`, 'modelbench.git.continue', '', target);
  return [next, item(text`$(discard) Abort the ${step}`, 'modelbench.git.abort', '', target)];
}
