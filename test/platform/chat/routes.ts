import { Hono, type Context } from 'hono';
import { createAgent } from '../agent/agent.ts';
import { dataServiceOf } from '../data/service.ts';
import type { Mount, PlatformDeps } from '../deps.ts';
import { authenticate, findAddressed, type Addressed, type Caller, type ChatRefusal } from './identity.ts';
import { err, ok, type Result } from '#base/result.ts';
import { readAbortBody, readStreamBody, type StreamBody } from './request.ts';
import { openChatStore, type ChatUser, type Thread } from './store.ts';
import { followTurn, readThread } from './streams.ts';
import { Turn } from './turn.ts';

/**
 * The chat API (docs/chat.md#requests), mounted at `/api/v1/public`: the stream and the abort endpoint in both URL forms, with both
 * kinds of authentication.
 */
export function chatRoutes(deps: PlatformDeps): Mount {
  const store = openChatStore(deps.database, deps.clock);
  const data = dataServiceOf(deps);
  const agent = createAgent({ ...deps, data });
  const running = new Map<string, { readonly turn: Turn; readonly finished: Promise<void> }>();
  // An agent may still read the model when its turn has been stopped.
  const agents = new Set<Promise<unknown>>();

  const identify = async (c: Context, sessionSettings: unknown): Promise<Result<Session, ChatRefusal>> => {
    const addressed = findAddressed(deps, {
      accountName: c.req.param('accountName') ?? '',
      agentId: c.req.param('agentId'),
      deploymentId: c.req.param('deploymentId'),
    });
    if (!addressed.ok) return addressed;
    const caller = await authenticate(deps, addressed.value, {
      authorization: c.req.header('authorization'),
      serviceToken: c.req.header('x-service-auth-token'),
      sessionSettings,
    });
    if (!caller.ok) return caller;
    const user = store.user(caller.value.wish);
    if (!user.ok) return err({ kind: 'status', status: 403, error: user.error });
    return ok({ addressed: addressed.value, caller: caller.value, user: user.value });
  };

  const startTurn = (session: Session, thread: Thread, body: StreamBody & { readonly input: string }): Turn => {
    const history = store.messages(thread.id);
    const messageId = body.messageId ?? `${String(deps.clock.now())}-message`;
    const turn = new Turn({ chatId: thread.id, messageId, history, save: (message) => store.save(thread.id, message) });
    const { deployment } = session.addressed;
    const branchName = body.activeBranchName ?? deps.deployBranch(deployment.id);
    // The answer starts after this request has its stream, so that the asker misses nothing.
    const finished = Promise.resolve().then(() =>
      turn.run(body.input, (writer) => {
        const answered = agent.answer({
          question: body.input,
          history,
          target: { deploymentId: deployment.id, branchName, securityContext: session.caller.securityContext },
          writer,
        });
        agents.add(answered);
        return answered.finally(() => agents.delete(answered));
      }),
    );
    running.set(thread.id, { turn, finished });
    const log = (what: string): void =>
      deps.log({
        deploymentId: deployment.id,
        source: branchName === deps.deployBranch(deployment.id) ? 'production' : 'dev',
        container: 'service-server',
        branchName,
        message: `Agent ${thread.agentId} ${what} thread ${thread.id}`,
      });
    log('answers in');
    void finished.finally(() => {
      running.delete(thread.id);
      log('is done in');
    });
    return turn;
  };

  const stream = async (c: Context): Promise<Response> => {
    const raw = await readJson(c);
    const session = await identify(c, settingsOf(raw));
    if (!session.ok) return refuse(c, session.error);
    const body = readStreamBody(raw);
    if (!body.ok) return refuse(c, { kind: 'status', status: 400, error: body.error });
    const found = openThread(session.value, body.value.chatId);
    if (!found.ok) return refuse(c, found.error);
    const thread = found.value;
    const active = running.get(thread.id)?.turn;
    const { input, messageId } = body.value;
    if (active) {
      if (messageId === active.messageId) return ndjson(followTurn(active, active.messages));
      if (input === undefined) return ndjson(readThread(thread.id, active.messages, true));
      return refuse(c, { kind: 'status', status: 409, error: 'Streaming for thread is in progress' });
    }
    const history = store.messages(thread.id);
    // The same message again, after its answer is complete: told, not asked again.
    const answered = messageId !== undefined && history.some((message) => message.id === messageId);
    if (input === undefined || answered) return ndjson(readThread(thread.id, history, false));
    return ndjson(followTurn(startTurn(session.value, thread, { ...body.value, input }), history));
  };

  const openThread = (session: Session, chatId: string | undefined): Result<Thread, ChatRefusal> => {
    const { agent, deployment, tenant } = session.addressed;
    if (chatId === undefined) {
      const thread = store.createThread(session.user.id, agent.id);
      deps.audit({
        tenantId: tenant.id,
        eventName: 'chat.started',
        userEmail: session.caller.email,
        deploymentId: deployment.id,
        data: { chatId: thread.id, agentId: agent.id },
      });
      return ok(thread);
    }
    const thread = store.thread(chatId);
    const mine = thread?.userId === session.user.id && thread.agentId === agent.id;
    return thread && mine
      ? ok(thread)
      : err({ kind: 'status', status: 404, error: `There is no chat thread ${chatId}.` });
  };

  const abort = async (c: Context): Promise<Response> => {
    const raw = await readJson(c);
    const session = await identify(c, settingsOf(raw));
    if (!session.ok) return refuse(c, session.error);
    const body = readAbortBody(raw);
    if (!body.ok) return refuse(c, { kind: 'status', status: 400, error: body.error });
    const thread = store.thread(body.value.chatId);
    if (!thread)
      return refuse(c, { kind: 'status', status: 404, error: `There is no chat thread ${body.value.chatId}.` });
    if (thread.userId !== session.value.user.id) {
      return refuse(c, { kind: 'status', status: 403, error: 'The chat thread belongs to someone else.' });
    }
    running.get(thread.id)?.turn.abort();
    return c.body(null, 204);
  };

  const app = new Hono();
  for (const form of ['/:accountName/agents/:agentId', '/:accountName/deployments/:deploymentId']) {
    app.post(`${form}/chat/stream-chat-state`, stream);
    app.post(`${form}/chat/abort`, abort);
  }
  app.all('*', (c) => c.json({ error: `There is no ${c.req.method} ${c.req.path}.` }, 404));
  app.onError((error, c) => c.json({ error: error.message }, 500));
  return {
    app,
    close: async () => {
      const turns = [...running.values()];
      for (const { turn } of turns) turn.abort();
      await Promise.all(turns.map(({ finished }) => finished));
      await Promise.allSettled(agents);
      await data.close();
    },
  };
}

interface Session {
  readonly addressed: Addressed;
  readonly caller: Caller;
  readonly user: ChatUser;
}

async function readJson(c: Context): Promise<unknown> {
  try {
    return await c.req.json();
  } catch {
    return undefined;
  }
}

function settingsOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'sessionSettings' in raw ? raw.sessionSettings : undefined;
}

function ndjson(body: ReadableStream<Uint8Array>): Response {
  const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
  return new Response(body, { headers });
}

function refuse(c: Context, refusal: ChatRefusal): Response {
  if (refusal.kind === 'rpc') {
    return c.json({ jsonrpc: '2.0', id: null, error: { code: -32_001, message: refusal.error } });
  }
  return c.json({ error: refusal.error }, refusal.status);
}
