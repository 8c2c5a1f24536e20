// One comment on a pull request, which is replaced by each run (GitHub's REST API for comments on issues).

/** The first line of the comment, by which it is found again. */
const MARK = '<!-- modelbench -->';

/** The most characters that GitHub takes in a comment. */
const LONGEST = 65_536;

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
    if (!answer.ok) throw new Error(`GitHub answered ${method} of the comment with ${answer.status}.`);
    return answer;
  };
  const body = shortened(`${MARK}\n${text}`);
  try {
    const known = await ownComment(request, `${repository}/issues/${number}/comments?per_page=100`);
    if (known === undefined) await request('POST', `${repository}/issues/${number}/comments`, { body });
    else await request('PATCH', `${repository}/issues/comments/${known}`, { body });
  } catch (error) {
    console.log(
      `::warning title=Modelbench::The comment was not written. ${error.message.replaceAll(/[\r\n%]/g, ' ')}`,
    );
  }
}

/** The id of the comment that an earlier run wrote. A user's comment is never replaced, whatever it begins with. */
async function ownComment(request, first) {
  let url = first;
  while (url !== undefined) {
    const page = await request('GET', url);
    const comments = await page.json();
    const own = comments.find(({ body, user }) => user?.type === 'Bot' && body?.startsWith(MARK));
    if (own) return own.id;
    url = /<([^>]+)>;\s*rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    // The token goes to the API only.
    if (url !== undefined && new URL(url).origin !== new URL(first).origin) return undefined;
  }
  return undefined;
}

/**
 * The text with as many whole lines as GitHub takes: in the middle of a line, a name of the model would no longer be code. A block of
 * code that is open where the text is cut is closed.
 */
export function shortened(text, longest = LONGEST) {
  if (text.length <= longest) return text;
  const note = 'This comment was cut off. The summary of the run has all of it.';
  const lines = [];
  let [length, fence] = [note.length + 2, ''];
  for (const line of text.split('\n')) {
    const [mark = ''] = /^`{3,}/.exec(line) ?? [];
    const next = fence === '' ? mark : line === fence ? '' : fence;
    length += line.length + 1;
    if (length + next.length + 1 > longest) break;
    lines.push(line);
    fence = next;
  }
  return [...lines, ...(fence === '' ? [] : [fence]), '', note].join('\n');
}
