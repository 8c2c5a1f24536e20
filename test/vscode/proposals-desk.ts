import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { modelComparison } from '#compose/model-comparison.ts';
import { KeyedList } from '#base/keyed-list.ts';
import { Store } from '#base/store.ts';
import { ProposalRecords } from '#chat-core/proposal-records.ts';
import { type ChatThread, type ChatTurn, emptyThread } from '#chat-core/thread.ts';
import type { ViewProposal, ViewToHost } from '#features/chat/messages.ts';
import type { ProposalVerdict } from '#features/language/messages.ts';
import type { ChatContext } from '#features/chat/chat-context.ts';
import { ModelFolders } from '#features/chat/model-folders.ts';
import { MemoryState } from '#support/memory-state.ts';
import { diskFiles } from '#features/chat/vscode/disk-files.ts';
import { ProposalDesk } from '#features/chat/proposal-desk.ts';
import { Proposals } from '#features/chat/vscode/proposals.ts';

type Action = Extract<ViewToHost, { readonly type: 'proposal' }>['action'];

const THREAD = 'suite-thread';

/** Proposals with VS Code's own editors and dialogs; what a page would send is given to it, what it would show is kept. */
export interface ProposalsDesk {
  /** The folder of the model, linked to a dev branch. */
  readonly folder: vscode.Uri;
  /** Copies that were put into the trash: path and text. */
  readonly trash: readonly (readonly [path: string, text: string])[];
  /** What went wrong without an answer to someone. */
  readonly reported: readonly unknown[];
  /** What the engine says next; a promise that never ends is an engine that takes too long. */
  engine: (texts: readonly string[]) => Promise<ProposalVerdict>;
  /** An agent's answer, made from the files as they are now; answers the turn. */
  answers(markdown: string): Promise<string>;
  /** What a click on the card of a turn does. */
  does(turn: string, action: Action, ...paths: readonly string[]): Promise<void>;
  /** What a button of the editor that shows a proposal does. */
  decides(action: 'accept' | 'acceptHunks' | 'reject'): Promise<void>;
  /** The card of a turn, as it is now. */
  card(turn: string): Promise<readonly ViewProposal[]>;
  /** The same folder and disk in a window that was opened again. */
  reload(): void;
  at(path: string): vscode.Uri;
  write(path: string, text: string): Promise<void>;
  /** On the disk; empty where there is no file. */
  read(path: string): Promise<string>;
  leave(): Promise<void>;
}

export async function atProposals(name: string): Promise<ProposalsDesk> {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(root, 'a folder is open');
  const folder = vscode.Uri.joinPath(root.uri, name);
  const storage = vscode.Uri.joinPath(folder, '.threads');
  const at = (path: string): vscode.Uri => vscode.Uri.joinPath(folder, path);
  const turns = new Map<string, ChatTurn>();
  const trash: (readonly [string, string])[] = [];
  const reported: unknown[] = [];
  const cards = new Map<string, readonly ViewProposal[]>();
  const files = diskFiles(storage.fsPath);
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const records = (): ProposalRecords => new ProposalRecords(files, THREAD, hash);
  const read = async (path: string): Promise<string> => {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(at(path)));
    } catch {
      return '';
    }
  };
  const context: ChatContext = {
    kind: 'ready',
    accountId: 'a',
    tenantUrl: 'https://platform.test',
    deploymentId: '1',
    deploymentName: 'Shop',
    branch: { name: 'dev-ada-1', isDefault: false },
  };
  const modelFolders = () => [{ id: folder.toString(), name: 'first', modelPath: 'proposed' }];
  const folders = new ModelFolders(modelFolders, new MemoryState());
  const thread = (): ChatThread => ({ ...emptyThread(THREAD, 'a', 0), turns: [...turns.values()] });
  const open = (): { readonly proposals: Proposals; readonly desk: ProposalDesk } => {
    const own = records();
    const proposals = new Proposals(
      {
        account: new Store(context.accountId),
        context: new Store(context),
        isTrusted: new Store(true),
        folders,
        model: {
          modelFolders,
          takeBackOf: () => Promise.resolve(undefined),
          branchTexts: () => Promise.resolve(new Map()),
          setAside: async (_folder, path) => void trash.push([path, await read(path)]),
          proposals: {
            check: (proposed) => desk.engine(proposed.map(({ text }) => text)),
            open: (page) => Promise.resolve(page.close()),
            model: modelComparison(async () => Promise.resolve(null)),
            impact: () => Promise.reject(new Error('There is no branch at this desk.')),
          },
        },
        report: (_, error) => Promise.resolve(void reported.push(error)),
      },
      { of: () => Promise.resolve(own) },
      files,
    );
    return {
      proposals,
      desk: new ProposalDesk({
        host: proposals,
        thread,
        post: (message) => {
          if (message.type === 'proposals') cards.set(message.turn, message.files);
        },
      }),
    };
  };
  let window = open();
  const close = (): void => {
    window.desk.dispose();
    window.proposals.dispose();
  };
  const does: ProposalsDesk['does'] = (turn, action, ...paths) =>
    window.desk.handle({ type: 'proposal', turn, action, paths: [...paths] });
  const desk: ProposalsDesk = {
    folder,
    trash,
    reported,
    engine: () => Promise.resolve({ state: 'accepted' }),
    answers: async (markdown) => {
      const id = String(turns.size + 1);
      const message = { id: 'm', role: 'assistant', text: markdown, graphPath: ['final'] };
      turns.set(id, {
        id,
        prompt: 'Propose',
        phase: 'complete',
        startedAt: 0,
        branch: { name: 'dev-ada-1', isDefault: false },
        messages: KeyedList.of([message]) as unknown as ChatTurn['messages'],
      });
      const found = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, 'proposed/**/*'));
      const local = new Map<string, string>();
      for (const uri of found) {
        const path = uri.path.slice(folder.path.length + 1);
        local.set(path, (await read(path)).replaceAll('\r\n', '\n'));
      }
      await records().begin(id, { local, branch: new Map(), isComplete: true });
      return id;
    },
    does,
    decides: (action) => window.proposals.decide(action, undefined),
    card: async (turn) => {
      await does(turn, 'list');
      return cards.get(turn) ?? [];
    },
    reload: () => {
      close();
      window = open();
    },
    at,
    write: async (path, text) => vscode.workspace.fs.writeFile(at(path), new TextEncoder().encode(text)),
    read,
    leave: async () => {
      close();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(folder, { recursive: true });
    },
  };
  return desk;
}
