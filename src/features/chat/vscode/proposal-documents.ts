import { openChanges, openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { baseName } from '#base/path.ts';
import { text, textOf } from '#base/user-text.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { shortId } from '#shell/short-id.ts';
import { proposalScheme as SCHEME } from '#shell/view-ids.ts';
import type { DocumentTarget } from '#shell/targets.ts';

/** Called when the user decides on a proposal in its editor. */
export type DecideHere = (action: 'accept' | 'acceptHunks' | 'reject') => Promise<void>;

/** A problem in a line of a proposal. */
export interface ProposalMark {
  readonly target: vscode.Uri;
  readonly line: number;
  readonly message: string;
}

/** Texts that are shown beside a file: proposals, and the sides of a merge. Stored as long as an editor shows them. */
export class ProposalDocuments implements Disposable, vscode.TextDocumentContentProvider {
  readonly #store = new DisposableStore();
  readonly #texts = new Map<string, string>();
  readonly #decisions = new Map<string, DecideHere>();
  readonly #problems: vscode.DiagnosticCollection;
  readonly #account: () => string;
  #count = 0;

  /** `account`: returns the account whose agent proposes, as its editors close when it is signed out. */
  constructor(account: () => string) {
    this.#account = account;
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
    this.#problems = this.#store.add(vscode.languages.createDiagnosticCollection('modelbench-proposals'));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme !== SCHEME) return;
        this.#texts.delete(uri.toString());
        this.#decisions.delete(uri.toString());
        this.#problems.delete(uri);
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Adds a document with a text, named like its target file. */
  add(target: vscode.Uri, content: string, decide?: DecideHere): vscode.Uri {
    this.#count += 1;
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: target.path,
      query: `${this.#count} ${shortId(this.#account())}`,
    });
    this.#texts.set(uri.toString(), content);
    if (decide) this.#decisions.set(uri.toString(), decide);
    return uri;
  }

  /** Marks lines in the shown proposals for these files; replaces the earlier marks in them. */
  mark(targets: readonly vscode.Uri[], marks: readonly ProposalMark[]): void {
    for (const key of this.#decisions.keys()) {
      const uri = vscode.Uri.parse(key, true);
      if (!targets.some(({ path }) => path === uri.path)) continue;
      const own = marks.filter(({ target }) => target.path === uri.path);
      this.#problems.set(uri, own.map(problemOf));
    }
  }

  /** Shows proposed texts of files beside the current ones. */
  async show(
    changes: readonly { readonly target: vscode.Uri; readonly isNew: boolean; readonly after: vscode.Uri }[],
  ): Promise<void> {
    const rows = changes.map(({ target, isNew, after }) => ({
      target,
      before: isNew ? this.add(target, '') : target,
      after,
    }));
    const [only] = rows;
    if (only && rows.length === 1) {
      const title = text`${baseName(only.target.path)} ↔ Agent’s proposal`;
      await openDiff(only.before, only.after, title, { preview: false });
      return;
    }
    await openChanges(
      text`Agent’s Proposal`,
      rows.map(({ target, before, after }) => [target, before, after] as const),
    );
  }

  /** Decides on a proposal where it is shown; without one, on that of the active editor. */
  async decide(action: Parameters<DecideHere>[0], proposal: DocumentTarget | undefined): Promise<void> {
    const uri = proposal ? vscode.Uri.parse(proposal.uri, true) : activeProposal();
    const decision = uri && this.#decisions.get(uri.toString());
    if (!uri || !decision) {
      void vscode.window.showInformationMessage(text`Open the proposed change that you want to decide on.`);
      return;
    }
    await decision(action);
    await this.close(uri);
  }

  /** Closes the editor that shows a proposal. */
  async close(proposal: vscode.Uri): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const own = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === proposal.toString(),
    );
    if (own.length > 0) await vscode.window.tabGroups.close(own);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function problemOf({ line, message }: ProposalMark): vscode.Diagnostic {
  const range = new vscode.Range(line, 0, line, LINE_END);
  const problem = new vscode.Diagnostic(range, textOf(message), vscode.DiagnosticSeverity.Error);
  problem.source = text`Modelbench engine`;
  return problem;
}

/** VS Code ends a range at the end of its line. */
const LINE_END = 10_000;

function activeProposal(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
  return uri?.scheme === SCHEME ? uri : undefined;
}
