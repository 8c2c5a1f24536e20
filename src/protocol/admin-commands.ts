/** Commands of the Administration view; rows of its tree and their selection are the arguments. */
export interface AdminCommands {
  'modelbench.administration.show': () => void;
  'modelbench.administration.refresh': () => void;
  'modelbench.administration.retry': (target?: unknown) => void;
  'modelbench.administration.loadMore': (target?: unknown) => void;
  'modelbench.administration.open': (target?: unknown) => void;
  'modelbench.administration.create': (target?: unknown) => void;
  'modelbench.administration.openGroup': (target?: unknown) => void;
  'modelbench.administration.editValues': (target?: unknown) => void;
  'modelbench.administration.showScim': (target?: unknown) => void;
  'modelbench.administration.activate': (target?: unknown) => void;
  'modelbench.administration.deactivate': (target?: unknown) => void;
  'modelbench.administration.delete': (target?: unknown) => void;
  'modelbench.administration.connect': (target?: unknown) => void;
  'modelbench.administration.addMembers': (target?: unknown) => void;
  'modelbench.administration.removeMembers': (target?: unknown) => void;
}
