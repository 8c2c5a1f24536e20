import { createServer } from 'node:net';
import { startNode, type Child } from './children.ts';

/** A local platform in a separate process. */
export interface RunningPlatform {
  readonly url: string;
  readonly chatUrl: string;
  /** The Chat API URL of the sample deployment's agent, as the platform's settings would show it. */
  readonly chatApiUrl: string;
  readonly apiKey: string;
  /** The password for the page of the browser sign-in. */
  readonly password: string;
  readonly child: Child;
}

/** Starts `test/platform/main.ts`, whose first line contains its address. */
export async function startPlatform(options: {
  readonly dataDir: string;
  readonly port: number;
}): Promise<RunningPlatform> {
  const args = ['test/platform/main.ts', '--data', options.dataDir, '--port', String(options.port)];
  const child = startNode(args);
  const [line] = await child.line(/^\{.*"apiKey".*\}$/m);
  const { url, chatUrl, chatApiUrl, apiKey, password } = JSON.parse(line) as Omit<RunningPlatform, 'child'>;
  return { url, chatUrl, chatApiUrl, apiKey, password, child };
}

/** Returns the wanted port if it is free, otherwise 0 (any). */
export async function freePort(wanted: number): Promise<number> {
  const server = createServer();
  return new Promise((done) => {
    server.once('error', () => done(0));
    server.listen(wanted, '127.0.0.1', () => server.close(() => done(wanted)));
  });
}
