import { readFileSync } from 'node:fs'
import type { JsonObject } from './json'

/** Path of the configuration file on platforms that mount the file into a container. */
const MOUNTED_FILE = '/svc/its_svc.json'

/** A team in the spelling of the configuration file and the event stream. */
export interface WireTeam {
  readonly name: string
  readonly players: readonly {
    readonly player_id: string
    readonly lobby_id: string
    readonly role: string | null
    readonly state: JsonObject
  }[]
}

/** The part of the configuration file that this package uses; `raw` has the whole file. */
export interface Configuration {
  readonly instance_id: string
  readonly project_id: string
  readonly queue_id: string | null
  readonly match_id: string | null
  readonly match_version: number | null
  readonly region: string
  readonly custom_data: JsonObject
  readonly settings: JsonObject
  readonly teams: readonly WireTeam[]
  readonly api_url: string
  readonly token: string
  readonly join_token_key: string | null
  readonly expires_at: string | null
}

/** Path of this server's configuration; undefined when Matchyard did not start the program. */
export const configurationFile = (): string | undefined => process.env.SVC_CONFIG_FILE || undefined

/** Milliseconds between two reads of the configuration file by a server that was started before its match. */
const LOOK_EVERY_MS = 50
/** Milliseconds within which an incompletely written file must be complete. */
const WRITTEN_WITHIN_MS = 5_000

/**
 * Reads the configuration file. Waits while the file is empty, because it is empty as long as the server has no match.
 * Throws an Error that names the file and the fault in the file.
 */
export async function awaitConfiguration(file = MOUNTED_FILE): Promise<Configuration> {
  for (let begunAt: number | undefined; ; await new Promise((looked) => setTimeout(looked, LOOK_EVERY_MS))) {
    const text = textOf(file)
    if (text === '') continue
    begunAt ??= performance.now()
    // A file that cannot be parsed may be in the middle of being written.
    if (isWhole(text) || performance.now() - begunAt >= WRITTEN_WITHIN_MS) return readConfiguration(file, text)
  }
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function readConfiguration(file: string, text: string): Configuration {
  const found = parse(file, text)
  for (const field of ['instance_id', 'api_url', 'token'] as const) {
    if (typeof found[field] !== 'string')
      throw new Error(`${file} is not a configuration of Matchyard: it has no ${field}`)
  }
  return found
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const hint =
      file === MOUNTED_FILE ? '; SVC_CONFIG_FILE is not set: outside Matchyard, call attach({ local: { … } })' : ''
    throw new Error(`cannot read the configuration ${file}: ${why}${hint}`, { cause })
  }
}

function parse(file: string, text: string): Configuration {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found === 'object' && found !== null) return found as Configuration
  } catch (cause) {
    throw new Error(`the configuration ${file} is not JSON`, { cause })
  }
  throw new Error(`the configuration ${file} is not an object`)
}

/** Returns the port to listen on. If there is no such port, throws an Error with the names of the existing ports. */
export function portFromEnvironment(name: string): number {
  const variable = `PORT_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`
  const port = Number(process.env[variable])
  if (Number.isInteger(port) && port > 0) return port
  const there = Object.keys(process.env).filter((key) => key.startsWith('PORT_'))
  const have = there.length === 0 ? 'this server has none' : `this server has ${there.sort().join(', ')}`
  throw new Error(
    `there is no port "${name}" (${variable}): ${have}. Name it in network_ports of the queue's server_settings`,
  )
}
