/** Checks whether a response is a web page (of a proxy, a sign-in form) and so not the platform’s. */
export function isHtml(response: Response): boolean {
  return /^\s*(?:text\/html|application\/xhtml)/i.test(response.headers.get('content-type') ?? '');
}
