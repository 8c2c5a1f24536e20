import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readModelPath } from '#features/platform/model-path.ts';

const meant = [
  ['', ''],
  ['.', ''],
  ['./', ''],
  ['model', 'model'],
  ['./model', 'model'],
  ['model/', 'model'],
  ['a//b/./c', 'a/b/c'],
  ['.\\semantic\\model', 'semantic/model'],
] as const;
const refused = [
  ['..', 'which may lead out of the linked folder. Leave out the step "..".'],
  ['model/../schema', 'which may lead out of the linked folder. Leave out the step "..".'],
  ['..\\model', 'which may lead out of the linked folder. Leave out the step "..".'],
  ['/model', 'an absolute path. Give a folder inside the linked one, such as "model".'],
  ['C:\\model', 'an absolute path. Give a folder inside the linked one, such as "model".'],
  ['\\\\server\\model', 'an absolute path. Give a folder inside the linked one, such as "model".'],
  ['.git', 'a name that is hidden, or configures a tool.'],
  ['node_modules/model', 'a name that is hidden, or configures a tool.'],
  ['model?', 'a name that has characters or steps that not every system can store.'],
] as const;

describe('modelPath', () => {
  it.each(meant)('reads %j as the folder %j', (given, folder) => {
    expect(readModelPath(given)).toEqual({ ok: true, value: folder });
  });

  it.each(refused)('refuses %j and names it with the reason', (given, reason) => {
    expect(readModelPath(given)).toEqual({ ok: false, error: `"modelPath" is ${JSON.stringify(given)}, ${reason}` });
  });

  it('reads what it returned as the same folder again', () => {
    const steps = fc.array(fc.constantFrom('.', 'model', 'a b', 'cubes'), { maxLength: 5 });
    const again = (given: string): string => {
      const read = readModelPath(given);
      return read.ok ? read.value : `refused: ${read.error}`;
    };
    fc.assert(
      fc.property(steps, (given) => {
        expect(again(again(given.join('/')))).toBe(again(given.join('/')));
      }),
    );
    expect(again('./model')).toBe('model');
  });

  it('is refused by the schema of the editor where it is absolute or leads out', () => {
    const schema = JSON.parse(readFileSync('media/schema/modelbench.schema.json', 'utf8')) as {
      readonly properties: { readonly modelPath: { readonly pattern: string } };
    };
    const pattern = new RegExp(schema.properties.modelPath.pattern, 'u');
    expect(meant.filter(([given]) => !pattern.test(given))).toEqual([]);
    const steps = refused.filter(([, reason]) => !reason.startsWith('a name'));
    expect(steps.filter(([given]) => pattern.test(given))).toEqual([]);
  });
});
