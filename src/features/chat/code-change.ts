import { lineChanges, withLineChanges } from '#base/merge-lines.ts';
import type { ProposalFiles, ProposalClassifier, RequireLanding } from '#chat-core/proposal-ports.ts';
import type { ProposedChange } from '#chat-core/proposal-review.ts';
import { UserError } from '#shell/user-error.ts';

/** The ports needed to put code of an answer into a file. */
export interface CodePorts {
  readonly files: ProposalFiles;
  readonly classifier: ProposalClassifier;
  /** Resolves to `undefined` if accepted files may not be written now. */
  readonly mayAccept: () => Promise<RequireLanding | undefined>;
  /** Resolves to false when the engine refuses a text and the user does not want to write it anyway. */
  readonly mayBeWritten: (path: string, text: string) => Promise<boolean>;
}

/** The change that a block of code makes to a file. */
export interface CodeChange extends ProposedChange {
  /** Ids of the definitions that the change may remove. */
  readonly removed: readonly string[];
}

/**
 * The result of applying code to a file: `refused`: the file cannot be written; `draft`: `code` can only be opened as a draft.
 */
export type ClassifiedCode =
  | { readonly kind: 'change'; readonly change: CodeChange }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'draft'; readonly reason: string; readonly code: string };

/** Classifies a block of code without a path, for the file that the user chose. */
export async function classifyCode(
  { files, classifier }: Pick<CodePorts, 'files' | 'classifier'>,
  path: string,
  block: { readonly content: string; readonly language: string },
): Promise<ClassifiedCode> {
  const refusal = files.refusalOf?.(path);
  if (refusal !== undefined) return { kind: 'refused', reason: refusal };
  const before = (await files.read(path))?.text;
  const code = `${block.content.replaceAll(/\r\n?/g, '\n').trimEnd()}\n`;
  const classified = await classifier.classify(path, before, [
    { path, language: block.language, text: code, above: '' },
  ]);
  if (classified.kind !== 'change') {
    const reason = classified.kind === 'quote' ? 'It changes nothing in the file.' : classified.reason;
    return { kind: 'draft', reason, code };
  }
  const { text: after, removed } = classified;
  return { kind: 'change', change: { path, before, after, removed, hunks: lineChanges(before ?? '', after) } };
}

/**
 * Writes a change, or only the given hunks; resolves to whether it was written. Throws `UserError` if the model does not allow
 * the text, and `FileMovedOn` if the file has changed since the change was classified.
 */
export async function writeCode(
  { files, classifier, mayAccept, mayBeWritten }: CodePorts,
  { path, before, after: whole, removed }: CodeChange,
  hunks?: ProposedChange['hunks'],
): Promise<boolean> {
  const after = hunks ? withLineChanges(before ?? '', hunks) : whole;
  if (after === before) return false;
  const requireLanding = await mayAccept();
  if (!requireLanding) return false;
  const problem = await classifier.problem(path, before, after, removed);
  if (problem !== undefined) throw new UserError(`Nothing was written. ${problem}`);
  if (!(await mayBeWritten(path, after))) return false;
  await files.write([{ path, before, text: after }], requireLanding);
  return true;
}
