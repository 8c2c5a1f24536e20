import { type JsonReply, type JsonServer, startJsonServer } from './json-server.ts';

interface Note {
  readonly id: number;
  body: string;
  readonly author: { readonly id: number };
}

/** GitLab's REST API for the notes of one merge request, on the loopback interface, as its documentation describes it. */
export interface NoteApi extends JsonServer {
  readonly notes: Note[];
  /** The status with which the next requests of a method are refused, if any. */
  readonly refusals: Partial<Record<'GET' | 'POST' | 'PUT', number>>;
}

/** The account of the token. */
const bot = { id: 900 };

/**
 * Starts the API. `token` is the only valid one, and may write. Lists begin with the newest note and have pages of two, whatever
 * page size is requested.
 */
export async function startNoteApi(project: number, number: number, token: string): Promise<NoteApi> {
  const notes: Note[] = [];
  const refusals: Partial<Record<string, number>> = {};
  const list = `/api/v4/projects/${project}/merge_requests/${number}/notes`;
  const answer = (method: string, { pathname, searchParams }: URL, body: string): JsonReply => {
    const refused = refusals[method];
    if (refused !== undefined) return { status: refused, value: { message: 'Refused' } };
    if (method === 'GET' && pathname === '/api/v4/user') return { status: 200, value: bot };
    if (method === 'GET' && pathname === list) {
      const page = Number(searchParams.get('page') ?? 1);
      const headers = { 'x-next-page': notes.length > page * 2 ? String(page + 1) : '' };
      return { status: 200, headers, value: notes.toReversed().slice((page - 1) * 2, page * 2) };
    }
    const text = (JSON.parse(body) as { readonly body: string }).body;
    if (text.length > 1_000_000) return { status: 400, value: { message: { note: ['is too long'] } } };
    if (method === 'POST' && pathname === list) {
      const note: Note = { id: 100 + notes.length, body: text, author: bot };
      notes.push(note);
      return { status: 201, value: note };
    }
    const known = notes.find(({ id }) => pathname === `${list}/${id}`);
    if (method !== 'PUT' || !known) return { status: 404, value: { message: '404 Not found' } };
    known.body = text;
    return { status: 200, value: known };
  };
  const server = await startJsonServer(({ method, address, headers, body }) =>
    headers['private-token'] === token
      ? answer(method, address, body)
      : { status: 401, value: { message: '401 Unauthorized' } },
  );
  return { ...server, notes, refusals };
}
