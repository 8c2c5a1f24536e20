import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { text, textOf } from '#base/user-text.ts';
import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { root } from '../../../tools/run.ts';

vi.mock('vscode', () => ({
  MarkdownString: class {
    readonly value: string;
    constructor(value: string) {
      this.value = value;
    }
  },
}));

// Test files share what they have loaded, and each has a VS Code of its own.
beforeAll(() => vi.resetModules());
afterAll(() => vi.resetModules());

declare const range: vscode.Range;
declare const tree: vscode.TreeView<string>;
declare const panel: vscode.WebviewPanel;
declare const view: vscode.WebviewView;
declare const progress: vscode.Progress;
declare const group: vscode.SourceControlResourceGroup;
declare const control: vscode.SourceControl;
declare const status: vscode.LanguageStatusItem;

/**
 * A violation for each place where VS Code draws text. It never runs: each line compiles only as an error, and
 * TypeScript reports the expectation of one that does not.
 */
export function plantedViolations(api: typeof vscode, raw: string): unknown[] {
  const { window, env, languages, scm, authentication, lm, tests } = api;
  const box = window.createInputBox();
  const pick = window.createQuickPick();
  const item = window.createStatusBarItem('id');
  const row = new api.TreeItem(text`safe`);
  const controller = tests.createTestController('id', text`safe`);
  const test = controller.createTestItem('id', text`safe`);
  const completion = new api.CompletionItem({ label: text`safe` });
  return [
    // @ts-expect-error the name of a group of tests
    tests.createTestController('id', raw),
    // @ts-expect-error the name of a test
    controller.createTestItem('id', raw),
    // @ts-expect-error what stands behind the name of a test
    (test.description = raw),
    // @ts-expect-error why a test cannot be run
    (test.error = raw),
    // @ts-expect-error the name of a way to run tests
    controller.createRunProfile(raw, api.TestRunProfileKind.Run, () => undefined),
    // @ts-expect-error what a test failed with
    new api.TestMessage(raw),
    // @ts-expect-error a message
    window.showErrorMessage(raw),
    // @ts-expect-error a message made of a template
    window.showWarningMessage(`Delete ${raw}?`),
    // @ts-expect-error a message
    window.showInformationMessage(raw, 'Open'),
    // @ts-expect-error the detail of a question
    window.showWarningMessage('Delete?', { modal: true, detail: raw }),
    // @ts-expect-error a button
    window.showWarningMessage('Delete?', `Delete ${raw}`),
    // @ts-expect-error rows of a pick as strings
    window.showQuickPick([raw]),
    // @ts-expect-error the label of a row
    window.showQuickPick([{ label: raw }]),
    // @ts-expect-error the description of a row
    window.showQuickPick([{ label: text`safe`, description: raw }]),
    // @ts-expect-error the detail of a row
    window.showQuickPick([{ label: text`safe`, detail: raw }]),
    // @ts-expect-error the title of a pick
    window.showQuickPick([text`safe`], { title: raw }),
    // @ts-expect-error the placeholder of a pick
    window.showQuickPick([text`safe`], { placeHolder: raw }),
    // @ts-expect-error ticks that are lost with the focus
    window.showQuickPick([text`safe`], { canPickMany: true }),
    // @ts-expect-error the title of a pick that stays
    (pick.title = raw),
    // @ts-expect-error the placeholder of a pick that stays
    (pick.placeholder = raw),
    // @ts-expect-error rows of a pick that stays
    (pick.items = [{ label: raw }]),
    // @ts-expect-error the prompt of an input
    window.showInputBox({ prompt: raw }),
    // @ts-expect-error the title of an input
    window.showInputBox({ title: raw }),
    // @ts-expect-error what is wrong with an input
    window.showInputBox({ validateInput: (value) => `“${value}” is not a name.` }),
    // @ts-expect-error the prompt of an input that stays
    (box.prompt = raw),
    // @ts-expect-error what is wrong with an input that stays
    (box.validationMessage = raw),
    // @ts-expect-error a button of an input
    (box.buttons = [{ iconPath: new api.ThemeIcon('add'), tooltip: raw }]),
    // @ts-expect-error the text of a status bar item
    (item.text = raw),
    // @ts-expect-error the tooltip of a status bar item
    (item.tooltip = raw),
    // @ts-expect-error a message in the status bar
    window.setStatusBarMessage(`$(check) ${raw}`, 5000),
    // @ts-expect-error the title of a progress
    window.withProgress({ location: api.ProgressLocation.Notification, title: raw }, () => Promise.resolve()),
    // @ts-expect-error the message of a progress
    progress.report({ message: raw }),
    // @ts-expect-error the label of a tree item
    new api.TreeItem(raw),
    // @ts-expect-error the label of a tree item, set later
    (row.label = raw),
    // @ts-expect-error the description of a tree item
    (row.description = raw),
    // @ts-expect-error the tooltip of a tree item
    (row.tooltip = raw),
    // @ts-expect-error the message of a view
    (tree.message = raw),
    // @ts-expect-error the description of a view
    (tree.description = raw),
    // @ts-expect-error the badge of a view
    (tree.badge = { value: 1, tooltip: raw }),
    // @ts-expect-error the title of a web view's panel
    window.createWebviewPanel('type', raw, api.ViewColumn.Active),
    // @ts-expect-error the title of a web view's panel, set later
    (panel.title = raw),
    // @ts-expect-error the title of a web view
    (view.title = raw),
    // @ts-expect-error the title of a lens
    new api.CodeLens(range, { title: raw, command: '' }),
    // @ts-expect-error the message of a problem
    new api.Diagnostic(range, raw),
    // @ts-expect-error the tooltip of a decoration
    new api.FileDecoration('!', raw),
    // @ts-expect-error the label of a suggestion
    new api.CompletionItem({ label: raw }),
    // @ts-expect-error the detail of a suggestion
    (completion.detail = raw),
    // @ts-expect-error the documentation of a suggestion
    (completion.documentation = raw),
    // @ts-expect-error the reason of a file that cannot be read
    api.FileSystemError.Unavailable(raw),
    // @ts-expect-error Markdown is made by `markdown.ts` only
    new api.MarkdownString(raw),
    // @ts-expect-error addresses are opened by `openAddress`
    env.openExternal(api.Uri.parse(raw)),
    // @ts-expect-error the text of a language status item
    (status.text = raw),
    // @ts-expect-error the detail of a language status item
    (status.detail = raw),
    // @ts-expect-error hovers come from the language server
    languages.registerHoverProvider('yaml', {}),
    // @ts-expect-error the label of a source control
    scm.createSourceControl('id', raw),
    // @ts-expect-error the label of a group of resources
    control.createResourceGroup('id', raw),
    // @ts-expect-error the label of a group of resources, set later
    (group.label = raw),
    // @ts-expect-error the placeholder of a commit message
    (control.inputBox.placeholder = raw),
    authentication.registerAuthenticationProvider('id', 'Modelbench', {
      onDidChangeSessions: () => ({ dispose: () => undefined }),
      // @ts-expect-error the label of an account
      getSessions: () => Promise.resolve([{ id: '', accessToken: '', scopes: [], account: { id: '', label: raw } }]),
      createSession: () => Promise.reject(new Error()),
      removeSession: () => Promise.resolve(),
    }),
    // @ts-expect-error what a tool asks
    lm.registerTool('id', { prepareInvocation: () => ({ invocationMessage: raw }), invoke: () => undefined }),
    // @ts-expect-error sinks that are not used have no signature
    window.createTerminal(raw),
  ];
}

describe('the guarded API of VS Code', () => {
  it('reads text as text where VS Code reads Markdown', async () => {
    const { markdownFacts, markdownText } = await import('#shell/vscode/guarded/markdown.ts');
    const hostile = textOf('[x](command:run) <img src=x> **b** https://evil.example `c` $(zap) www.evil.example');
    for (const made of [markdownText(hostile), markdownFacts(hostile, [hostile])]) {
      const unescaped = made.value.replaceAll(/\\[!-/:-@[-`{-~]/g, '');
      expect(unescaped.replaceAll('**', '')).toMatch(/^[\p{L}\p{N}\s]*$/u);
    }
  });

  it('links to one command, whatever the argument holds', async () => {
    const { commandLink } = await import('#shell/vscode/guarded/markdown.ts');
    const argument = { uri: "file:///a (b)'s/orders.yml", name: 'x](command:other) ![y](https://evil.example)' };
    const { value, isTrusted } = commandLink(text`Query This`, 'modelbench.language.queryMember', argument);
    expect(isTrusted).toEqual({ enabledCommands: ['modelbench.language.queryMember'] });
    const [, query = ''] =
      /^\[Query This\]\(command:modelbench\.language\.queryMember\?([\w%.~*!-]+)\)$/.exec(value) ?? [];
    expect(JSON.parse(decodeURIComponent(query))).toEqual([argument]);
  });

  it('is the only way to the raw API, to its addresses and to unchecked commands', () => {
    const offenders = sources('src').flatMap((file) => offences(file, readFileSync(join(root, file), 'utf8')));
    expect(offenders).toEqual([]);
  });

  it.each([
    'const shown = name as UserText;',
    'const shown = name as unknown as UserText;',
    "await vscode.commands.executeCommand('vscode.diff', left, right, title);",
    "await vscode.commands.executeCommand('modelbench.push', 'folder');",
    "store.add(vscode.commands.registerCommand('modelbench.push', push));",
    "const raw = await import('vscode');",
    "const raw = require('vscode');",
    'await env.openExternal(uri);',
  ])('has a gate that finds %s', (source) => {
    expect(offences('src/compose/planted.ts', source)).toEqual(['src/compose/planted.ts']);
  });
});

/** What the types and the lint rule cannot see. */
function offences(file: string, source: string): readonly string[] {
  const isGuarded = file.startsWith('src/shell/vscode/guarded/');
  const found =
    (/\bas (?:unknown as )?UserText\b/.test(source) && file !== 'src/base/user-text.ts') ||
    (!isGuarded &&
      /\bcommands\.(?:execute|register)Command|\b(?:import|require)\(['"]vscode['"]\)|\bopenExternal\(/.test(source));
  return found ? [file] : [];
}

function sources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}
