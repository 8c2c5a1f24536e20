import { describe, expect, it } from 'vitest';
import { classifyCode, writeCode } from '#features/chat/code-change.ts';
import { classifier, MemoryProposalFiles } from '#support/chat/memory-proposals.ts';
import { yaml } from '#support/language/raw.ts';

const path = 'model/orders.yml';
const before = yaml`
  cubes:
    - name: orders
      sql_table: orders
`;
const better = yaml`
  cubes:
    - name: orders
      sql_table: shop.orders
      title: Orders
`;

/** A folder with one model; the user agrees to everything but what is denied. */
function scene({ mayAccept = true, isAccepted = true } = {}) {
  const files = new MemoryProposalFiles();
  files.texts.set(path, before);
  const ports = {
    files,
    classifier,
    mayAccept: async () => Promise.resolve(mayAccept ? () => undefined : undefined),
    mayBeWritten: async () => Promise.resolve(isAccepted),
  };
  const classified = async (content: string) => classifyCode(ports, path, { content, language: 'yaml' });
  const changeOf = async (content: string) => {
    const found = await classified(content);
    if (found.kind !== 'change') throw new Error(`It is a ${found.kind}.`);
    return found.change;
  };
  return { files, ports, classified, changeOf };
}

describe('code of an answer that names no file', () => {
  it('is a change of the chosen file, with the line breaks of models', async () => {
    const { files, ports, changeOf } = scene();
    const change = await changeOf(`${better.replaceAll('\n', '\r\n')}\r\n\r\n`);
    expect(await writeCode(ports, change)).toBe(true);
    expect(files.texts.get(path)).toBe(better);
  });

  it('writes only the hunks that are given', async () => {
    const { files, ports, changeOf } = scene();
    const change = await changeOf(better);
    expect(await writeCode(ports, change, [])).toBe(false);
    expect(files.writes).toEqual([]);
    expect(await writeCode(ports, change, change.hunks)).toBe(true);
    expect(files.texts.get(path)).toBe(better);
  });

  it('is offered as a draft where it changes nothing', async () => {
    const { classified } = scene();
    expect(await classified(before)).toMatchObject({ kind: 'draft', reason: 'It changes nothing in the file.' });
  });

  it('is refused where the disk does not take the file', async () => {
    const { files, classified } = scene();
    files.refusals.set(path, 'It is a link.');
    expect(await classified(better)).toEqual({ kind: 'refused', reason: 'It is a link.' });
  });

  it.each([{ mayAccept: false }, { isAccepted: false }])('is not written with %o', async (denied) => {
    const { files, ports, changeOf } = scene(denied);
    expect(await writeCode(ports, await changeOf(better))).toBe(false);
    expect(files.writes).toEqual([]);
  });

  it('is not written over what the user changed since', async () => {
    const { files, ports, changeOf } = scene();
    const change = await changeOf(better);
    files.texts.set(path, `# Mine\n${before}`);
    await expect(writeCode(ports, change)).rejects.toThrow('changed in the meantime');
  });
});
