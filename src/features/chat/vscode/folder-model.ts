import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { ModelFolder } from '#features/chat/model-folders.ts';
import type { ChatFolderDeps, ChatModelDeps } from './deps.ts';

/** Returns access to the model of one of the linked folders; `now` returns that folder. */
export function modelIn(deps: ChatFolderDeps, now: () => ModelFolder | undefined): ChatModelDeps {
  const id = (): string => now()?.id ?? '';
  return {
    modelFolder: () => {
      const folder = now();
      return folder && { uri: vscode.Uri.parse(folder.id, true), modelPath: folder.modelPath };
    },
    branchSide: { takeBackOf: async (path) => deps.takeBackOf(id(), path) },
    branchTexts: async (only) => deps.branchTexts(id(), only),
    setAside: async (path) => deps.setAside(id(), path),
    proposals: deps.proposals,
  };
}
