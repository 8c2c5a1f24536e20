/** Facts that a log line may carry: never bodies, tokens or secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** The log that every layer writes to; the host decides where it goes. */
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
