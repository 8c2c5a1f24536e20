import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { observe } from '#base/store.ts';
import { readableTime } from '#base/timestamps.ts';
import { text, textOf } from '#base/user-text.ts';
import { openLinked } from '#chat-core/linked-thread.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { ChatCommands } from '#shell/commands/chat-commands.ts';
import { documentUri } from '#shell/vscode/document-uri.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import type { AskTarget, ModelNameTarget } from '#shell/targets.ts';
import { buildQuestion, changeQuestion, type ChangedSides } from '#features/chat/asked-about.ts';
import { askActions } from './ask-actions.ts';
import { fileAttachment, memberAtCursor } from './attached.ts';
import { selectionAttachment } from './attachments.ts';
import { Chat } from './chat.ts';
import type { ChatDeps, ChatWindowDeps } from './deps.ts';
import { readFile } from './proposal-files.ts';
import { registerTool } from './language-model-tools.ts';
import type { OpenedChat } from './opened-chat.ts';
import { chooseTarget } from '#features/data/vscode/index.ts';

const DAY_MS = 86_400_000;

/** Creates the chat of this window. Entry point of a separate bundle, loaded after the rest of the extension. */
export function openChat(deps: ChatDeps): OpenedChat {
  const chat = new Chat(deps);
  const { window } = deps;
  return {
    register: async (store) => {
      const { service } = chat;
      chat.views.register(store);
      store.add(observe(chat.answering.keys, (keys) => window.reportFacts({ isAnswering: keys.length > 0 })));
      store.add(observe(service.threads, (threads) => window.reportFacts({ hasThreads: threads.length > 0 })));
      registerTool(chat, store);
      store.add(
        vscode.languages.registerCodeActionsProvider({ pattern: '**/*.{yml,yaml,js,jinja}' }, askActions(window), {
          providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.Empty],
        }),
      );
      await deleteOld(chat, window);
      // A shorter retention applies at once to threads of other windows and earlier sessions too.
      store.add(
        window.onDidChangeSettings(
          () => void deleteOld(chat, window).catch((error: unknown) => deps.store.report('chat', error)),
        ),
      );
    },
    commands: chatCommands(chat, deps),
    answers: chat.answers,
    showResults: (query) => chat.results.show(query),
    openLinked: (chatId) => showLinked(chat, chatId),
    forgetAccount: (accountId) => chat.service.forgetAccount(accountId),
    forgetErased: () => chat.views.forgetErased(),
    dispose: () => chat.dispose(),
  };
}

function chatCommands(chat: Chat, { store: { queries }, around }: ChatDeps): Handlers<ChatCommands> {
  const { views, host, results, proposals, model } = chat;
  return {
    'modelbench.chat.show': () => views.reveal((surface) => surface.focus()),
    'modelbench.chat.new': () =>
      views.reveal((surface) => {
        surface.newThread();
        surface.focus();
      }),
    'modelbench.chat.openInEditor': () => views.openInEditor(),
    'modelbench.chat.openThread': () => openThread(chat),
    'modelbench.chat.stop': () => stopAnswer(chat),
    'modelbench.chat.export': async () => {
      const thread = views.last?.thread;
      if (!thread || thread.turns.length === 0) throw new Hint('Open the thread that you want to export.');
      await host.threads.export(thread);
    },
    'modelbench.chat.exportQuestions': async () => (await chat.answers()).exportQuestions(),
    'modelbench.chat.copyLink': () => (views.last ? views.last.copyLink() : host.threads.copyLink(undefined)),
    'modelbench.chat.acceptProposal': (proposal) => proposals.decide('accept', proposal),
    'modelbench.chat.acceptProposalHunks': (proposal) => proposals.decide('acceptHunks', proposal),
    'modelbench.chat.rejectProposal': (proposal) => proposals.decide('reject', proposal),
    'modelbench.chat.setUp': () => host.setUp('agent'),
    'modelbench.data.chooseTarget': async () => chooseTarget(await queries()),
    'modelbench.data.setToken': () => results.changeToken(),
    'modelbench.data.runSql': () => runEditorSql(chat),
    'modelbench.chat.attachFile': async (target) => {
      const uri = documentUri(target);
      if (!uri) return;
      const attachment = await fileAttachment(uri);
      await views.reveal((surface) => surface.attach(attachment));
    },
    'modelbench.chat.ask': (question) => (question ? ask(chat, question) : views.reveal((surface) => surface.focus())),
    'modelbench.chat.askAboutBuild': async (target) => {
      const failed = around.failedBuild(target);
      if (!failed) throw new Hint('The last build of this branch has not failed.');
      await ask(chat, buildQuestion(failed.branchName, failed.errors));
    },
    'modelbench.chat.askAboutChange': async (target) => {
      const folder = model.modelFolder()?.uri;
      if (!target || !folder) throw new Hint('Open the folder of this file to ask about its change.');
      await ask(chat, changeQuestion(await changedSides(target.path, folder, { model, around })));
    },
    'modelbench.chat.askAboutMember': async (target) => ask(chat, await memberQuestion(target)),
    'modelbench.chat.attachSelection': async () => {
      const attachment = selectionAttachment();
      if (attachment) await views.reveal((surface) => surface.attach(attachment));
    },
  };
}

/** Stops the answer of the chat that was used last, or else the one that began last: its thread may not be shown. */
async function stopAnswer({ answering: { keys }, service, views }: Chat): Promise<void> {
  const answering = keys.value;
  const key = answering.find((each) => each === views.last?.threadKey) ?? answering.at(-1);
  if (key !== undefined) await service.stop(key);
}

/** Reads a changed file in the folder, on the dev branch and, if a commit would change it, on the parent. */
async function changedSides(
  path: string,
  folder: vscode.Uri,
  { model, around }: Pick<ChatDeps, 'around'> & Pick<Chat, 'model'>,
): Promise<ChangedSides> {
  const isChanged = around.changedPaths().includes(path);
  const committed = isChanged ? (await around.changedTexts()).find((file) => file.path === path) : undefined;
  const onBranch = (await model.branchTexts(path)).get(path) ?? committed?.after;
  const inFolder = await readFile(vscode.Uri.joinPath(folder, path));
  return { path, parent: committed && { text: committed.before }, branch: onBranch, folder: inFolder?.text };
}

/** Puts a question with its context into the chat; the user sends it. */
async function ask({ views, host }: Chat, { ask: question, attached, names = [] }: AskTarget): Promise<void> {
  const definitions = await host.sources.definitions(names);
  const about = [...attached.map((each) => ({ ...each, id: each.label })), ...definitions];
  await views.reveal((surface) => surface.ask(question, about));
}

/** Resolves to the question about a name of the model, or about the definition at the cursor. */
async function memberQuestion(named: ModelNameTarget | undefined): Promise<AskTarget> {
  if (named) return { ask: `/explain ${named.modelName}`, attached: [], names: [named.modelName] };
  const attachment = await memberAtCursor();
  if (!attachment) throw new Hint('Place the cursor in a cube or view of the model.');
  return { ask: `/explain ${attachment.label}`, attached: [attachment] };
}

/** Deletes the threads that are older than the setting allows. */
async function deleteOld({ service }: Chat, { settings }: Pick<ChatWindowDeps, 'settings'>): Promise<void> {
  const { keepThreads } = settings();
  if (keepThreads > 0) await service.removeOlder(Date.now() - keepThreads * DAY_MS);
  else await service.refresh();
}

async function showLinked({ service, views }: Chat, chatId: string): Promise<void> {
  const opened = await openLinked(service, chatId);
  await views.reveal((surface) => {
    if (opened.ok) void surface.openThread(opened.value);
  });
  if (!opened.ok) throw new UserError(opened.error);
}

/** Runs the selected SQL, or all of the editor's SQL, on the active branch. */
async function runEditorSql({ service, results }: Chat): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const state = service.target.value;
  if (!editor) return;
  const { document, selection } = editor;
  const sql = document.getText(selection.isEmpty ? undefined : selection).trim();
  const branch = state.kind === 'ready' ? state.target.branch : undefined;
  if (sql !== '') await results.run(sql, vscode.workspace.asRelativePath(document.uri), branch);
}

async function openThread({ service, views }: Chat): Promise<void> {
  const items = service.threads.value.map(({ key, title, branch, updatedAt }) => ({
    label: textOf(title),
    description: textOf([branch?.name, readableTime(updatedAt)].filter((part) => part !== undefined).join(' · ')),
    key,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Open Thread`,
    placeHolder: text`Find a thread`,
    matchOnDescription: true,
    none: text`There are no chat threads yet. Ask a question to start one.`,
  });
  if (picked) await views.reveal((surface) => void surface.openThread(picked.key));
}
