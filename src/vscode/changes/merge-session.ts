import * as vscode from 'vscode';
import { mergeLines } from '#base/merge-lines.ts';
import { baseName } from '#base/path.ts';
import type { FileTarget } from '#protocol/targets.ts';
import { fileUri } from '../link/folder-uris.ts';
import type { Services } from '../services.ts';
import { begunMerge, keepBegun } from './begun-merges.ts';
import { type MergeSide, openMergeEditor, replaceText } from './merge-editor.ts';

/** The other version of a file, and what both come from. */
export interface MergeInput {
  /** The hash of the other version. */
  readonly remote: string;
  readonly theirs: string;
  /** What both come from, made of the two where nobody knows it. */
  readonly base: string | ((mine: string, theirs: string) => string);
  readonly theirSide: MergeSide;
  /** Whether the file still is in conflict; asked when the editor is closed. */
  readonly isOpen: () => Promise<boolean>;
}

/**
 * Opens VS Code's merge editor on a file. The merge begins with what only one side changed, every conflict still open; the
 * local version is kept until it is settled. Answers false, with the file as it was, where the host has no such editor.
 */
export async function beginMerge(services: Services, file: FileTarget, input: MergeInput): Promise<boolean> {
  const { documents } = services;
  const { remote } = input;
  const output = await vscode.workspace.openTextDocument(fileUri(file));
  const text = output.getText();
  const begun = begunMerge(services, file);
  const goesOn = begun?.remote === remote && begun.mine !== text;
  const mine = goesOn ? begun.mine : text;
  const theirs = withEndsOf(output, input.theirs);
  const made = typeof input.base === 'string' ? undefined : input.base(mine, theirs);
  const base = typeof input.base === 'string' ? withEndsOf(output, input.base) : (made ?? '');
  const { text: start, conflicts } = mergeLines(base, mine, theirs);
  await keepBegun(services, file, { mine, remote, ...(made === undefined ? {} : { base: made }) });
  documents.refresh();
  if (!goesOn) await replaceText(output, start);
  const opened = await openMergeEditor(output.uri, {
    base: documents.uri(file, made === undefined ? 'base' : 'common'),
    theirs: input.theirSide,
    mine: { uri: documents.uri(file, 'mine'), title: 'Local', description: 'this folder' },
  });
  if (opened) {
    const isUndone = (now: string): boolean => conflicts > 0 && now === start;
    opened.whenClosed(async () => afterMerge(services, file, { isUndone, isOpen: input.isOpen }));
    return true;
  }
  if (!goesOn) await replaceText(output, text);
  return false;
}

/** VS Code's *Complete Merge* only saves and closes. A merge without a choice is undone, else the person is asked. */
async function afterMerge(
  services: Services,
  file: FileTarget,
  merge: { readonly isUndone: (text: string) => boolean } & Pick<MergeInput, 'isOpen'>,
): Promise<void> {
  if (!begunMerge(services, file)) return;
  if (!(await merge.isOpen())) {
    await keepBegun(services, file, undefined);
    return;
  }
  const output = await vscode.workspace.openTextDocument(fileUri(file));
  const text = output.getText();
  const done = 'Mark as Resolved';
  const undo = 'Undo Merge';
  const question = `Is the merge of “${baseName(file.path)}” finished? It goes to the platform once it is marked as resolved.`;
  const answer = merge.isUndone(text) ? undo : await vscode.window.showInformationMessage(question, done, undo);
  if (answer === done) await vscode.commands.executeCommand('modelbench.conflict.resolved', file);
  if (answer === undo && output.getText() === text) await undoMerge(services, file);
}

/** Puts the local version of a begun merge back in its place. */
export async function undoMerge(services: Services, file: FileTarget): Promise<void> {
  const begun = begunMerge(services, file);
  if (!begun) return;
  const output = await vscode.workspace.openTextDocument(fileUri(file));
  await replaceText(output, begun.mine);
  await output.save();
  await keepBegun(services, file, undefined);
}

/** A version's text with the document's line ends. */
function withEndsOf({ eol }: vscode.TextDocument, text: string): string {
  return text.replaceAll(/\r?\n/g, eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}
