import { readFileSync } from 'node:fs';
import { dirname, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { isInside, joinPath, pathInside } from '#base/path.ts';
import {
  linkChoices,
  modelsOf,
  projectFolders,
  type ProjectListing,
  topNames,
  usualFolder,
} from '#features/folders/link-choices.ts';
import { isListed, listedModels } from '#features/folders/listed-models.ts';
import { PROJECT_FILES, projectFolders as foldersNamedIn } from '#model/project/projects.ts';
import { places } from '#support/cli-places.ts';
import { makeShape, shapes } from '#support/project-shapes.ts';

const { activationEvents } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly activationEvents: readonly string[];
};

/** Whether VS Code would start the extension; it leaves out what its own search excludes. */
function starts(paths: readonly string[]): boolean {
  const globs = activationEvents.flatMap((event) => event.split('workspaceContains:')[1] ?? []);
  const folders = paths.map((path) => dirname(path));
  return [...paths, ...folders]
    .filter((path) => !path.startsWith('node_modules/'))
    .some((path) => globs.some((glob) => matchesGlob(path, glob)));
}

describe.each(Object.entries(shapes))('a folder with %s', (_, { files, links, ...expected }) => {
  const paths = Object.keys(files);

  it('starts the extension, has its models found and is linked as expected', async () => {
    const listed = paths.filter((path) => isListed(`/${path}`));
    const read = (path: string): Promise<string | undefined> => Promise.resolve(files[path]);
    const list = (folder: string): Promise<readonly string[]> =>
      Promise.resolve(paths.filter((path) => path.startsWith(`${folder}/`)));
    const { models } = await listedModels({ paths: listed, read, list });
    const all = [...paths, ...Object.keys(links ?? {})];
    const own = (folder: string): ProjectListing => ({
      names: topNames(all.filter((path) => isInside(path, folder)).map((path) => pathInside(path, folder) ?? path)),
      named: foldersNamedIn(new Map(PROJECT_FILES.map((name) => [name, files[joinPath(folder, name)] ?? '']))).find(
        (path) => path !== '',
      ),
      models: modelsOf(folder, models),
    });
    const projects = usualFolder(own('')) === undefined ? projectFolders(models) : [''];
    expect({
      starts: starts(paths),
      models: models.map(({ model }) => model),
      projects,
      link: linkChoices(own(projects[0] ?? '')).map(({ modelPath }) => modelPath),
    }).toEqual({
      starts: expected.starts,
      models: expected.models,
      projects: expected.projects ?? [''],
      link: expected.link,
    });
  });

  it('has problems reported in models only', async () => {
    const folder = makeShape({ files, ...(links ? { links } : {}) });
    let output = '';
    const write = (text: string): void => void (output += text);
    await runCommandLine(['check'], {
      folder,
      stdout: write,
      stderr: write,
      isInteractive: false,
      ...places(folder),
      signal: new AbortController().signal,
      variables: {},
    });
    expect(output).toMatch(expected.check instanceof RegExp ? expected.check : new RegExp(`^${expected.check}$`));
  });
});
