import * as vscode from 'vscode';
import type { LanguageSettings, SeveritySetting } from '#protocol/lsp.ts';

/** The settings that the server needs, read from `modelbench.language.*`. */
export function languageSettings(): Omit<LanguageSettings, 'preview' | 'compiledSql'> {
  const section = vscode.workspace.getConfiguration('modelbench.language');
  return {
    severity: section.get<Record<string, SeveritySetting>>('severity') ?? {},
    codeLens: section.get<boolean>('codeLens') ?? true,
    inlayHints: section.get<boolean>('inlayHints') ?? true,
    yieldFormatting: vscode.extensions.getExtension('redhat.vscode-yaml') !== undefined,
  };
}
