import type { JsonObject } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'

export interface LogLine {
  readonly level: keyof Logger
  readonly message: string
  readonly fields: JsonObject
}

/** Keeps the log lines, so that a test can check the messages, and can check that no line contains a secret. */
export class FakeLogger implements Logger {
  readonly lines: LogLine[] = []

  debug(message: string, fields?: JsonObject): void {
    this.add('debug', message, fields)
  }
  info(message: string, fields?: JsonObject): void {
    this.add('info', message, fields)
  }
  warn(message: string, fields?: JsonObject): void {
    this.add('warn', message, fields)
  }
  error(message: string, fields?: JsonObject): void {
    this.add('error', message, fields)
  }

  private add(level: keyof Logger, message: string, fields: JsonObject = {}): void {
    this.lines.push({ level, message, fields })
  }
}
