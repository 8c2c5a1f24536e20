/** What the server and the engine's realm say to each other. */

export interface EngineFile {
  /** Relative to the model's root, `/` between folders. */
  readonly fileName: string;
  readonly content: string;
}

/** One thing that the engine refuses, as precisely as it is known. */
export interface EngineError {
  readonly message: string;
  readonly fileName?: string | undefined;
}
