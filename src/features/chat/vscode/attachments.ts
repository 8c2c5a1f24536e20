import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import type { Attachment } from '#chat-core/attachments.ts';
import type { AttachWhat } from '#features/chat/host.ts';
import {
  documentAttachment,
  fileAttachment,
  problemsAttachment,
  selectedAttachment,
  symbolAttachment,
  wholeName,
} from './attached.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** Asks the user what to attach to the question, and reads it. */
export async function pickAttachment(what: AttachWhat): Promise<Attachment | undefined> {
  const chosen = what === 'pick' ? await pickKind() : what;
  switch (chosen) {
    case 'selection':
      return selectionAttachment();
    case 'problems':
      return openFileProblems();
    case 'member':
      return pickMember();
    case 'file':
      return pickFile();
    default:
      return undefined;
  }
}

/** Returns the selected text, or the whole file if nothing is selected, as an attachment. */
export function selectionAttachment(): Attachment | undefined {
  const editor = openEditor();
  if (!editor) {
    void vscode.window.showInformationMessage('No text editor is open.');
    return undefined;
  }
  return editor.selection.isEmpty ? documentAttachment(editor.document) : selectedAttachment(editor);
}

/** Returns the editor that a question is about: the chat may have the focus. */
function openEditor(): vscode.TextEditor | undefined {
  return vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
}

function openProblems(): readonly vscode.Diagnostic[] {
  const document = openEditor()?.document;
  return document ? vscode.languages.getDiagnostics(document.uri) : [];
}

async function pickKind(): Promise<Exclude<AttachWhat, 'pick'> | undefined> {
  const hasEditor = openEditor() !== undefined;
  const kinds: readonly (vscode.QuickPickItem & {
    readonly kind: vscode.QuickPickItemKind;
    readonly what: Exclude<AttachWhat, 'pick'>;
  })[] = [
    { kind: vscode.QuickPickItemKind.Default, label: text`$(file) File…`, what: 'file' },
    ...(hasEditor
      ? [
          {
            kind: vscode.QuickPickItemKind.Default,
            label: text`$(selection) Selection or Open File`,
            what: 'selection',
          } as const,
        ]
      : []),
    { kind: vscode.QuickPickItemKind.Default, label: text`$(symbol-field) Cube, View or Member…`, what: 'member' },
    ...(openProblems().length > 0
      ? [
          {
            kind: vscode.QuickPickItemKind.Default,
            label: text`$(warning) Problems of the Open File`,
            what: 'problems',
          } as const,
        ]
      : []),
  ];
  const picked = await vscode.window.showQuickPick(kinds, { title: text`Attach to the Question` });
  return picked?.what;
}

async function pickFile(): Promise<Attachment | undefined> {
  const files = await vscode.workspace.findFiles(
    '**/*.{yml,yaml,js,ts,sql,jinja,py,md,json,csv}',
    '**/node_modules/**',
    2000,
  );
  const items = files
    .map((uri) => ({ label: textOf(vscode.workspace.asRelativePath(uri)), uri }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Attach a File`,
    matchOnDescription: true,
    none: text`The folders of this window have no file to attach.`,
  });
  return picked && fileAttachment(picked.uri);
}

type MemberItem = vscode.QuickPickItem & { readonly description: UserText; readonly symbol: vscode.SymbolInformation };

/** Asks for a cube, view or member and returns the lines that define it. */
async function pickMember(): Promise<Attachment | undefined> {
  const picked = await askMember();
  if (!picked) return undefined;
  return symbolAttachment(picked.symbol);
}

/** Asks for a member, searching at each keystroke: a large model has more names than one list shows. */
function askMember(): Promise<MemberItem | undefined> {
  const box = vscode.window.createQuickPick<MemberItem>();
  box.title = text`Attach from the Model`;
  box.placeholder = text`Name of a cube, view or member`;
  box.matchOnDescription = true;
  return new Promise((resolve, reject) => {
    let latest = '';
    const search = async (query: string): Promise<void> => {
      latest = query;
      const items = await memberItems(query);
      if (items.length === 0 && query === '') {
        void vscode.window.showInformationMessage('No cubes or views were found in the folders of this window.');
        box.hide();
      } else if (query === latest) box.items = items;
    };
    box.onDidChangeValue((query) => void search(query).catch(reject));
    box.onDidAccept(() => {
      resolve(box.selectedItems[0]);
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
    search('').catch(reject);
  });
}

async function memberItems(query: string): Promise<MemberItem[]> {
  const symbols = await executeBuiltIn('vscode.executeWorkspaceSymbolProvider', query);
  return (symbols ?? []).map((symbol) => ({
    label: textOf(wholeName(symbol)),
    description: textOf(vscode.workspace.asRelativePath(symbol.location.uri)),
    symbol,
  }));
}

function openFileProblems(): Attachment | undefined {
  const document = openEditor()?.document;
  const problems = openProblems();
  if (!document || problems.length === 0) {
    void vscode.window.showInformationMessage('The open file has no problems.');
    return undefined;
  }
  return problemsAttachment(document.uri, problems);
}
