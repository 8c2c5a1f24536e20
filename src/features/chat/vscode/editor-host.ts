import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import { openAddress } from '#shell/vscode/guarded/open-address.ts';
import { exportMarkdown } from '#chat-core/markdown-export.ts';
import { csv, markdown, rowsAs } from '#base/row-text.ts';
import type { QueryResult } from '#chat-core/tool-result.ts';
import type { Attachment } from '#chat-core/attachments.ts';
import { symbolAttachment, wholeName } from './attached.ts';
import { pickAttachment } from './attachments.ts';
import type { ChatPlatformDeps } from './deps.ts';
import type { Mentions } from './mentions.ts';
import type {
  AnswerResults,
  AnswerTexts,
  ChatHost,
  OfferedContext,
  QuestionSources,
  ResultAction,
  ResultUse,
  ThreadActions,
} from '#features/chat/host.ts';
import type { Proposals } from './proposals.ts';
import type { Results } from './results.ts';
import { saveAs } from '#shell/vscode/save-as.ts';
import type { SavedAnswers } from './saved-answers.ts';
import type { ChatSetUp } from './set-up.ts';
import { execute, executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { confirmed } from '#shell/vscode/questions.ts';

interface HostDeps extends Pick<ChatPlatformDeps, 'linkTo'> {
  readonly setUp: ChatSetUp;
  readonly proposals: Proposals;
  readonly results: Results;
  readonly answers: () => Promise<SavedAnswers>;
  readonly mentions: Mentions;
  readonly context: OfferedContext;
  /** Returns the tenant URL of the window's account. */
  readonly tenantUrl: () => string | undefined;
}

const NO_LINK = 'This thread has no link yet. Select its deployment and wait for the first answer, then copy the link.';

/** Returns the editor's side of the chat, implemented with VS Code. */
export function editorHost(deps: HostDeps): ChatHost {
  const { setUp, proposals } = deps;
  return {
    texts: answerTexts(deps),
    results: answerResults(deps),
    proposals,
    sources: questionSources(deps),
    threads: threadActions(deps),
    switchBranch: () => execute('modelbench.devMode.switch'),
    setUp: (what) => setUp.run(what),
  };
}

function answerTexts({ proposals, tenantUrl }: HostDeps): AnswerTexts {
  return {
    copy: async (text) => vscode.env.clipboard.writeText(text),
    insert,
    applyCode: (code, language) => proposals.propose(code, language),
    openLink: async (href) => {
      await openAddress(href, tenantUrl());
    },
    openMember: (name) => openMember(name),
  };
}

function answerResults({ proposals, results, answers }: HostDeps): AnswerResults {
  return {
    use: (action, result, use) => onResult(results, action, result, use),
    saveAnswer: async (question, result) => {
      if (await proposals.mayWrite()) await (await answers()).save(question, result);
    },
    saveImage: async (name, format, data) => {
      const bytes = format === 'png' ? Buffer.from(data, 'base64') : Buffer.from(data, 'utf8');
      await saveAs(name, format, bytes);
    },
  };
}

function questionSources({ mentions, context }: HostDeps): QuestionSources {
  return {
    pickAttachment,
    mentions: (query) => mentions.find(query),
    context,
    definitions,
    showText: async (_title, content) => {
      const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content });
      await vscode.window.showTextDocument(document, { preview: true });
    },
  };
}

function threadActions({ linkTo }: HostDeps): ThreadActions {
  return {
    export: async (thread) => {
      const document = await vscode.workspace.openTextDocument({
        language: 'markdown',
        content: exportMarkdown(thread),
      });
      await vscode.window.showTextDocument(document, { preview: false });
    },
    copyLink: async (chatId) => {
      const link = chatId === undefined ? undefined : linkTo(chatId);
      if (link === undefined) void vscode.window.showInformationMessage(NO_LINK);
      else {
        await vscode.env.clipboard.writeText(link);
        void vscode.window.setStatusBarMessage('$(check) Link copied: it opens the thread in VS Code', 5000);
      }
    },
    ...threadQuestions,
  };
}

/** The questions before a thread is renamed or deleted. */
const threadQuestions: Pick<ThreadActions, 'confirmDelete' | 'confirmDeleteAll' | 'askTitle'> = {
  confirmDelete: (title) =>
    confirmed(
      text`Delete the thread “${title}” from this machine?`,
      text`Delete`,
      text`The platform keeps its own copy. A running answer is stopped.`,
    ),
  confirmDeleteAll: (count) =>
    confirmed(
      text`Delete all ${plural(count, 'thread')} of every account from this machine?`,
      text`Delete All`,
      text`The platform keeps its own copies. Running answers are stopped.`,
    ),
  askTitle: async (current) => {
    const title = await vscode.window.showInputBox({
      title: text`Rename Thread`,
      value: current,
      prompt: text`Name of the thread`,
    });
    return title?.trim() === '' ? undefined : title?.trim();
  },
};

/** Resolves to definitions by exact name only: a similar name would explain something else. */
async function definitions(names: readonly string[]): Promise<readonly Attachment[]> {
  const found = await Promise.all(names.map((name) => symbolOf(name, (symbol) => wholeName(symbol) === name)));
  return Promise.all(found.filter((symbol) => symbol !== undefined).map(symbolAttachment));
}

async function insert(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (!editor) {
    void vscode.window.showInformationMessage('Open the file and place the cursor where the code should go.');
    return;
  }
  await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active });
}

/** Goes to the definition of a member, or to the view that only includes it, according to the language server's symbols. */
async function openMember(name: string): Promise<void> {
  const [owner = name, member] = name.split('.');
  const found =
    (member === undefined
      ? undefined
      : await symbolOf(name, (symbol) => symbol.name === member && symbol.containerName === owner)) ??
    (await symbolOf(owner, (symbol) => symbol.name === owner && symbol.containerName === ''));
  if (!found) {
    void vscode.window.showInformationMessage(text`“${name}” is not defined in the folders of this window.`);
    return;
  }
  const { uri, range } = found.location;
  await vscode.window.showTextDocument(uri, { selection: range, preview: true });
}

async function symbolOf(
  query: string,
  isWanted: (symbol: vscode.SymbolInformation) => boolean,
): Promise<vscode.SymbolInformation | undefined> {
  const symbols = await executeBuiltIn('vscode.executeWorkspaceSymbolProvider', query);
  return symbols?.find(isWanted);
}

async function onResult(
  results: Results,
  action: ResultAction,
  result: QueryResult,
  { branch, format = 'tsv' }: ResultUse,
): Promise<void> {
  switch (action) {
    case 'openSql': {
      const document = await vscode.workspace.openTextDocument({ language: 'sql', content: result.sql });
      await vscode.window.showTextDocument(document, { preview: false });
      return;
    }
    case 'openChart': {
      const content = result.vegaSpec ?? '';
      const document = await vscode.workspace.openTextDocument({ language: 'json', content });
      await vscode.window.showTextDocument(document, { preview: false });
      return;
    }
    case 'runSql':
      await results.run(result.sql, result.title, branch);
      return;
    case 'openPlayground':
      await results.openPlayground(result.sql, branch);
      return;
    case 'openRows':
      results.open(result, branch);
      return;
    case 'copySql':
      await vscode.env.clipboard.writeText(result.sql);
      return;
    case 'copyTable':
      await vscode.env.clipboard.writeText(rowsAs(format, result));
      void vscode.window.setStatusBarMessage(text`Copied ${result.rows.length} rows`, 3000);
      return;
    case 'saveMarkdown':
      await saveAs(result.title, 'md', Buffer.from(`${markdown(result)}\n`, 'utf8'));
      return;
    default:
      await saveAs(result.title, 'csv', Buffer.from(csv(result), 'utf8'));
  }
}
