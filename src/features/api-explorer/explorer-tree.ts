import { titleCase } from '#base/words.ts';
import type { TreeItemSpec, TreeNode } from '#shell/tree-item.ts';
import type { ApiEntry, Catalogue } from './catalogue.ts';
import { operationEffect } from './effects.ts';

/** A tag of the API Explorer with its operations. */
export interface TagNode extends TreeNode {
  readonly kind: 'apiTag';
  readonly tag: string;
  readonly children: readonly OperationNode[];
}

export interface OperationNode extends TreeNode {
  readonly kind: 'apiOperation';
  /** The name of the operation, which the command reads. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly origin: ApiEntry['origin'];
  readonly offered: boolean;
  readonly destroys: boolean;
  readonly children: readonly TreeNode[];
}

export type ExplorerNode = TagNode | OperationNode;

/** Groups the operations by tag; operations that only the server describes have its tags. */
export function explorerTree({ entries }: Catalogue): readonly TagNode[] {
  const byTag = new Map<string, OperationNode[]>();
  for (const entry of entries) {
    const { op } = entry;
    const nodes = byTag.get(op.tag) ?? [];
    byTag.set(op.tag, nodes);
    nodes.push({
      kind: 'apiOperation',
      id: `api/${entry.name}`,
      operation: entry.name,
      method: op.method,
      path: op.path,
      summary: op.summary,
      origin: entry.origin,
      offered: entry.offered,
      destroys: operationEffect(op, entry.origin === 'server') === 'destroys',
      children: [],
    });
  }
  return [...byTag].map(([tag, children]) => ({ kind: 'apiTag', id: `api/tag/${tag}`, tag, children }));
}

/** Describes where an operation comes from, unless it is documented. One that the server does not list can still be tried. */
export function originText({ origin, offered }: Pick<ApiEntry, 'origin' | 'offered'>): string {
  if (!offered) return 'not on this server';
  if (origin === 'described') return 'optional, and listed by this server';
  return origin === 'server' ? 'from the server’s description' : '';
}

/** Describes the row of a node. */
export function describeExplorerNode(node: ExplorerNode): TreeItemSpec {
  if (node.kind === 'apiTag') {
    return {
      label: titleCase(node.tag),
      description: String(node.children.length),
      icon: { id: 'symbol-namespace' },
      collapsible: 'collapsed',
    };
  }
  const origin = originText(node);
  const mark = node.origin === 'described' ? 'optional · ' : '';
  const description = `${mark}${node.method} ${shortPath(node.path)}${node.offered ? '' : ' · not on this server'}`;
  return {
    label: node.operation,
    description,
    tooltip: [node.summary, `${node.method} ${node.path}`, origin].filter((line) => line !== '').join('\n\n'),
    icon: iconOf(node),
    contextValue: 'apiOperation',
    collapsible: 'none',
    command: { id: 'modelbench.apiExplorer.openRequest', title: 'Open Request' },
    spoken: [node.operation, node.summary, origin].filter((line) => line !== '').join(', '),
  };
}

/** Returns what distinguishes a path from others: a narrow view would show only the beginning that they share. */
function shortPath(path: string): string {
  const own = path.replace(/^(?:\/build)?\/api\/v\d+(?:\/deployments\/\{\w+\}(?=\/))?/, '');
  return own === path || own === '' ? path : `…${own}`;
}

function iconOf({ method, offered, destroys }: OperationNode): TreeItemSpec['icon'] {
  if (!offered) return { id: 'circle-slash', color: 'disabledForeground' };
  if (destroys) return { id: method === 'DELETE' ? 'trash' : 'edit', color: 'list.warningForeground' };
  return method === 'GET' ? { id: 'eye' } : { id: 'play' };
}
