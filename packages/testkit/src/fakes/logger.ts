import type { JsonObject } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'

/** Line of a log. */
export interface LogLine {
  /** Level of the line. */
  readonly level: keyof Logger
  /** Text of the line. */
  readonly message: string
  /** Data of the line; `{}` without data. */
  readonly fields: JsonObject
}

/** Keeps the log lines, so that a test can check the messages, and can check that no line contains a secret. */
export class FakeLogger implements Logger {
  /** All lines, in order. */
  readonly lines: LogLine[] = []

  /** Adds a line of the level `debug`. */
  debug(message: string, fields?: JsonObject): void {
    this.add('debug', message, fields)
  }
  /** Adds a line of the level `info`. */
  info(message: string, fields?: JsonObject): void {
    this.add('info', message, fields)
  }
  /** Adds a line of the level `warn`. */
  warn(message: string, fields?: JsonObject): void {
    this.add('warn', message, fields)
  }
  /** Adds a line of the level `error`. */
  error(message: string, fields?: JsonObject): void {
    this.add('error', message, fields)
  }

  private add(level: keyof Logger, message: string, fields: JsonObject = {}): void {
    this.lines.push({ level, message, fields })
  }
}
