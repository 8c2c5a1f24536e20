import { baseName, dirName } from '#base/path.ts';
import type { TreeItemSpec } from '#shell/tree-item.ts';

/** Returns the texts that all rows of a file share. `what` happened to it comes first, because a narrow side bar cuts the end. */
export function fileRowTexts(
  path: string,
  what: string,
): Pick<TreeItemSpec, 'label' | 'description' | 'tooltip' | 'spoken'> {
  const folder = dirName(path);
  return {
    label: baseName(path),
    description: folder === '' ? what : `${what} · ${folder}`,
    tooltip: `${path}\n${what}`,
    spoken: `${path}, ${what}`,
  };
}
