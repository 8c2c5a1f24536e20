import type { CommandId } from './commands/commands.ts';

/** The commands that load again what a failed command worked on, by the command’s id. */
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
