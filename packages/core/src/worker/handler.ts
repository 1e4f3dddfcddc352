import type { JsonObject } from '../shared/json'
import type { Context } from '../use-cases/context'

/**
 * Carries out one job. It re-reads and re-decides, so a stale or repeated run does nothing. Answers when to run again, or
 * undefined when the job is done; what it throws is logged and tried again with back-off.
 */
export type JobHandler = (ctx: Context, payload: JsonObject) => Promise<number | undefined>

/** A text that the job was made with; a job without it is a bug. */
export function text(payload: JsonObject, key: string): string {
  const value = payload[key]
  if (typeof value !== 'string') throw new Error(`the job has no ${key}`)
  return value
}
