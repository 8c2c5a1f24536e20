import { LineSplitter } from '#base/lines.ts';

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

interface ModelRequest {
  /** Base address of an OpenAI-compatible service, for example `http://127.0.0.1:8080/v1`. */
  readonly url: string;
  readonly system: string;
  readonly user: string;
  readonly signal: AbortSignal;
}

/** Streams a real model's answer (server-sent events of `/chat/completions`). Rejects when it answers with an error. */
export async function* askModel(fetch: Fetch, request: ModelRequest): AsyncGenerator<string> {
  const response = await fetch(`${request.url.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'default',
      stream: true,
      messages: [
        { role: 'system', content: request.system },
        { role: 'user', content: request.user },
      ],
    }),
    signal: request.signal,
  });
  if (!response.ok || !response.body) throw new Error(`The model at AGENT_URL answered ${String(response.status)}.`);
  const splitter = new LineSplitter();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    for (const line of splitter.push(chunk)) {
      const text = deltaOf(line);
      if (text !== '') yield text;
    }
  }
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
}

function deltaOf(line: string): string {
  const [, data] = /^data:\s*(\{.*)$/.exec(line) ?? [];
  if (data === undefined) return '';
  return (JSON.parse(data) as Chunk).choices?.[0]?.delta?.content ?? '';
}
