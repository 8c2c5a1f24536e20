import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { ChatTransport, TargetState } from '#chat-core/ports.ts';
import { ChatService } from '#chat-core/service.ts';
import { delta } from './answer-lines.ts';
import { MemoryFiles } from './memory-files.ts';
import { type Line, ScriptedServer } from './scripted-server.ts';
import { ManualClock } from '../manual-clock.ts';

export const script: readonly Line[] = ['One ', 'two ', 'three'].map((content) => delta(content));
export const dev = { name: 'dev-ann', isDefault: false };
export const main = { name: 'main', isDefault: true };

/** Returns a chat service with its own clock, files and target. */
export function setUp(transport: ChatTransport = new ScriptedServer({ script }), files = new MemoryFiles()) {
  const clock = new ManualClock();
  const ready = (more = {}): TargetState => ({
    kind: 'ready',
    target: { scope: 'shop', label: 'Shop', branch: dev, transport, ...more },
  });
  const target = new Store<TargetState>(ready());
  let keys = 0;
  const service = new ChatService({
    target,
    files,
    clock,
    random: () => 0.5,
    newKey: () => `k${++keys}`,
    logger: silentLogger,
  });
  return { clock, files, service, target, ready };
}

/**
 * Returns a transport that serves each turn with a separate server, as one platform would; `gate` releases the next line of an
 * answer.
 */
export function platform(gate?: () => Promise<void>): ChatTransport & {
  readonly servers: ScriptedServer[];
  /** Returns the questions of the turns, one per `messageId`. */
  readonly asked: () => readonly (string | undefined)[];
} {
  const servers: ScriptedServer[] = [];
  return {
    servers,
    asked: () => servers.map(({ requests }) => requests[0]?.input),
    send: (request, signal) => {
      const server = servers.find(({ requests }) => requests[0]?.messageId === request.messageId);
      const own = script.map((line) => ({ ...line, id: `f${servers.length}` }));
      const serving = server ?? new ScriptedServer({ script: own });
      serving.gate = gate;
      if (!server) servers.push(serving);
      return serving.send(request, signal);
    },
    read: (chatId, signal) => (servers.at(-1) as ScriptedServer).read(chatId, signal),
    abort: (chatId) => (servers.at(-1) as ScriptedServer).abort(chatId),
  };
}
