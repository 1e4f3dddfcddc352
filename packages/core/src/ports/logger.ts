import type { JsonObject } from '../shared/json'

/** Where the service says what happens; never given a secret. */
export interface Logger {
  debug(message: string, fields?: JsonObject): void
  info(message: string, fields?: JsonObject): void
  warn(message: string, fields?: JsonObject): void
  error(message: string, fields?: JsonObject): void
}

const quiet = () => {}
export const SILENT_LOGGER: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }
