import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string; readonly type: 'Bot' | 'User' };
}

/** GitHub's REST API for the comments of one pull request, on the loopback interface, as its documentation describes it. */
export interface CommentApi {
  readonly url: string;
  readonly comments: Comment[];
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

/** `token`: the one that may write. Lists are in the order of ids and come in pages of two, whatever is asked for. */
export async function startCommentApi(repository: string, number: number, token: string): Promise<CommentApi> {
  const comments: Comment[] = [];
  const requests: string[] = [];
  const list = `/repos/${repository}/issues/${number}/comments`;
  const answer = (method: string, address: URL, mayWrite: boolean, body: string): Reply => {
    const { pathname, searchParams } = address;
    if (method === 'GET' && pathname === list) {
      const page = Number(searchParams.get('page') ?? 1);
      const next = new URL(address);
      next.searchParams.set('page', String(page + 1));
      const link = comments.length > page * 2 ? `<${next.href}>; rel="next"` : undefined;
      return { status: 200, link, value: comments.slice((page - 1) * 2, page * 2) };
    }
    if (!mayWrite) return { status: 403, value: { message: 'Resource not accessible by integration' } };
    const text = (JSON.parse(body) as { readonly body: string }).body;
    if (method === 'POST' && pathname === list) {
      const comment: Comment = {
        id: 100 + comments.length,
        body: text,
        user: { login: 'github-actions[bot]', type: 'Bot' },
      };
      comments.push(comment);
      return { status: 201, value: comment };
    }
    const id = Number(new RegExp(`^/repos/${repository}/issues/comments/(\\d+)$`).exec(pathname)?.[1]);
    const known = comments.find((each) => each.id === id);
    if (method !== 'PATCH' || !known) return { status: 404, value: { message: 'Not Found' } };
    known.body = text;
    return { status: 200, value: known };
  };
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { method = '', url = '', headers } = request;
      requests.push(`${method} ${url}`);
      const address = new URL(url, `http://${headers.host ?? ''}`);
      const { status, value, link } = answer(method, address, headers.authorization === `Bearer ${token}`, body);
      response.writeHead(status, { 'content-type': 'application/json', ...(link === undefined ? {} : { link }) });
      response.end(JSON.stringify(value));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, comments, requests, close };
}

interface Reply {
  readonly status: number;
  readonly value: unknown;
  readonly link?: string | undefined;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
