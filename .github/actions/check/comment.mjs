// One comment on a pull request, which is replaced by each run (GitHub's REST API for comments on issues).

/** The first line of the comment, by which it is found again. */
const MARK = '<!-- modelbench -->';

/** What GitHub takes in a comment. */
const COMMENT = {
  longest: 65_536,
  sizeOf: (line) => line.length,
  note: 'This comment was cut off. The summary of the run has more of it.',
};

/** What GitHub takes in the summary of a step; it shows nothing of a larger one. */
const SUMMARY = {
  longest: 2 ** 20,
  sizeOf: (line) => Buffer.byteLength(line),
  note: 'This summary was cut off. Run “modelbench diff” to see all of it.',
};

/**
 * Writes the comment of this action, or replaces it. Without a pull request nothing is written; a token that may not write, as in pull
 * requests from forks, is a warning, because the summary of the run has the same text.
 */
export async function keepComment(text, { token, number }) {
  if (number === undefined) return;
  const { GITHUB_API_URL = 'https://api.github.com', GITHUB_REPOSITORY } = process.env;
  const repository = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}`;
  const request = async (method, url, body) => {
    const headers = {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'x-github-api-version': '2022-11-28',
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const answer = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    // A comment that was deleted meanwhile is written again.
    if (method === 'PATCH' && answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`GitHub answered ${method} of the comment with ${answer.status}.`);
    return answer;
  };
  const body = shortened(`${MARK}\n${text}`, COMMENT);
  try {
    const list = `${repository}/issues/${number}/comments?per_page=100`;
    const known = await ownComment(request, list, async () => ownerOf(token, GITHUB_API_URL));
    const replaced =
      known === undefined ? undefined : await request('PATCH', `${repository}/issues/comments/${known}`, { body });
    if (replaced === undefined) await request('POST', `${repository}/issues/${number}/comments`, { body });
  } catch (error) {
    console.log(
      `::warning title=Modelbench::The comment was not written. ${error.message.replaceAll(/[\r\n%]/g, ' ')}`,
    );
  }
}

/** The name of the user whose own token this is; undefined for one that GitHub issued for a run. */
async function ownerOf(token, api) {
  const answer = await fetch(`${api}/user`, {
    headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` },
  });
  return answer.ok ? (await answer.json()).login : undefined;
}

/**
 * The id of the comment that an earlier run wrote. A comment of another user is never replaced, whatever it begins with. `findOwner`
 * resolves to the user of the token, if it has one.
 */
async function ownComment(request, first, findOwner) {
  let owner;
  for await (const { id, user } of markedComments(request, first)) {
    if (user?.type === 'Bot') return id;
    owner ??= { login: await findOwner() };
    if (owner.login !== undefined && user?.login === owner.login) return id;
  }
  return undefined;
}

/** The comments that begin as those of this action do, page by page. */
async function* markedComments(request, first) {
  let url = first;
  while (url !== undefined) {
    const page = await request('GET', url);
    for (const comment of await page.json()) if (comment.body?.startsWith(MARK)) yield comment;
    url = /<([^>]+)>;\s*rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    // The token goes to the API only.
    if (url !== undefined && new URL(url).origin !== new URL(first).origin) return;
  }
}

/** The text of a summary, cut where GitHub would not take it. */
export function summaryText(text) {
  return shortened(text, SUMMARY);
}

/**
 * The text with as many whole lines as fit: in the middle of a line, a name of the model would no longer be code. A block of
 * code that is open where the text is cut is closed.
 */
export function shortened(text, { longest, sizeOf, note }) {
  if (sizeOf(text) <= longest) return text;
  const lines = [];
  let [size, fence] = [sizeOf(note) + 2, ''];
  for (const line of text.split('\n')) {
    const [mark = ''] = /^`{3,}/.exec(line) ?? [];
    const next = fence === '' ? mark : line === fence ? '' : fence;
    size += sizeOf(line) + 1;
    if (size + next.length + 1 > longest) break;
    lines.push(line);
    fence = next;
  }
  return [...lines, ...(fence === '' ? [] : [fence]), '', note].join('\n');
}
