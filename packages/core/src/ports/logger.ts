import type { JsonObject } from '../shared/json'

/**
 * Where the service says what happens; never given a secret. It should not wait for whoever reads the lines, and it may throw:
 * a line that cannot be written is lost, and nothing that was done fails for it.
 */
export interface Logger {
  debug(message: string, fields?: JsonObject): void
  info(message: string, fields?: JsonObject): void
  warn(message: string, fields?: JsonObject): void
  error(message: string, fields?: JsonObject): void
}

const quiet = () => {}
export const SILENT_LOGGER: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }

/** The logger that everything inside holds: the given one, whose faults stay its own; without one, silence. */
export function unfailing(logger: Logger = SILENT_LOGGER): Logger {
  const at = (level: keyof Logger) => (message: string, fields?: JsonObject) =>
    quietly(() => logger[level](message, fields))
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/**
 * Calls something of an embedder's whose failure must not become the caller's: what was done before it is done. `failed` is
 * told of what it throws, or of what it rejects with where it is asynchronous although nobody waits for it.
 */
export function quietly(call: () => unknown, failed: (error: unknown) => void = quiet): void {
  try {
    const answer = call()
    if (answer instanceof Promise) answer.catch(failed)
  } catch (error) {
    failed(error)
  }
}
