import { type JsonReply, type JsonServer, startJsonServer } from './json-server.ts';

interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string; readonly type: 'Bot' | 'User' };
}

/** GitHub's REST API for the comments of one pull request, on the loopback interface, as its documentation describes it. */
export interface CommentApi extends JsonServer {
  readonly comments: Comment[];
  /** The status with which the next requests of a method are refused, if any. */
  readonly refusals: Partial<Record<'GET' | 'POST' | 'PATCH', number>>;
}

/**
 * Starts the API. `token` is the one that may write. Lists are sorted by id and have pages of two, whatever page size is
 * requested.
 */
export async function startCommentApi(repository: string, number: number, token: string): Promise<CommentApi> {
  const comments: Comment[] = [];
  const refusals: Partial<Record<string, number>> = {};
  const list = `/repos/${repository}/issues/${number}/comments`;
  const answer = (method: string, address: URL, mayWrite: boolean, body: string): JsonReply => {
    const { pathname, searchParams } = address;
    const refused = refusals[method];
    if (refused !== undefined) return { status: refused, value: { message: 'Refused' } };
    if (method === 'GET' && pathname === list) {
      const page = Number(searchParams.get('page') ?? 1);
      const next = new URL(address);
      next.searchParams.set('page', String(page + 1));
      const headers = comments.length > page * 2 ? { link: `<${next.href}>; rel="next"` } : {};
      return { status: 200, headers, value: comments.slice((page - 1) * 2, page * 2) };
    }
    if (!mayWrite) return { status: 403, value: { message: 'Resource not accessible by integration' } };
    const text = (JSON.parse(body) as { readonly body: string }).body;
    // GitHub counts characters, and refuses a comment with more.
    if (text.length > 65_536) return { status: 422, value: { message: 'Validation Failed' } };
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
  const server = await startJsonServer(({ method, address, headers, body }) =>
    answer(method, address, headers.authorization === `Bearer ${token}`, body),
  );
  return { ...server, comments, refusals };
}
