import type { Failure } from './error-texts.ts';

/** A theme icon and its theme colour, by their VS Code ids. */
export interface IconSpec {
  readonly id: string;
  readonly color?: string | undefined;
}

/** The content of a tree row without VS Code's own classes: the pure half of the mapping. */
export interface TreeItemSpec {
  readonly label: string;
  readonly description?: string | undefined;
  readonly tooltip?: string | undefined;
  readonly icon?: IconSpec | undefined;
  readonly contextValue?: string | undefined;
  readonly collapsible: 'none' | 'collapsed' | 'expanded';
  /** A command of this extension that a click runs with the node. */
  readonly command?: { readonly id: string; readonly title: string } | undefined;
  /** A file, relative to a linked folder, whose icon and decorations the row takes. */
  readonly file?: { readonly folderId: string; readonly path: string } | undefined;
  readonly checked?: boolean | undefined;
  /** The text for screen readers; the label and description by default. */
  readonly spoken?: string | undefined;
}

/** Returns the text for screen readers: the row's own, or else label and facts, separated by commas instead of dots. */
export function spokenOf({ label, description, spoken }: TreeItemSpec): string {
  if (spoken !== undefined) return spoken;
  return description === undefined || description === '' ? label : [label, ...description.split(' · ')].join(', ');
}

/** The fields of every node; `children: undefined` means that they are loaded when the node is expanded. */
export interface TreeNode {
  readonly kind: string;
  readonly id: string;
  readonly children?: readonly TreeNode[] | undefined;
}

/** A list that could not be loaded; a click tries again. */
export interface FailureNode extends TreeNode, Failure {
  readonly kind: 'failure';
  /** The resource to load again. */
  readonly retry: string;
  /** The text for *Copy*. */
  readonly copy: string;
}

/** Creates the node for a failure, shown above the rows that are still known; `owner` is the id of the parent node. */
export function failureNode(owner: string, { title, message }: Failure, retry: string): FailureNode {
  return { kind: 'failure', id: `${owner}/failure`, title, message, copy: message, retry, children: [] };
}

/** Describes a failure: the row truncates the message; the hover and the text for screen readers contain all of it. */
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

/** The row that loads more rows of a paged list. */
export interface MoreNode extends TreeNode {
  readonly kind: 'more';
  readonly retry: string;
}

/** Creates the node that loads another page of `retry`. */
export function moreNode(owner: string, retry: string): MoreNode {
  return { kind: 'more', id: `${owner}/more`, retry, children: [] };
}

/** Describes that row. */
export function describeMore(): TreeItemSpec {
  return {
    label: 'Load More…',
    icon: { id: 'ellipsis' },
    contextValue: 'more',
    collapsible: 'none',
    command: { id: 'modelbench.workspace.loadMore', title: 'Load More' },
  };
}
