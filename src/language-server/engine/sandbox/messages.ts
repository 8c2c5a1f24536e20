/** Messages between the server and a sandbox's process: one JSON text per line. */
export type SandboxRequest =
  /** Evaluated in the realm before its first question. */
  | { readonly kind: 'script'; readonly code: string }
  | { readonly kind: 'ask'; readonly question: string; readonly limitMs: number };

/** The realm's own answer; `undefined` if it gave none. */
export interface SandboxResponse {
  readonly answer?: string | undefined;
}
