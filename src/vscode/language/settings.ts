import * as vscode from '#vscode/guarded/vscode.ts';
import type { LanguageSettings, SeveritySetting, YieldToYaml } from '#protocol/lsp.ts';

/** The settings that the server needs, read from `modelbench.language.*`. */
export function languageSettings(): Omit<LanguageSettings, 'preview' | 'compiledSql'> {
  const section = vscode.workspace.getConfiguration('modelbench.language');
  return {
    severity: section.get<Record<string, SeveritySetting>>('severity') ?? {},
    codeLens: section.get<boolean>('codeLens') ?? true,
    lensForUnused: section.get<boolean>('lensForUnused') ?? false,
    inlayHints: section.get<boolean>('inlayHints') ?? true,
    // The engine runs the model's scripts.
    engineCheck: vscode.workspace.isTrusted
      ? (section.get<LanguageSettings['engineCheck']>('engineCheck.run') ?? 'onSave')
      : 'off',
    engineCheckLimit: section.get<number>('engineCheck.limit') ?? 1024,
    yieldToYaml: yieldToYaml(),
  };
}

/** Whether members are compared with those of the deploy branch. */
export function comparesWithDeployBranch(): boolean {
  return vscode.workspace.getConfiguration('modelbench.language').get<boolean>('compareWithDeployBranch') ?? true;
}

/** What the widespread extension for YAML does, which gets a JSON Schema from our manifest (`yamlValidation`). */
export function yieldToYaml(): YieldToYaml {
  const isThere = vscode.extensions.getExtension('redhat.vscode-yaml') !== undefined;
  const settings = vscode.workspace.getConfiguration('yaml');
  const does = (what: string): boolean => isThere && settings.get<boolean>(what) !== false;
  return { completion: does('completion'), hover: does('hover'), formatting: does('format.enable') };
}
