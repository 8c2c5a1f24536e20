import type { Connection } from 'vscode-languageserver';
import { contentHash } from '#base/content-hash.ts';
import { notCompiledHere } from '#model/engine/engine-refusals.ts';
import type { ModelFile } from '#model/file.ts';
import {
  type CompileAnswer,
  type CompileQuestion,
  type LanguageSettings,
  mayCompile,
} from '#features/language/messages.ts';
import type { Engine } from '#language-server/host.ts';
import type { ModelRoot } from '#language-server/workspace/workspace.ts';

/** Returns why the engine cannot or should not compile a model here; `undefined` if it may. */
export function whyNotCompiled(
  root: ModelRoot,
  engine: Pick<Engine, 'canCompile'> | undefined,
  { engineCheck, engineCheckLimit }: LanguageSettings,
  anySize: boolean,
  files: Iterable<ModelFile> = root.index.files(),
): string | undefined {
  if (!engine || engineCheck === 'off') return 'The engine check is off here.';
  if (root.isStandalone || root.guessed === true || !engine.canCompile(root.uri))
    return 'Only models on this disk are compiled.';
  const all = [...files];
  const reason = notCompiledHere(root.index, all);
  if (reason !== undefined) return reason;
  const size = all.reduce((sum, { text }) => sum + text.length, 0);
  if (anySize || size <= engineCheckLimit * 1024) return undefined;
  return `The model is larger than ${engineCheckLimit} KB: it is compiled only by command.`;
}

/**
 * Asks the client whether a model may be compiled: the client knows what the user has seen of it, and asks the user about
 * scripts.
 */
export async function consentTo(
  connection: Connection,
  { uri, index }: ModelRoot,
  byCommand: boolean,
  hasScripts = false,
): Promise<CompileAnswer> {
  const files = [...index.files()];
  const question: CompileQuestion = {
    root: uri,
    files: await Promise.all(files.map(async ({ path, text }) => ({ uri: path, hash: await contentHash(text) }))),
    hasScripts: hasScripts || files.some(({ language }) => language === 'script'),
    byCommand,
  };
  try {
    return await connection.sendRequest<CompileAnswer>(mayCompile, question);
  } catch {
    return { may: false, reason: 'VS Code did not confirm that it may run.' };
  }
}

/** Returns the message for a model whose script names something that does not exist here. */
export function notHere(name: string, { mixed }: ModelRoot): string {
  // In a folder that is not linked, only files that look like a model are read.
  return mixed
    ? `A script uses \`${name}\`, which is not a cube or view of this folder.`
    : `A script uses \`${name}\`, which exists only on the platform.`;
}
