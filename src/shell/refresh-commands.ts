import type { CommandId } from './commands/commands.ts';

/** Returns the commands that reload what the failed command with this id worked on. */
export function refreshCommands(failed: string): readonly CommandId[] {
  const [, area = ''] = failed.split('.');
  return (
    byArea[area] ?? ['modelbench.deployments.refresh', 'modelbench.branches.refresh', 'modelbench.changes.refresh']
  );
}

const byArea: Readonly<Record<string, readonly CommandId[] | undefined>> = {
  administration: ['modelbench.administration.refresh'],
  apiExplorer: ['modelbench.apiExplorer.reload'],
  dashboard: ['modelbench.workspace.refresh'],
  deployment: ['modelbench.deployments.refresh'],
  environment: ['modelbench.deployments.refresh'],
  workspace: ['modelbench.workspace.refresh'],
};
