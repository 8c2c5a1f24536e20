import { describe, expect, it } from 'vitest';
import { build } from 'esbuild';
import { bundleOptions } from '../../../esbuild.mjs';
import { notices } from '../../tools/notices.mjs';

describe('the notices of bundled packages', () => {
  it('name each package once, with its version and licence', () => {
    const text = notices(
      ['node_modules/yaml/dist/index.js', 'node_modules/yaml/dist/doc.js', 'src/language-server/main.ts'],
      '.',
    );
    expect(text.match(/^yaml \d+\.\d+/gm)).toHaveLength(1);
    expect(text).toMatch(/Permission to use, copy, modify/);
  });

  it('have a licence for everything in the engine', async () => {
    const { metafile } = await build({ ...bundleOptions('engine'), write: false });
    const text = notices(Object.keys(metafile.inputs), '.');
    expect(text).toContain('@cubejs-backend/schema-compiler 1.7');
    expect(text).not.toContain('not stated');
  });

  it('have the whole text also for a package that has it in its README only, or none at all', () => {
    const readme = notices(['node_modules/generic-pool/index.js'], '.');
    expect(readme).toMatch(/Copyright \(c\) 2010.* James Cooper[\s\S]*The above copyright notice and this permission/);
    const none = notices(['node_modules/antlr4/dist/antlr4.node.cjs'], '.');
    expect(none).toMatch(/Copyright the authors of antlr4\nLicence: BSD-3-Clause\n\nRedistribution and use in source/);
  });
});
