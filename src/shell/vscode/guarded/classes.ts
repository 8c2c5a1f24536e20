import * as raw from 'vscode';
import type { UserText } from '#base/user-text.ts';

interface Command extends Omit<raw.Command, 'title' | 'tooltip'> {
  title: UserText;
  tooltip?: UserText | undefined;
}

export interface TreeItem extends Omit<raw.TreeItem, 'label' | 'description' | 'tooltip'> {
  label?: UserText;
  description?: UserText;
  tooltip?: UserText | raw.MarkdownString;
}

/** A row of a tree. */
export const TreeItem = raw.TreeItem as unknown as new (
  label: UserText,
  collapsibleState?: raw.TreeItemCollapsibleState,
) => TreeItem;

/** VS Code draws icons in the title. */
export const CodeLens = raw.CodeLens as unknown as new (range: raw.Range, command?: Command) => raw.CodeLens;
export type CodeLens = raw.CodeLens;

export const Diagnostic = raw.Diagnostic as unknown as new (
  range: raw.Range,
  message: UserText,
  severity?: raw.DiagnosticSeverity,
) => raw.Diagnostic;
export type Diagnostic = raw.Diagnostic;

export const FileDecoration = raw.FileDecoration as unknown as new (
  badge?: string,
  tooltip?: UserText,
  color?: raw.ThemeColor,
) => raw.FileDecoration;
export type FileDecoration = raw.FileDecoration;

interface CompletionLabel {
  readonly label: UserText;
  readonly detail?: UserText;
  readonly description?: UserText;
}

export interface CompletionItem extends Omit<raw.CompletionItem, 'documentation' | 'detail'> {
  documentation?: UserText | raw.MarkdownString;
  detail?: UserText;
}

export const CompletionItem = raw.CompletionItem as unknown as new (
  label: CompletionLabel,
  kind?: raw.CompletionItemKind,
) => CompletionItem;

type Reason = UserText | raw.Uri;

/** VS Code shows the reason why a file cannot be read or saved in a notification, and draws its links. */
export const FileSystemError = raw.FileSystemError as unknown as {
  readonly prototype: raw.FileSystemError;
  new (reason?: Reason): raw.FileSystemError;
  FileNotFound(reason?: Reason): raw.FileSystemError;
  NoPermissions(reason?: Reason): raw.FileSystemError;
  Unavailable(reason?: Reason): raw.FileSystemError;
};
export type FileSystemError = raw.FileSystemError;

/** Only `markdown.ts` creates Markdown. */
export const MarkdownString = undefined;
export type MarkdownString = raw.MarkdownString;
