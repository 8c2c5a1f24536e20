/** What the server and a sandbox's process say to each other: one JSON text a line. */
export type SandboxRequest =
  /** Evaluated in the realm before its first question. */
  | { readonly kind: 'script'; readonly code: string }
  | { readonly kind: 'ask'; readonly question: string; readonly limitMs: number };

/** The realm's own answer, or `undefined` where it gave none. */
export interface SandboxResponse {
  readonly answer?: string | undefined;
}
