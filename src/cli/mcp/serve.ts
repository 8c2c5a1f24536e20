import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { oneLine } from '#tools/one-line.ts';
import { createMcpServer, type Offered } from './server.ts';

/**
 * Serves the Model Context Protocol on the standard input and output; resolves when the client closes the input or the signal
 * aborts.
 */
export async function serveMcp(offered: Offered, signal: AbortSignal): Promise<void> {
  const handle = serveStdio(() => createMcpServer(offered), {
    onerror: ({ message }) => process.stderr.write(`modelbench: ${JSON.stringify(oneLine(message, 200))}\n`),
  });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
}
