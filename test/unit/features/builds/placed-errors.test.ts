import { describe, expect, it } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { type BuiltFolder, placedErrors } from '#features/builds/placed-errors.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { yaml } from '#support/language/raw.ts';

const path = 'model/cubes/orders.yml';
const saved = yaml`
  cubes:
    - name: orders
      dimensions:
        - name: channel
          type: strng
`;
const errorText = 'orders cube: "dimensions.channel.type" does not match any of the allowed types';
const at = { path, start: { line: 5, character: 14 }, end: { line: 5, character: 19 } };

/** A folder whose model was edited after it was saved. */
function folder(serve: BuiltFolder['serve']): BuiltFolder {
  const texts = { here: new Map([[path, `# Edited\n${saved}`]]), saved: new Map([[path, saved]]) };
  return { serve, texts: async () => Promise.resolve(texts) };
}

describe('placedErrors', () => {
  it('groups errors by file, each with the text that was built', async () => {
    const ports = { clock: new ManualClock(), logger: silentLogger };
    const found = await placedErrors(
      ports,
      folder(async () => Promise.resolve([at])),
      errorText,
    );
    expect(found).toEqual([{ path, built: saved, problems: [{ message: errorText, location: at }] }]);
  });

  it('reports one error for one mistake: a cube that was refused is missing for those that join to it', async () => {
    const ports = { clock: new ManualClock(), logger: silentLogger };
    const served: (readonly string[])[] = [];
    const asked = folder(async (messages) => {
      served.push(messages);
      return Promise.resolve([at]);
    });
    const found = await placedErrors(ports, asked, `line_items cube: Cube orders doesn't exist\n${errorText}`);
    expect(served).toEqual([[errorText]]);
    expect(found).toEqual([{ path, built: saved, problems: [{ message: errorText, location: at }] }]);
  });

  it('reports one error where its message names no cube: the folder has the cube that is missing', async () => {
    const ports = { clock: new ManualClock(), logger: silentLogger };
    const asked = folder(async (messages) => Promise.resolve(messages.map(() => at)));
    const found = await placedErrors(ports, asked, 'truex is not defined\norders is not defined');
    expect(found).toEqual([{ path, built: saved, problems: [{ message: 'truex is not defined', location: at }] }]);
  });

  it('searches the texts where the language server fails', async () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => warnings.push(message) };
    const broken = folder(async () => Promise.reject(new Error('It has stopped.')));
    const [first] = await placedErrors({ clock: new ManualClock(), logger }, broken, errorText);
    expect([first?.path, first?.problems[0]?.location?.start.line]).toEqual([path, 4]);
    expect(warnings).toEqual(['The language server did not place build errors']);
  });

  it('does not wait for a language server that is busy', async () => {
    const clock = new ManualClock();
    const busy = folder(async () => new Promise(() => undefined));
    const asked = placedErrors({ clock, logger: silentLogger }, busy, errorText);
    await clock.advance(3000);
    expect((await asked)[0]?.problems[0]?.location?.start.line).toBe(4);
  });

  it('shows an error without a reason at the file that links the folder', async () => {
    const ports = { clock: new ManualClock(), logger: silentLogger };
    const found = await placedErrors(
      ports,
      folder(async () => Promise.resolve([])),
      undefined,
    );
    expect(found).toEqual([
      {
        path: 'modelbench.json',
        built: undefined,
        problems: [{ message: 'The platform gave no reason.', location: undefined }],
      },
    ]);
  });
});
