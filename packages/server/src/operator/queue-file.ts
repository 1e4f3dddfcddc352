import { readFileSync } from 'node:fs'
import { isMatchyardError } from '@matchyard/client'
import type { AdminClient } from '@matchyard/client/admin'
import { z } from 'zod'
import { ConfigurationError } from '../config/configuration-error'

type QueueFile = Parameters<AdminClient['queues']['create']>[0]

/** Required field of every queue file; the service checks the rest. */
const fileSchema = z.looseObject({ queue_id: z.string().min(1) })
const issuesSchema = z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })).min(1) })

/** Reads the body of `POST /v1/queues` from a JSON file. */
export function readQueueFile(path: string): QueueFile {
  const content = parsed(path, textOf(path))
  const { success, data } = fileSchema.safeParse(content)
  if (success) return data as unknown as QueueFile
  throw new ConfigurationError(
    `${path}: queue_id must be there: the name by which games ask for the queue, a-z, 0-9 and _`,
  )
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigurationError(`${path} cannot be read: name a JSON file with a queue, the body of POST /v1/queues`)
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigurationError(`${path} is not JSON: ${(error as SyntaxError).message}`)
  }
}

/**
 * Returns the service's refusal of a queue file as a list of faults, each with its field. Other errors are returned
 * unchanged.
 */
export function refusedIn(path: string, error: unknown): unknown {
  if (!isMatchyardError(error)) return error
  const { success, data } = issuesSchema.safeParse(error.details)
  if (!success) return new ConfigurationError(error.detail)
  return new ConfigurationError(data.issues.map((issue) => `${path}: ${issue.path} ${issue.message}`))
}
