import { describe, expect, it } from 'vitest';
import { isListed } from '#features/folders/listed-models.ts';
import { isIgnoredFolder, isUnreadFolder, UNREAD_FOLDERS } from '#model/project/model-folders.ts';

describe('a folder of a project', () => {
  it.each(UNREAD_FOLDERS)('of the name %s is neither searched for models nor read inside of one', (name) => {
    expect([isIgnoredFolder(name), isUnreadFolder(name), isListed(`/work/${name}/model/a.yml`)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each(['.drafts', '.github'])('that is hidden, like %s, is read inside of a model but not searched', (name) => {
    expect([isIgnoredFolder(name), isUnreadFolder(name)]).toEqual([true, false]);
  });

  it.each(['cubes', 'targets', 'distribution'])('of another name, like %s, is searched and read', (name) => {
    expect([isIgnoredFolder(name), isUnreadFolder(name), isListed(`/work/${name}/model/a.yml`)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
