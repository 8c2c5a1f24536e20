/** Facts that a log line may carry. Never bodies, tokens or secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Where every layer writes what happened; the host decides where it goes. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // Deliberately nothing.
}
