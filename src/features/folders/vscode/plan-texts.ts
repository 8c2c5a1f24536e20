import { decodedText } from '#base/decoded-text.ts';
import type { OpenPlan } from '#features/folders/plan-view.ts';
import type { FileTexts, ModelTexts } from '#features/review/index.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
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

/** Resolves to the content of one side; `undefined` if there is none. */
export async function sideBytes({ session }: OpenPlan, side: TextLocation): Promise<Uint8Array | undefined> {
  if (!side) return undefined;
  const { folderId } = session.folder;
  return 'there' in side
    ? session.sync.remoteContent(side.there)
    : vscode.workspace.fs.readFile(fileUri({ folderId, path: side.here }));
}

/** Resolves to both texts of a change, with their paths. A file that is not text changes nothing in the model. */
export async function entryTexts(open: OpenPlan, entry: PlanEntry): Promise<FileTexts> {
  const [before, after] = sidesOf(entry) ?? [undefined, undefined];
  const read = async (side: TextLocation): Promise<FileTexts['before']> => {
    const bytes = await sideBytes(open, side);
    if (!side || !bytes || bytes.includes(0)) return undefined;
    return ['there' in side ? side.there : side.here, decodedText(bytes)];
  };
  return { before: await read(before), after: await read(after) };
}

/** Resolves to the models of the folder that the plan does not name, by path. */
export async function otherTexts({ plan, session: { folder } }: OpenPlan): Promise<ModelTexts> {
  const named = new Set(plan?.entries.flatMap((entry) => ('from' in entry ? [entry.path, entry.from] : [entry.path])));
  return modelTexts(folder, named);
}
