import type { SaveChoices, SyncSession, UploadConsent } from '#features/folders/index.ts';
import type { PushMode } from './change-nodes.ts';

/** Returns how saved files of a folder are pushed, from the setting and the consent that a risky deployment needs. */
export function pushModeOf(
  { consent, saveChoices }: { readonly consent: UploadConsent; readonly saveChoices: SaveChoices },
  { folder, target }: SyncSession,
): PushMode {
  const pushes = saveChoices.of(folder.folderId);
  if (pushes === undefined) return 'notChosen';
  if (!pushes) return 'off';
  return consent.missing(target) ? 'risky' : 'automatic';
}
