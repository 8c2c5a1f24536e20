import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startNode } from '../../tools/children.ts';
import { freePort } from '../../tools/local-platform.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelbench-children-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

const program = (text: string): string => {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, text);
  return file;
};

describe('a child', () => {
  it('counts as started by a line of its output, and ends together with what it started', async () => {
    const child = startNode([
      program(`
        import { spawn } from 'node:child_process';
        const server = "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })";
        spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'inherit', 'ignore'] });
        process.on('SIGTERM', () => process.exit(0));
      `),
    ]);
    const [, port] = await child.line(/^(\d+)$/m);
    expect(await freePort(Number(port))).toBe(0);
    await child.stop();
    await expect.poll(async () => freePort(Number(port))).toBe(Number(port));
  });

  it('gives an error with its output when it ends too early', async () => {
    const child = startNode([program(`console.error('no such port'); process.exit(4);`)]);
    await expect(child.line(/listening/)).rejects.toThrow(/ended with 4:\nno such port/);
    expect(await child.ended).toBe(4);
    await child.stop();
  });
});

describe('a port', () => {
  it('has the wanted number when that is free, else any', async () => {
    const server = createServer();
    const port = await new Promise<number>((done) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        done(typeof address === 'object' && address ? address.port : 0);
      });
    });
    expect(await freePort(port)).toBe(0);
    await new Promise((done) => server.close(done));
    expect(await freePort(port)).toBe(port);
  });
});
