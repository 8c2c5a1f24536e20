import type { BigIntStats } from 'node:fs';
import { type FollowedLink, foreignLinkAbove } from '#sync/core/selection/followed-link.ts';
import { nameProblem } from '#sync/core/selection/file-rules.ts';
import { compileIgnore } from '#sync/core/selection/ignore.ts';
import { nodeCalls } from '#sync/disk/disk-calls.ts';
import { LinkTargets } from '#sync/disk/link-targets.ts';
import { type Rule, rule, verdict } from './rule.ts';

const RULES = 'sync/core/selection/file-rules.ts';
const LINKS = 'sync/core/selection/followed-link.ts';
const TARGETS = 'sync/disk/link-targets.ts';

/** A disk with folders, and links by where they lead. */
function targets(links: Readonly<Record<string, string>>): LinkTargets {
  const realPath = (file: string): string => links[file] ?? file;
  const folder = { isFile: () => false, isDirectory: () => true } as unknown as BigIntStats;
  return new LinkTargets({ ...nodeCalls, realPath, lstat: () => folder }, '/project');
}

export const deployRules: readonly Rule[] = [
  rule(
    'deployed-files',
    'leaves out of a deploy what sync leaves out',
    [[RULES, "return rules === 'deploy' ? NEVER_DEPLOYED : NEVER_SYNCED;", 'return NEVER_SYNCED;']],
    () => {
      const rules = compileIgnore([], [], 'deploy');
      const left = ['.gitignore', 'model/cube.py~', 'shop.code-workspace'].filter((file) => rules.ignores(file, false));
      return verdict(left.length === 0, `${left.join(', ')} is not deployed`);
    },
  ),
  rule(
    'deployed-names',
    'deploys a name that its own list of files cannot hold',
    [[RULES, '!UNLISTABLE.test(path)', 'true']],
    () => verdict(nameProblem('model/a\nb.yml', 'deploy') !== undefined, 'a name with a line break is deployed'),
  ),
  rule(
    'deployed-links',
    'follows a link to the folder in which it lies',
    [[TARGETS, 'if (folders.some((folder) => isWithin(folder, target)))', 'if (false)']],
    () => {
      const found = targets({ '/project/model/up': '/project' }).of('/project/model/up');
      return verdict(found === 'linkLoop', 'the walk would never end');
    },
  ),
  rule(
    'deployed-foreign',
    'takes a file outside of the project for one of its own',
    [[LINKS, "link !== undefined && link.leadsTo !== 'project'", 'link === undefined']],
    () => {
      const found = targets({ '/project/model/team': '/home/ada' }).of('/project/model/team');
      const link: FollowedLink | undefined = typeof found === 'string' ? undefined : found;
      const isNamed = link && foreignLinkAbove('model/team/x.yml', new Map([['model/team', link]])) === link;
      return verdict(isNamed === true, 'a file of another folder is uploaded without a question');
    },
  ),
];
