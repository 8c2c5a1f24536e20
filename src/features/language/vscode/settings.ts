import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { codes } from '#model/codes.ts';
import type { LanguageSettings, YieldToYaml } from '#features/language/messages.ts';
import type { SeveritySetting } from '#shell/settings.ts';
import { setting, severitySetting } from '#shell/vscode/settings.ts';

/** Returns the settings that the server needs, read from `modelbench.language.*`. */
export function languageSettings(): Omit<LanguageSettings, 'preview' | 'compiledSql' | 'reviewEdits'> {
  return {
    severity: severitySetting(defaultSeverities()),
    codeLens: setting('language.codeLens'),
    lensForUnused: setting('language.lensForUnused'),
    inlayHints: setting('language.inlayHints'),
    // The engine runs the model's scripts.
    engineCheck: vscode.workspace.isTrusted ? setting('language.engineCheck.run') : 'off',
    renderTemplates: vscode.workspace.isTrusted,
    asksBeforeCompiling: true,
    engineCheckLimit: setting('language.engineCheck.limit'),
    yieldToYaml: yieldToYaml(),
  };
}

/** Whether the platform validates the branch of a model after a save. */
export function validatesOnSave(): boolean {
  return setting('language.validateOnSave');
}

/** Whether members are compared with those of the deploy branch. */
export function comparesWithDeployBranch(): boolean {
  return setting('language.compareWithDeployBranch');
}

const defaultSeverities = (): Readonly<Record<string, SeveritySetting>> =>
  Object.fromEntries(Object.entries(codes).map(([code, { severity }]) => [code, severity]));

/** Returns what the common YAML extension does, which gets a JSON Schema from our manifest (`yamlValidation`). */
export function yieldToYaml(): YieldToYaml {
  const isThere = vscode.extensions.getExtension('redhat.vscode-yaml') !== undefined;
  const settings = vscode.workspace.getConfiguration('yaml');
  const does = (what: string): boolean => isThere && settings.get<boolean>(what) !== false;
  return { completion: does('completion'), hover: does('hover'), formatting: does('format.enable') };
}
