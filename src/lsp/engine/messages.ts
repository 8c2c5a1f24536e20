/** What the server and the engine's thread say to each other. */

export interface EngineFile {
  /** Relative to the model's root, `/` between folders. */
  readonly fileName: string;
  readonly content: string;
}

/** One thing that the engine refuses, as precisely as it can be told. */
export interface EngineError {
  readonly message: string;
  readonly fileName?: string | undefined;
}

export interface EngineRequest {
  readonly id: number;
  readonly files: readonly EngineFile[];
}

export type EngineAnswer =
  | { readonly id: number; readonly ok: true; readonly errors: readonly EngineError[] }
  /** The engine itself failed, which says nothing about the model. */
  | { readonly id: number; readonly ok: false; readonly reason: string };
