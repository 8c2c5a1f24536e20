import { type CommandArea, reads } from './command.ts';
import { documentTarget, operationTarget } from '../targets.ts';

/** Commands of the API Explorer. Those on a request act on the one of the active editor, or on the given document. */
export const explorerCommands = {
  'modelbench.apiExplorer.openRequest': reads(operationTarget),
  'modelbench.apiExplorer.send': reads(documentTarget),
  'modelbench.apiExplorer.copyAsCurl': reads(documentTarget),
  'modelbench.apiExplorer.showHistory': reads(),
  'modelbench.apiExplorer.openDescription': reads(),
  'modelbench.apiExplorer.reload': reads(),
} as const satisfies CommandArea;
export type ExplorerCommands = typeof explorerCommands;
