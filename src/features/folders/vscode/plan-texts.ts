import { decodedText } from '#base/decoded-text.ts';
import type { OpenPlan } from '#features/folders/plan-view.ts';
import type { FileTexts, ModelTexts } from '#features/review/index.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { PlanEntry } from '#sync/core/plan.ts';
import { fileUri } from './folder-uris.ts';
import { modelTexts } from './model-texts.ts';

/** The location of a text of a change: in the folder (`here`), on the branch (`there`), or nowhere. */
export type TextLocation = { readonly here: string } | { readonly there: string } | undefined;

/** Returns the location of the old and the new text of an entry; `undefined` if the entry changes no file. */
export function sidesOf(entry: PlanEntry): readonly [before: TextLocation, after: TextLocation] | undefined {
  const { path } = entry;
  switch (entry.kind) {
    case 'upload':
      return [entry.expectedRemote === undefined ? undefined : { there: path }, { here: path }];
    case 'download':
      return [entry.expectedLocal === undefined ? undefined : { here: path }, { there: path }];
    case 'deleteRemote':
      return [{ there: path }, undefined];
    case 'deleteLocal':
      return [{ here: path }, undefined];
    case 'renameRemote':
      return [{ there: entry.from }, { here: path }];
    case 'renameLocal':
      return [{ here: entry.from }, { there: path }];
    case 'conflict':
      return [{ there: path }, { here: path }];
    default:
      return undefined;
  }
}

/** Resolves to the text of one side; `undefined` if there is none. */
export async function sideText(
  { session }: OpenPlan,
  side: TextLocation,
): Promise<string | typeof notText | undefined> {
  if (!side) return undefined;
  const { folderId } = session.folder;
  const bytes =
    'there' in side
      ? await session.sync.remoteContent(side.there)
      : await vscode.workspace.fs.readFile(fileUri({ folderId, path: side.here }));
  if (bytes === undefined) return undefined;
  return bytes.includes(0) ? notText : decodedText(bytes);
}

/** Stands for content that cannot be shown. */
export const notText = Symbol('not a text');

/** Resolves to both texts of a change, with their paths. A file that is not text changes nothing in the model. */
export async function entryTexts(open: OpenPlan, entry: PlanEntry): Promise<FileTexts> {
  const [before, after] = sidesOf(entry) ?? [undefined, undefined];
  const read = async (side: TextLocation): Promise<FileTexts['before']> => {
    const text = await sideText(open, side);
    if (!side || text === undefined || text === notText) return undefined;
    return ['there' in side ? side.there : side.here, text];
  };
  return { before: await read(before), after: await read(after) };
}

/** Resolves to the models of the folder that the plan does not name, by path. */
export async function otherTexts({ plan, session: { folder } }: OpenPlan): Promise<ModelTexts> {
  const named = new Set(plan?.entries.flatMap((entry) => ('from' in entry ? [entry.path, entry.from] : [entry.path])));
  return modelTexts(folder, named);
}
