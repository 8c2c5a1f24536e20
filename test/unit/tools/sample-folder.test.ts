import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareSample } from '../../tools/sample-folder.ts';

const tree = [
  {
    path: '/model',
    type: 'directory',
    children: [
      {
        path: '/model/cubes',
        type: 'directory',
        children: [{ path: '/model/cubes/orders.yml', type: 'file', content: 'cubes:\n  - name: Grüße\n' }],
      },
    ],
  },
  { path: '/cube.js', type: 'file', content: 'module.exports = {};\n' },
];

let folder: string;
let server: Server;
let answer: unknown;
let asked: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'modelbench-sample-'));
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.statusCode = answer === undefined ? 403 : 200;
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

const source = (): { url: string; apiKey: string; deployment: string } => ({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  apiKey: 'key',
  deployment: '1',
});
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

describe('the sample folder', () => {
  it.each([
    ['a list of trees', tree],
    ['one tree', { path: '/', type: 'directory', children: tree }],
    ['a flat list', { files: [{ path: 'model/cubes/orders.yml', content: 'cubes:\n  - name: Grüße\n' }] }],
  ])('contains %s, with its link', async (_, files) => {
    answer = files;
    await prepareSample(folder, source());
    expect(read('model/cubes/orders.yml')).toBe('cubes:\n  - name: Grüße\n');
    expect(JSON.parse(read('modelbench.json'))).toEqual({
      tenant: source().url,
      deployment: '1',
      modelPath: 'model',
    });
    expect(asked).toEqual(['GET /build/api/v1/deployments/1/data-model/files?withContent=true Bearer key']);
  });

  it('keeps what a user did in it, and follows the platform to another address', async () => {
    answer = tree;
    await prepareSample(folder, source());
    writeFileSync(join(folder, 'model/cubes/orders.yml'), 'mine');
    await prepareSample(folder, { ...source(), url: 'http://127.0.0.1:9999' });
    expect(read('model/cubes/orders.yml')).toBe('mine');
    expect(JSON.parse(read('modelbench.json'))).toMatchObject({ tenant: 'http://127.0.0.1:9999', deployment: '1' });
    expect(asked).toHaveLength(1);
  });

  it('says when the platform refuses', async () => {
    answer = undefined;
    await expect(prepareSample(folder, source())).rejects.toThrow('answered 403');
  });
});
