import type { JsonObject } from '../shared/json'

/**
 * Receives the log lines of the service, which contain no secrets. A logger should return without waiting for its output. When it throws,
 * the line is lost, and the operation continues.
 */
export interface Logger {
  debug(message: string, fields?: JsonObject): void
  info(message: string, fields?: JsonObject): void
  warn(message: string, fields?: JsonObject): void
  error(message: string, fields?: JsonObject): void
}

const quiet = () => {}
export const SILENT_LOGGER: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }

/**
 * Returns a logger that never throws: it passes lines to the given logger and ignores its errors. Without a logger the lines are discarded.
 */
export function unfailing(logger: Logger = SILENT_LOGGER): Logger {
  const at = (level: keyof Logger) => (message: string, fields?: JsonObject) =>
    quietly(() => logger[level](message, fields))
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/**
 * Calls a function of the embedding application, so that its failure does not fail the caller. `failed` receives the thrown error, or the
 * reason when the function returns a promise that rejects.
 */
export function quietly(call: () => unknown, failed: (error: unknown) => void = quiet): void {
  try {
    const answer = call()
    if (answer instanceof Promise) answer.catch(failed)
  } catch (error) {
    failed(error)
  }
}
