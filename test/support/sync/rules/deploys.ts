import type { BigIntStats } from 'node:fs';
import { type FollowedLink, foreignLinkAbove } from '#sync/core/selection/followed-link.ts';
import { nameProblem } from '#sync/core/selection/file-rules.ts';
import { compileIgnore } from '#sync/core/selection/ignore.ts';
import { nodeCalls } from '#sync/disk/disk-calls.ts';
import { LinkTargets } from '#sync/disk/link-targets.ts';
import { FOLDER } from '../simulated-ports.ts';
import { type Rule, rule, verdict } from './rule.ts';
import { A, agreed, B, C } from './rule-desk.ts';

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
    'effect-vanished',
    'deploys although the last list lacks a file that is not to be deleted',
    [
      [
        'sync/core/transfer/upload.ts',
        'const [vanished, ...more] = autoRemove && earlier ? vanishedFiles(earlier, fresh, effects) : [];',
        'const [vanished, ...more]: string[] = [];',
      ],
    ],
    async () => {
      const desk = await agreed({
        ports: (ports) => ({ ...ports, remote: Object.assign(ports.remote, { transactionOnly: true }) }),
      });
      desk.write(A, 'mine');
      desk.disk.remove(`${FOLDER}/${B}`);
      const plan = await desk.sync.plan();
      desk.platform.beforeUpload = () => desk.platform.files.delete(C);
      await desk.sync.push(plan, 'all', { confirmed: ['manyDeletesRemote'] });
      return verdict(desk.platform.files.get(A) === 'a', 'a deploy went on without a file that nobody deleted here');
    },
  ),
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
