/** A symbolic link in the folder that a scan for a deploy followed (docs/sync.md#deployed-links). */
export interface FollowedLink {
  /** The absolute path of what it leads to. */
  readonly target: string;
  /**
   * `project`: one of the project's own files or folders. Otherwise it is `outside` of the project, or `leftOut`, which is never
   * deployed under its own name, such as `.env`; then only a user may decide that it is uploaded.
   */
  readonly leadsTo: 'project' | 'outside' | 'leftOut';
}

/** Returns the path of the innermost link that leads to a file or is the file itself, if there is one. */
export function followedLinkAbove(file: string, links: ReadonlyMap<string, FollowedLink>): string | undefined {
  return linksAbove(file, links)[0];
}

/** Returns the outermost link above a file that does not lead to the project's own files, if there is one. */
export function foreignLinkAbove(file: string, links: ReadonlyMap<string, FollowedLink>): FollowedLink | undefined {
  return linksAbove(file, links)
    .map((path) => links.get(path))
    .findLast((link) => link !== undefined && link.leadsTo !== 'project');
}

/** Returns the paths of the links that are the file or lie above it, the innermost first. */
function linksAbove(file: string, links: ReadonlyMap<string, FollowedLink>): readonly string[] {
  const found: string[] = [];
  if (links.size === 0) return found;
  for (let end = file.length; end > 0; end = file.lastIndexOf('/', end - 1)) {
    const path = file.slice(0, end);
    if (links.has(path)) found.push(path);
  }
  return found;
}
