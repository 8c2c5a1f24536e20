import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkName, foldName } from '#base/file-names.ts';
import { cloneFolderName } from '#features/folders/clone-folder.ts';

describe('the folder of a clone', () => {
  it.each([
    ['Shop analytics', 'shop-analytics'],
    ['  Größe & Co. / 2026 ', 'größe-co-2026'],
    ['../../etc', 'etc'],
    ['***', 'model'],
    ['बिक्री विश्लेषण', 'बिक्री-विश्लेषण'],
    ['Cafe\u{301} Ventas', 'caf\u{e9}-ventas'],
    ['Say "hi"\n🙂 now', 'say-hi-now'],
    ['CON', 'model-con'],
    ['\u{301}a\u{200d}b\u{fe0f}', 'ab'],
    ['node_modules', 'node-modules'],
    ['lpt1', 'model-lpt1'],
  ])('takes the name of the deployment: %s', (name, folder) => {
    expect(cloneFolderName(name, [])).toBe(folder);
  });

  it('takes the next number while there is one of that name', () => {
    expect(cloneFolderName('Shop', ['shop', 'shop-2'])).toBe('shop-3');
  });

  it('knows a folder in another letter case or normal form, as disks do that take both for one', () => {
    expect(cloneFolderName('Shop', ['SHOP', 'Shop-2'])).toBe('shop-3');
    expect(cloneFolderName('Caf\u{e9}', ['Cafe\u{301}'])).toBe('caf\u{e9}-2');
  });

  it('cuts a long name between characters, and within what disks allow', () => {
    expect(cloneFolderName('𠀀'.repeat(300), [])).toBe('𠀀'.repeat(60));
    expect(cloneFolderName(`${'a'.repeat(59)} b`, [])).toBe('a'.repeat(59));
    expect(cloneFolderName(`a${'\u{301}'.repeat(300)}`, ['model'])).toBe('model-2');
  });

  it('has a name that every disk can store and that is not there, whatever the deployment is called', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 90 });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), (deployment, others) => {
        const entries = [...others, cloneFolderName(deployment, others).toUpperCase()];
        const name = cloneFolderName(deployment, entries);
        expect(checkName(name)).toBeUndefined();
        expect(entries.map(foldName)).not.toContain(foldName(name));
      }),
    );
  });
});
