/**
 * VS Code's API as the rest of the extension sees it: wherever VS Code draws text, it takes `UserText`, and there is no raw
 * `openExternal`. Commands are run and registered through `commands.ts`, which checks their arguments. Only this folder may
 * import `vscode` (a lint rule).
 */
export * from 'vscode';
export { authentication, env, languages, lm, scm } from './namespaces.ts';
export {
  CodeLens,
  CompletionItem,
  Diagnostic,
  FileDecoration,
  FileSystemError,
  MarkdownString,
  TreeItem,
} from './classes.ts';
export type { InputBox, QuickInputButton, QuickPickItem } from './inputs.ts';
export type {
  AuthenticationProvider,
  AuthenticationSession,
  AuthenticationSessionsChange,
  LanguageModelTool,
  LanguageStatusItem,
  SourceControl,
  SourceControlResourceGroup,
  SourceControlResourceState,
} from './namespaces.ts';
export { TestMessage, TestRunRequest, tests } from './tests.ts';
export type { TestController, TestItem, TestRun } from './tests.ts';
export { window } from './window.ts';
export type { Progress, TreeView, WebviewPanel, WebviewView } from './window.ts';
