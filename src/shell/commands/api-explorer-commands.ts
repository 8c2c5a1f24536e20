import { type CommandArea, looks } from './command.ts';
import { documentTarget, operationTarget } from '../targets.ts';

/** Commands of the API Explorer. Those on a request act on the one of the active editor, or on the given document. */
export const explorerCommands = {
  'modelbench.apiExplorer.openRequest': looks(operationTarget),
  'modelbench.apiExplorer.send': looks(documentTarget),
  'modelbench.apiExplorer.copyAsCurl': looks(documentTarget),
  'modelbench.apiExplorer.showHistory': looks(),
  'modelbench.apiExplorer.openDescription': looks(),
  'modelbench.apiExplorer.reload': looks(),
} as const satisfies CommandArea;
export type ExplorerCommands = typeof explorerCommands;
