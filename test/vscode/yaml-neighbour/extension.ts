import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

interface Manifest {
  readonly contributes?: {
    readonly yamlValidation?: readonly { readonly fileMatch: string; readonly url: string }[];
  };
}

let client: LanguageClient | undefined;

/** Starts the server of the widespread extension with the schemas that installed extensions have for YAML. */
export async function activate(): Promise<void> {
  const beside = vscode.extensions.getExtension('modelbench.modelbench')?.extensionPath ?? '';
  const module = createRequire(`${beside}/package.json`).resolve('yaml-language-server/out/server/src/server.js');
  const server = { module, transport: TransportKind.ipc };
  client = new LanguageClient('yaml', 'YAML', server, { documentSelector: [{ language: 'yaml' }] });
  await client.start();
  await client.sendNotification('json/schemaAssociations', schemas());
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function schemas(): readonly { readonly fileMatch: readonly string[]; readonly uri: string }[] {
  return vscode.extensions.all.flatMap(({ extensionUri, packageJSON }) =>
    ((packageJSON as Manifest).contributes?.yamlValidation ?? []).map(({ fileMatch, url }) => ({
      fileMatch: [fileMatch],
      uri: vscode.Uri.joinPath(extensionUri, url).toString(),
    })),
  );
}
