import { createServer } from 'node:net';
import { startNode, type Child } from './children.ts';

/** A local platform in a process of its own. */
export interface RunningPlatform {
  readonly url: string;
  readonly chatUrl: string;
  /** The Chat API URL of the sample deployment's agent, as the platform's settings would show it. */
  readonly chatApiUrl: string;
  readonly apiKey: string;
  /** What the page of the browser sign-in asks for. */
  readonly password: string;
  readonly child: Child;
}

/** Starts `test/platform/main.ts`; its first line says where it is. */
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

/** The wanted port when nobody listens there, else 0 (any). */
export async function freePort(wanted: number): Promise<number> {
  const server = createServer();
  return new Promise((done) => {
    server.once('error', () => done(0));
    server.listen(wanted, '127.0.0.1', () => server.close(() => done(wanted)));
  });
}
