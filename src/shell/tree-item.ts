import type { Failure } from './error-texts.ts';

/** A theme icon with its theme colour, as VS Code names them. */
export interface IconSpec {
  readonly id: string;
  readonly color?: string | undefined;
}

/** What a row of a tree shows, without VS Code's own classes: the pure half of the mapping. */
export interface TreeItemSpec {
  readonly label: string;
  readonly description?: string | undefined;
  readonly tooltip?: string | undefined;
  readonly icon?: IconSpec | undefined;
  readonly contextValue?: string | undefined;
  readonly collapsible: 'none' | 'collapsed' | 'expanded';
  /** A command of this extension that a click runs with the node. */
  readonly command?: { readonly id: string; readonly title: string } | undefined;
  /** A file whose icon and decorations the row takes, relative to a linked folder. */
  readonly file?: { readonly folderId: string; readonly path: string } | undefined;
  readonly checked?: boolean | undefined;
  /** What a screen reader says; the label and description by default. */
  readonly spoken?: string | undefined;
}

/** What a screen reader says for a row: its own spoken text, else label and facts, with a comma where a dot is drawn. */
export function spokenOf({ label, description, spoken }: TreeItemSpec): string {
  if (spoken !== undefined) return spoken;
  return description === undefined || description === '' ? label : [label, ...description.split(' · ')].join(', ');
}

/** What every node has; `children: undefined` means that they are loaded when the node is opened. */
export interface TreeNode {
  readonly kind: string;
  readonly id: string;
  readonly children?: readonly TreeNode[] | undefined;
}

/** A part that could not be loaded: a click tries again. */
export interface FailureNode extends TreeNode, Failure {
  readonly kind: 'failure';
  /** Which resource to load again. */
  readonly retry: string;
  /** What *Copy* takes. */
  readonly copy: string;
}

/** A failure above what is still known; `owner` is the id of the node that it stands in. */
export function failureNode(owner: string, { title, message }: Failure, retry: string): FailureNode {
  return { kind: 'failure', id: `${owner}/failure`, title, message, copy: message, retry, children: [] };
}

/** The row says it short and cuts the rest; the hover and a screen reader say all. */
export function describeFailure({ title, message }: Failure): TreeItemSpec {
  return {
    label: title,
    description: message,
    tooltip: `${title}\n${message}\nClick to try again.`,
    icon: { id: 'error', color: 'problemsErrorIcon.foreground' },
    contextValue: 'failure',
    collapsible: 'none',
    command: { id: 'modelbench.retry', title: 'Retry' },
    spoken: `${title}: ${message.replace(/\.$/, '')}. Press Enter to try again.`,
  };
}

/** More rows of a paged list. */
export interface MoreNode extends TreeNode {
  readonly kind: 'more';
  readonly retry: string;
}

/** The row that loads another page of `retry`. */
export function moreNode(owner: string, retry: string): MoreNode {
  return { kind: 'more', id: `${owner}/more`, retry, children: [] };
}

/** The appearance of that row. */
export function describeMore(): TreeItemSpec {
  return {
    label: 'Load More…',
    icon: { id: 'ellipsis' },
    contextValue: 'more',
    collapsible: 'none',
    command: { id: 'modelbench.workspace.loadMore', title: 'Load More' },
  };
}
