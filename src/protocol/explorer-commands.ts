/** An operation of the API Explorer; nodes of its tree carry this field. */
export interface OperationTarget {
  readonly operation: string;
}

/** Commands of the API Explorer. Those on a request act on the one of the active editor, or on the given document. */
export interface ExplorerCommands {
  'modelbench.apiExplorer.openRequest': (target?: OperationTarget) => void;
  'modelbench.apiExplorer.send': (uri?: string) => void;
  'modelbench.apiExplorer.copyAsCurl': (uri?: string) => void;
  'modelbench.apiExplorer.showHistory': () => void;
  'modelbench.apiExplorer.openDescription': () => void;
  'modelbench.apiExplorer.reload': () => void;
}
