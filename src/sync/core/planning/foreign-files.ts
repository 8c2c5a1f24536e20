import { foreignLinkAbove, type FollowedLink } from '#sync/core/selection/followed-link.ts';
import type { Plan } from './plan.ts';

/**
 * Returns the files that a deploy would upload although they are not the project's own, each with the link that brings it in
 * (docs/sync.md#deployed-foreign). Only a user may decide that they are uploaded.
 */
export function foreignFiles({ entries, links }: Pick<Plan, 'entries' | 'links'>): ReadonlyMap<string, FollowedLink> {
  const found = new Map<string, FollowedLink>();
  if (!links || links.size === 0) return found;
  for (const { kind, path } of entries) {
    const link = kind === 'upload' || kind === 'renameRemote' ? foreignLinkAbove(path, links) : undefined;
    if (link) found.set(path, link);
  }
  return found;
}
