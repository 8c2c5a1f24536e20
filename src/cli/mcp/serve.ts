import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { oneLine } from '#tools/one-line.ts';
import { ToolError } from '#tools/tool.ts';
import { MessageTooLarge, singleMessages } from './messages.ts';
import { createMcpServer, type Offered } from './server.ts';

/**
 * Serves the Model Context Protocol on the standard input and output; resolves when the client closes the input or the signal
 * aborts. Throws `ToolError` if the client sends a message that is too large.
 */
export async function serveMcp(offered: Offered, signal: AbortSignal): Promise<void> {
  const input = singleMessages();
  let failure: unknown;
  const handle = serveStdio(() => createMcpServer(offered), {
    transport: new StdioServerTransport(process.stdin.pipe(input), process.stdout),
    onerror: (error) => {
      failure ??= error instanceof MessageTooLarge ? error : undefined;
      process.stderr.write(`modelbench: ${JSON.stringify(oneLine(error.message, 200))}\n`);
    },
  });
  await new Promise<void>((resolve) => {
    // After the last message was read.
    input.once('end', resolve);
    input.once('close', resolve);
    process.stdin.once('close', () => input.end());
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
  process.stdin.unpipe(input).destroy();
  if (failure instanceof Error) throw new ToolError('platform', failure.message);
}
