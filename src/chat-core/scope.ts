/** Returns the scope of a thread: its account and the address of the chat, which has no spaces. */
export function chatScope(accountId: string, url: string): string {
  return `${accountId} ${url}`;
}

/** Returns the account of a scope; ids may have spaces, and one may begin with another (`…#ops` and `…#ops eu`). */
export function accountOfScope(scope: string): string {
  return scope.slice(0, Math.max(0, scope.lastIndexOf(' ')));
}

/** Returns a check whether a thread belongs to an account. */
export function ofAccount(accountId: string): (thread: { readonly scope: string }) => boolean {
  return ({ scope }) => accountOfScope(scope) === accountId;
}
