import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf, type UserText } from '#base/user-text.ts';
import { DisposableStore } from '#base/disposable.ts';
import { markdownFacts } from '#shell/vscode/guarded/markdown.ts';
import type { ReadonlyStore } from '#base/store.ts';
import { changedNodes } from '#shell/tree-diff.ts';
import { spokenOf, type TreeItemSpec, type TreeNode } from '#shell/tree-item.ts';

/** The content of a tree view: a pure model in a store, the rows of its nodes, and how children are loaded. */
export interface TreeModel<N extends TreeNode> {
  readonly nodes: ReadonlyStore<readonly N[]>;
  readonly describe: (node: N) => TreeItemSpec;
  /** Loads the data for the top level; called when the view is first shown. */
  readonly ensure?: () => Promise<void>;
  /** Loads the children of a node whose `children` is undefined. */
  readonly expand?: (node: N) => Promise<void>;
  /** The URI of a file row. */
  readonly fileUri?: (file: { readonly folderId: string; readonly path: string }) => vscode.Uri | undefined;
}

/** VS Code compares elements by identity: one exists per node id and lives as long as the node, whatever is loaded meanwhile. */
export class TreeElement<N extends TreeNode = TreeNode> {
  node: N;
  parent: TreeElement<N> | undefined;

  constructor(node: N, parent: TreeElement<N> | undefined) {
    this.node = node;
    this.parent = parent;
  }
}

/** Changes of the top level within this time are drawn together, milliseconds. */
const together = 50;

/** Shows a `TreeModel`: fires only for the nodes that changed, so that nothing flickers or collapses. */
export class ModelTreeProvider<N extends TreeNode> implements vscode.TreeDataProvider<TreeElement<N>> {
  readonly #model: TreeModel<N>;
  readonly #owned = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<TreeElement<N> | TreeElement<N>[] | undefined>();
  readonly #opening = new Set<string>();
  /** The number of changes of the top level, and the number when VS Code last read it. */
  #version = 0;
  #served = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #elements = new Map<string, TreeElement<N>>();
  #roots: readonly N[];

  constructor(model: TreeModel<N>) {
    this.#model = model;
    this.#roots = model.nodes.value;
    this.#index();
    this.#owned.add(this.#changed);
    this.#owned.add(model.nodes.onDidChange((roots) => this.#update(roots)));
  }

  get onDidChangeTreeData(): vscode.Event<TreeElement<N> | TreeElement<N>[] | undefined> {
    return this.#changed.event;
  }

  async getChildren(element?: TreeElement<N>): Promise<TreeElement<N>[]> {
    if (!element) {
      const loading = this.#model.ensure?.();
      // VS Code drops its rows until it has the new ones, and a click in between would lose its target: do not wait for more.
      if (this.#roots.length === 0) await loading;
      else loading?.catch(() => undefined);
      this.#served = this.#version;
      return this.#elementsOf(this.#roots, undefined);
    }
    if (element.node.children === undefined && this.#model.expand) {
      this.#opening.add(element.node.id);
      try {
        await this.#model.expand(element.node);
      } finally {
        this.#opening.delete(element.node.id);
      }
    }
    return this.#elementsOf(element.node.children ?? [], element);
  }

  /** Each element once: VS Code refuses a whole view in which two rows have one id, and a server may list an object twice. */
  #elementsOf(nodes: readonly TreeNode[], parent: TreeElement<N> | undefined): TreeElement<N>[] {
    const elements = new Set(nodes.flatMap((node) => this.#elements.get(node.id) ?? []));
    return [...elements].filter((element) => element.parent === parent);
  }

  getParent(element: TreeElement<N>): TreeElement<N> | undefined {
    return element.parent;
  }

  getTreeItem(element: TreeElement<N>): vscode.TreeItem {
    return toTreeItem(this.#model.describe(element.node), element, this.#model.fileUri);
  }

  /** Returns the element of a node, for revealing it. */
  elementOf(id: string): TreeElement<N> | undefined {
    return this.#elements.get(id);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }

  #update(roots: readonly N[]): void {
    const changed = changedNodes(this.#roots, roots);
    this.#roots = roots;
    this.#index();
    if (changed === 'all') {
      this.#version += 1;
      this.#timer ??= setTimeout(() => this.#redraw(), together);
      return;
    }
    const elements = changed
      // The children of a node that is being expanded are about to be returned: firing would request them twice.
      .filter((node) => !this.#opening.has(node.id))
      .flatMap((node) => this.#elements.get(node.id) ?? []);
    if (elements.length > 0) this.#changed.fire(elements);
  }

  /**
   * Redraws everything, unless VS Code has already requested it since: a request drops its rows and thus the target of a click.
   */
  #redraw(): void {
    this.#timer = undefined;
    if (this.#served !== this.#version) this.#changed.fire(undefined);
  }

  #index(): void {
    const next = new Map<string, TreeElement<N>>();
    const visit = (nodes: readonly N[], parent: TreeElement<N> | undefined): void => {
      const own = nodes.flatMap((node) => {
        if (next.has(node.id)) return [];
        const element = this.#elements.get(node.id) ?? new TreeElement(node, parent);
        Object.assign(element, { node, parent });
        next.set(node.id, element);
        return element;
      });
      for (const element of own) visit((element.node.children ?? []) as readonly N[], element);
    };
    visit(this.#roots, undefined);
    this.#elements = next;
  }
}

const collapsible = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
} as const;

function toTreeItem(
  spec: TreeItemSpec,
  element: TreeElement,
  fileUri: TreeModel<TreeNode>['fileUri'],
): vscode.TreeItem {
  const item = new vscode.TreeItem(textOf(spec.label), collapsible[spec.collapsible]);
  item.id = element.node.id;
  if (spec.description !== undefined) item.description = textOf(spec.description);
  if (spec.tooltip !== undefined) item.tooltip = hover(spec.tooltip);
  if (spec.icon) {
    const color = spec.icon.color === undefined ? undefined : new vscode.ThemeColor(spec.icon.color);
    item.iconPath = new vscode.ThemeIcon(spec.icon.id, color);
  }
  if (spec.contextValue !== undefined) item.contextValue = spec.contextValue;
  if (spec.command) item.command = { command: spec.command.id, title: spec.command.title, arguments: [element] };
  item.accessibilityInformation = { label: spokenOf(spec) };
  if (spec.checked !== undefined) item.checkboxState = checkbox(spec, spec.checked);
  const uri = spec.file && fileUri?.(spec.file);
  if (uri) {
    item.resourceUri = uri;
    if (!spec.icon) item.iconPath = vscode.ThemeIcon.File;
  }
  return item;
}

/** Shows the first line in bold and the facts below it, one per line; names appear verbatim, never as Markdown. */
function hover(tooltip: string): UserText | vscode.MarkdownString {
  const [what, ...facts] = tooltip
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => textOf(line));
  return what === undefined || facts.length === 0 ? textOf(tooltip) : markdownFacts(what, facts);
}

/** Returns a checkbox that screen readers call by the name of its row. */
function checkbox(spec: TreeItemSpec, checked: boolean): NonNullable<vscode.TreeItem['checkboxState']> {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  return {
    state: checked ? Checked : Unchecked,
    accessibilityInformation: { label: spokenOf(spec) },
  };
}
