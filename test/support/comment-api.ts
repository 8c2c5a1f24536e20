import { type JsonReply, type JsonServer, startJsonServer } from './json-server.ts';

interface Author {
  readonly login: string;
  readonly type: 'Bot' | 'User';
}

interface Comment {
  readonly id: number;
  body: string;
  readonly user: Author;
}

/** GitHub's REST API for the comments of one pull request, on the loopback interface, as its documentation describes it. */
export interface CommentApi extends JsonServer {
  readonly comments: Comment[];
  /** The status with which the next requests of a method are refused, if any. */
  readonly refusals: Partial<Record<'GET' | 'POST' | 'PATCH', number>>;
  /** Makes the token one of a user's own, instead of one that GitHub issued for a run. */
  readonly signIn: (login: string) => void;
}

/**
 * Starts the API. `token` is the one that may write. Lists are sorted by id and have pages of two, whatever page size is
 * requested.
 */
export async function startCommentApi(repository: string, number: number, token: string): Promise<CommentApi> {
  const comments: Comment[] = [];
  const refusals: Partial<Record<string, number>> = {};
  let owner: Author = { login: 'github-actions[bot]', type: 'Bot' };
  const list = `/repos/${repository}/issues/${number}/comments`;
  const forbidden: JsonReply = { status: 403, value: { message: 'Resource not accessible by integration' } };
  const pageOf = (address: URL): JsonReply => {
    const page = Number(address.searchParams.get('page') ?? 1);
    const next = new URL(address);
    next.searchParams.set('page', String(page + 1));
    const headers = comments.length > page * 2 ? { link: `<${next.href}>; rel="next"` } : {};
    return { status: 200, headers, value: comments.slice((page - 1) * 2, page * 2) };
  };
  const written = (method: string, pathname: string, body: string): JsonReply => {
    const text = (JSON.parse(body) as { readonly body: string }).body;
    // GitHub counts characters, and refuses a comment with more.
    if (text.length > 65_536) return { status: 422, value: { message: 'Validation Failed' } };
    if (method === 'POST' && pathname === list) {
      const comment: Comment = { id: 100 + comments.length, body: text, user: owner };
      comments.push(comment);
      return { status: 201, value: comment };
    }
    const id = Number(new RegExp(`^/repos/${repository}/issues/comments/(\\d+)$`).exec(pathname)?.[1]);
    const known = comments.find((each) => each.id === id);
    if (method !== 'PATCH' || !known) return { status: 404, value: { message: 'Not Found' } };
    known.body = text;
    return { status: 200, value: known };
  };
  const answer = (method: string, address: URL, mayWrite: boolean, body: string): JsonReply => {
    const refused = refusals[method];
    if (refused !== undefined) return { status: refused, value: { message: 'Refused' } };
    if (method === 'GET' && address.pathname === list) return pageOf(address);
    if (!mayWrite) return forbidden;
    if (method !== 'GET') return written(method, address.pathname, body);
    // A token of a run belongs to no user.
    if (address.pathname === '/user') return owner.type === 'Bot' ? forbidden : { status: 200, value: owner };
    return { status: 404, value: { message: 'Not Found' } };
  };
  const server = await startJsonServer(({ method, address, headers, body }) =>
    answer(method, address, headers.authorization === `Bearer ${token}`, body),
  );
  return { ...server, comments, refusals, signIn: (login) => (owner = { login, type: 'User' }) };
}
