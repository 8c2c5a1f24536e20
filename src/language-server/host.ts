import type { TemplateAnswer, TemplateQuestion } from '#model/templates/model-templates.ts';
import type { EngineError, EngineFile, EngineQuery, EngineQueryAnswer } from './engine/messages.ts';

/** The engine that the platform compiles models with, where it can run. */
export interface Engine {
  /** Whether it may compile the model of a root (a URI). */
  canCompile(root: string): boolean;
  /**
   * What it refuses in the whole model of a root; rejects when the engine itself failed. With a signal, in another
   * process than without one, and the signal gives up this check only.
   */
  check(root: string, files: readonly EngineFile[], signal?: AbortSignal): Promise<readonly EngineError[]>;
}

/** The same engine, where it can say what becomes of a query. */
export interface QueryEngine extends Pick<Engine, 'canCompile'> {
  /** What it makes of a query, in a process of its own; rejects when the engine itself failed. The signal ends that process. */
  query(root: string, question: QueryQuestion, signal: AbortSignal): Promise<EngineQueryAnswer>;
}
export interface QueryQuestion {
  readonly files: readonly EngineFile[];
  readonly query: EngineQuery;
  /** A database that the engine has a dialect for. */
  readonly dialect: string;
}

/** The platform's template engine, where it can run. */
export interface TemplateEngine {
  /** What templates of one model render to; rejects when the engine itself failed or took too long. */
  render(templates: readonly TemplateQuestion[]): Promise<TemplateAnswer>;
}

/** Which file is being worked on, where a process that follows can read it. */
export interface FileNotes {
  /** Whether the server died the last time it worked on this very text. */
  isSkipped(uri: string, text: string): boolean;
  /** Does some work on a file, so noted that it is known if it ends the process. */
  during<T>(uri: string, text: string, work: () => T): T;
}

/** What the server needs of the world; the Node entry reads disks, the browser entry asks the client. */
export interface LanguageHost {
  /** The URIs of all model files below a root (hidden and dependency folders left out). */
  listFiles(root: string): Promise<readonly string[]>;
  /** The text of a file, or undefined when it is gone or cannot be read. */
  readFile(uri: string): Promise<string | undefined>;
  /** The size of a file in bytes, where that can be said without reading it. */
  readonly fileSize?: ((uri: string) => Promise<number | undefined>) | undefined;
  /** Lets messages in: resolves in a later turn of the event loop. */
  yield(): Promise<void>;
  /** Milliseconds, monotonic. */
  now(): number;
  readonly engine?: Engine | undefined;
  readonly queryEngine?: QueryEngine | undefined;
  readonly templates?: TemplateEngine | undefined;
  readonly notes?: FileNotes | undefined;
  /** The server ends before warming up is worth its work. */
  readonly isShortLived?: boolean | undefined;
  /** The server has read everything for the first time and is idle: time for longer work. */
  readonly settled?: (() => void) | undefined;
  /** The first reading of all files begins or ends: speed matters more than thoroughness then. */
  readonly reading?: ((isUnderWay: boolean) => void) | undefined;
}
