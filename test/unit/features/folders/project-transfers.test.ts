import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInside, joinPath } from '#base/path.ts';
import { branchProject } from '#features/folders/branch-project.ts';
import { linkChoices } from '#features/folders/link-choices.ts';
import { planSelection } from '#features/folders/plan-selection.ts';
import { deployPlan } from '#features/history/deploy.ts';
import { linkText } from '#features/platform/link.ts';
import { readModelPath } from '#features/platform/model-path.ts';
import { commandLineFiles } from '#support/deploy/command-line-files.ts';
import { makeShape, shapes } from '#support/project-shapes.ts';
import { openProject } from '#support/sync/open-project.ts';
import { TinyPlatform } from '#support/sync/tiny-platform.ts';

/** The files below a folder, without those of tools. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

const modelFolder = (modelPath: string): string => {
  const read = readModelPath(modelPath);
  if (!read.ok) throw new Error(read.error);
  return read.value;
};

describe.each(Object.entries(shapes))('a project with %s', (_, { files, links, ...expected }) => {
  const paths = Object.keys(files);

  it('is cloned with the model that its branch has', async () => {
    const read = (path: string): Promise<string | undefined> => Promise.resolve(files[path]);
    const choices = linkChoices(await branchProject(paths, read)).map(({ modelPath }) => modelPath);
    expect(choices).toEqual(expected.clone ?? expected.link);
    for (const choice of choices) {
      const folder = makeShape({ files: {} });
      const modelPath = modelFolder(choice);
      const platform = new TinyPlatform(files, { honours: true });
      const sync = await openProject({ folder, modelPath, platform });
      expect(await sync.pull(await sync.plan(), 'all')).toMatchObject({ status: 'done', failed: [] });
      // Everything of the model comes, except for what is never written to a disk.
      const wanted = paths.filter((path) => isInside(path, modelPath) && !path.split('/').some(isLeftOut));
      expect(filesIn(folder)).toEqual(wanted.toSorted());
    }
  });

  it('is pushed as it is linked', async () => {
    const folder = makeShape({ files, ...(links ? { links } : {}) });
    const project = expected.projects?.[0] ?? '';
    const platform = new TinyPlatform({}, { honours: true });
    const modelPath = modelFolder(expected.link[0] ?? '');
    const sync = await openProject({ folder: join(folder, project), modelPath, platform });
    const plan = await sync.plan();
    const pushed = [...planSelection(plan, 'push')].map((path) => (project === '' ? path : `${project}/${path}`));
    const below = paths.filter((path) => isInside(path, joinPath(project, modelPath)));
    expect(pushed.toSorted()).toEqual((expected.push ?? below).toSorted());
  });

  it('is deployed as the platform’s command line deploys it', async () => {
    const folder = makeShape({ files, ...(links ? { links } : {}) });
    writeFileSync(
      join(folder, 'modelbench.json'),
      linkText({ tenantUrl: 'https://x', deploymentId: '1', modelPath: '.' }),
    );
    const platform = new TinyPlatform({}, { honours: true });
    const sync = await openProject({ folder, modelPath: '', platform, to: 'deploy' });
    const { plan, ticked, notes } = deployPlan(await sync.plan());
    const listed = commandLineFiles(folder);
    expect([...ticked, ...notes.keys()].toSorted()).toEqual(Object.keys(listed).toSorted());
    const confirmed = plan.guards.map(({ kind }) => kind);
    expect(await sync.push(plan, ticked, { confirmed, message: 'x' })).toMatchObject({ status: 'done', failed: [] });
    expect([...platform.files.keys()].toSorted()).toEqual([...ticked].toSorted());
    expect(Object.keys(listed).filter((path) => expected.kept?.includes(path))).toEqual([]);
    expect(existsSync(join(folder, 'modelbench.json'))).toBe(true);
  });
});

/** Whether files of this name are left out of every transfer. */
function isLeftOut(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}
