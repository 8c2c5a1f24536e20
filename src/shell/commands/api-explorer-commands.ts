import { type CommandArea, reads } from './command.ts';
import { documentTarget, operationTarget } from '../targets.ts';

/** Commands of the API Explorer. Commands that take a document act on the active editor's document by default. */
export const explorerCommands = {
  'modelbench.apiExplorer.openRequest': reads(operationTarget),
  'modelbench.apiExplorer.send': reads(documentTarget),
  'modelbench.apiExplorer.copyAsCurl': reads(documentTarget),
  'modelbench.apiExplorer.showHistory': reads(),
  'modelbench.apiExplorer.openDescription': reads(),
  'modelbench.apiExplorer.reload': reads(),
} as const satisfies CommandArea;
export type ExplorerCommands = typeof explorerCommands;
