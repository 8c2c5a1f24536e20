import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { PullOrder, PullReport } from './pull-child.ts';

export interface MeasuredPull extends PullReport {
  /** Times that the branch was sent, and the bytes of it that left the server. */
  readonly reads: number;
  readonly sentMb: number;
}

/** Pulls a branch of so many files of `bytes` each into an empty folder, in a process of its own. */
export async function measurePull(
  child: string,
  worker: string,
  count: number,
  bytes: number,
  variables: Readonly<Record<string, string>> = {},
): Promise<MeasuredPull> {
  const branch = await startBranchServer(count, bytes);
  const home = mkdtempSync(path.join(tmpdir(), 'sync-bench-pull-'));
  try {
    const order: PullOrder = { url: branch.url, home, worker };
    const { stdout } = await promisify(execFile)(process.execPath, [child, JSON.stringify(order)], {
      env: { ...process.env, ...variables },
    });
    return { ...(JSON.parse(stdout) as PullReport), reads: branch.reads(), sentMb: branch.sent() / 1e6 };
  } finally {
    branch.close();
    rmSync(home, { recursive: true, force: true });
  }
}

interface BranchServer {
  readonly url: string;
  readonly reads: () => number;
  readonly sent: () => number;
  close(): void;
}

/** A platform that lists and sends one branch, made as it is sent. */
async function startBranchServer(count: number, bytes: number): Promise<BranchServer> {
  const filler = 'abcdefghij klmnopqrs\n'.repeat(Math.ceil(bytes / 21)).slice(0, Math.max(0, bytes - 12));
  const fileAt = (at: number): string => `model/folder_${Math.floor(at / 400)}/cube_${at}.yml`;
  const contentAt = (at: number): string => `# ${String(at).padStart(9, '0')}\n${filler}`;
  let reads = 0;
  let sent = 0;
  const hashes = JSON.stringify({
    files: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        fileAt(at),
        { hash: createHash('sha1').update(contentAt(at)).digest('hex') },
      ]),
    ),
  });
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.includes('file-hashes') === true) {
      response.end(hashes);
      return;
    }
    reads += 1;
    let at = 0;
    const next = (): void => {
      while (at < count) {
        const node = JSON.stringify({ path: `/${fileAt(at)}`, type: 'file', content: contentAt(at) });
        const chunk = `${at === 0 ? '{"path":"/","type":"directory","children":[' : ','}${node}`;
        at += 1;
        sent += chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', next);
          return;
        }
      }
      response.end(']}');
    };
    next();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reads: () => reads,
    sent: () => sent,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
