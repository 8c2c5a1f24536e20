import { describe, expect, it } from 'vitest';
import { modelRoots } from '#features/language/model-roots.ts';

const shop = { folder: 'file:///shop', model: 'file:///shop/model' };
const whole = { folder: 'file:///shop', model: 'file:///shop' };

describe('the folders that hold a model', () => {
  it('are linked ones, found ones and those of branches', () => {
    const found = [{ model: 'file:///shop/model', project: 'file:///shop' }, { model: 'file:///other/model' }];
    expect(modelRoots([shop], found, ['modelbench:/b/model'])).toEqual({
      roots: ['file:///shop/model', 'file:///other/model', 'modelbench:/b/model'],
      found: ['file:///other/model'],
      nested: ['file:///shop/model'],
    });
  });

  it('are known for linked folders before the search has ended', () => {
    expect(modelRoots([shop], undefined)).toEqual({
      roots: ['file:///shop/model'],
      found: [],
      nested: ['file:///shop/model'],
    });
  });

  it('keep another project inside of a linked folder apart', () => {
    const found = [
      { model: 'file:///shop/examples/model' },
      { model: 'file:///shop' },
      { model: 'file:///shop/model/more' },
    ];
    expect(modelRoots([shop], found).found).toEqual(['file:///shop/examples/model']);
  });

  it('are the model folder of a project that is linked whole', () => {
    const found = [
      { model: 'file:///shop/model', project: 'file:///shop' },
      { model: 'file:///shop/examples/model', project: 'file:///shop/examples' },
    ];
    expect(modelRoots([whole], found)).toEqual({
      roots: ['file:///shop/model', 'file:///shop/examples/model'],
      found: ['file:///shop/examples/model'],
      nested: ['file:///shop/model'],
    });
    expect(modelRoots([whole], undefined)).toEqual({ roots: [], found: [], nested: [] });
  });

  it('are where the configuration of such a project says', () => {
    const found = [{ model: 'file:///shop/semantic', project: 'file:///shop' }];
    expect(modelRoots([whole], found)).toEqual({
      roots: ['file:///shop/semantic'],
      found: [],
      nested: ['file:///shop/semantic'],
    });
  });

  it('are those of the projects in a repository that is linked whole, and not its other files', () => {
    const nested = ['file:///shop/packages/semantic/model', 'file:///shop/apps/two/layer'];
    const found = [{ model: nested[0] ?? '' }, { model: nested[1] ?? '', project: 'file:///shop/apps/two' }];
    expect(modelRoots([whole], [...found, { model: 'file:///shop/team' }]).roots).toEqual(
      expect.arrayContaining(nested),
    );
    // Its own model comes first: others may be examples.
    expect(modelRoots([whole], [...found, { model: 'file:///shop/model' }]).roots).toContain('file:///shop/model');
    expect(modelRoots([whole], found).roots).not.toContain('file:///shop');
    // The folder itself is the model, with an example inside.
    expect(modelRoots([whole], [...found, { model: 'file:///shop' }]).roots).toEqual(['file:///shop']);
  });

  it('are the linked folder itself where it has no model folder', () => {
    expect(modelRoots([whole], [])).toEqual({ roots: ['file:///shop'], found: [], nested: [] });
    expect(modelRoots([whole], [{ model: 'file:///shop' }])).toEqual({
      roots: ['file:///shop'],
      found: [],
      nested: [],
    });
    expect(modelRoots([whole], [{ model: 'file:///shop/a' }])).toEqual({
      roots: ['file:///shop'],
      found: [],
      nested: [],
    });
  });
});
