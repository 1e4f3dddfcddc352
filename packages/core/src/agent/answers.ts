import { z } from 'zod'
import { type ImageReference, parseImageReference } from '../build/image-reference'
import { IMAGE_URL_LENGTH, MAX_PORTS, PORT_NAME_LENGTH, PORT_NUMBER, WARM_BUFFER } from '../catalog/limits'
import {
  type LaunchResult,
  type ObservedServer,
  type Orchestrator,
  type RoomAnswer,
  type ServerLogLine,
  type WarmPool,
  type WarmServers,
  warmKey,
} from '../ports/orchestrator'
import { type PortMapping, type PortRequest, PROTOCOLS, transportsOf } from '../server/game-server'
import type { JsonValue } from '../shared/json'
import { shownLines } from '../shared/plain-text'
import type { Instant } from '../shared/time'
import { MAX_INSTANCE_ID, MAX_OBSERVED, MAX_REPORTED_LINE, MAX_SENTENCE } from './link-limits'

/**
 * Readers of the results that an agent reports. The service does not trust an agent: each reader returns undefined for a value that is not
 * a result of its call. A value with one wrong part is refused as a whole, because a server that is missing in a result counts as gone.
 */

/** Returns a sentence of an agent for a log or a message: cut to 1,000 characters, with invisible characters written as escapes. */
export const reportedSentence = (text: string): string => shownLines(text.slice(0, MAX_SENTENCE))

const id = z.string().min(1).max(MAX_INSTANCE_ID)
const sentence = z.string().transform(reportedSentence)
const instant = z.number().min(0).transform(Math.floor)
const portNumber = z.int().min(PORT_NUMBER.min).max(PORT_NUMBER.max)

const port = z.object({
  name: z.string().min(PORT_NAME_LENGTH.min).max(PORT_NAME_LENGTH.max),
  protocol: z.enum(PROTOCOLS),
  internalPort: portNumber,
  tlsEnabled: z.boolean(),
  externalPort: portNumber,
})

const exit = z.object({
  code: z.int().nullable(),
  signal: z.string().max(MAX_INSTANCE_ID).nullable(),
  reason: sentence.optional(),
  at: instant,
})

const observed = z
  .object({
    instanceId: id,
    attempt: z.int().min(0),
    state: z.enum(['starting', 'ready', 'exited']),
    exit: exit.nullable(),
    waitsFor: sentence.optional(),
    networkPorts: z.array(port).max(MAX_PORTS).optional(),
    warm: id.optional(),
    startedAt: instant.optional(),
  })
  .refine((server) => server.exit === null || server.state === 'exited')

const launched = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    reason: z.enum(['address_in_use', 'no_room', 'away', 'machine', 'retry', 'final']),
    message: sentence,
  }),
])

const room = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), reason: z.enum(['full', 'too_large', 'no_archive']), message: sentence }),
])

const warm = z.array(z.object({ key: z.string(), ready: z.array(id).max(WARM_BUFFER.max * MAX_PORTS) }))

const line = z.object({
  at: instant,
  stream: z.enum(['stdout', 'stderr']),
  message: z.string().transform((text) => text.slice(0, MAX_REPORTED_LINE)),
})

const image = z.union([
  z.object({ ok: z.literal(true), image: z.string().max(IMAGE_URL_LENGTH.max), sizeBytes: z.int().min(0) }),
  z.object({ ok: z.literal(false), message: sentence }),
])

/** Returns a value without its optional fields that are undefined, which the types of the port do not allow. */
const withoutAbsent = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T

/** Returns the servers of an answer to `observe`. Ports get the address of the machine, and no time is later than `now`. */
export function readObserved(value: JsonValue, host: string, now: Instant): ObservedServer[] | undefined {
  const { data } = z.array(observed).max(MAX_OBSERVED).safeParse(value)
  const past = (at: Instant) => Math.min(at, now)
  return data?.map(({ exit, networkPorts, startedAt, ...server }) =>
    withoutAbsent({
      ...server,
      exit: exit === null ? null : withoutAbsent({ ...exit, at: past(exit.at) }),
      networkPorts: networkPorts?.map((one) => ({ ...one, host })),
      startedAt: startedAt === undefined ? undefined : past(startedAt),
    }),
  ) as ObservedServer[] | undefined
}

/** Returns the result of a launch. */
export const readLaunched = (value: JsonValue): LaunchResult | undefined => launched.safeParse(value).data

/** Returns the answer whether a server fits. */
export const readRoom = (value: JsonValue): RoomAnswer | undefined => room.safeParse(value).data

/** Returns one external port of the machine for each request. Each number belongs to one request, for each of its protocols. */
export function readPorts(
  value: JsonValue,
  requests: readonly PortRequest[],
  host: string,
): PortMapping[] | 'later' | undefined {
  if (value === 'later') return value
  const { data } = z.array(port).safeParse(value)
  if (data?.length !== requests.length) return undefined
  const isAsked = requests.every(({ name, protocol }, at) => data[at]?.name === name && data[at]?.protocol === protocol)
  const sockets = data.flatMap(({ protocol, externalPort }) =>
    transportsOf(protocol).map((transport) => `${transport}/${externalPort}`),
  )
  if (!isAsked || new Set(sockets).size < sockets.length) return undefined
  return data.map(({ externalPort }, at) => ({ ...(requests[at] as PortRequest), externalPort, host }))
}

/** Maximum waiting servers that count, by the key of their pool. */
export type MostWaiting = ReadonlyMap<string, number>

/**
 * Returns the most servers that count as waiting in each of these pools. A pool that shrinks still shows one, until all of its servers have
 * ended.
 */
export const mostWaiting = (pools: readonly WarmPool[]): MostWaiting =>
  new Map(pools.map((pool) => [warmKey(pool), Math.max(1, pool.min, pool.buffer)]))

/**
 * Returns the waiting servers of the asked pools: each name once, and of each pool at most as many as were asked for, because accounts pay
 * for them. Pools that nobody asked for are left out.
 */
export function readWarm(value: JsonValue, most: MostWaiting): WarmServers[] | undefined {
  const { data } = warm.safeParse(value)
  const names = new Set<string>()
  const readyOf = new Map<string, string[]>()
  for (const { key, ready } of data ?? []) {
    const counted = readyOf.get(key) ?? []
    for (const name of ready) {
      if (counted.length >= (most.get(key) ?? 0)) break
      if (names.has(name)) continue
      names.add(name)
      counted.push(name)
    }
    if (most.has(key)) readyOf.set(key, counted)
  }
  return data && [...readyOf].map(([key, ready]) => ({ key, ready }))
}

/** Returns log lines, at most `limit`. No time is later than `now`. */
export function readLines(value: JsonValue, limit: number, now: Instant): ServerLogLine[] | undefined {
  const { data } = z.array(line).max(limit).safeParse(value)
  return data?.map((one) => ({ ...one, at: Math.min(one.at, now) }))
}

type PreparedImage = Awaited<ReturnType<Orchestrator['prepareImage']>>

/** Returns the checked image. The agent may fix the digest of the asked image, but not name another image. */
export function readImage(value: JsonValue, asked: string): PreparedImage | undefined {
  const { data } = image.safeParse(value)
  return data === undefined || !data.ok || isSameImage(data.image, asked) ? data : undefined
}

/** Id of the content of an image, which names an image of one engine. */
const CONTENT_ID = /^sha256:[0-9a-f]{64}$/
/** Registries that a reference without a registry means. Engines leave them out of the names that they report, as they do `library/`. */
const DEFAULT_REGISTRIES: readonly (string | null)[] = [null, 'docker.io', 'index.docker.io']

/**
 * Whether a reported name is one of the asked image, apart from the tag and the digest. Only an image that the operator added to the engine
 * (`local/…`) has no digest of a registry, so only such an image may be named by the id of its content.
 */
function isSameImage(reported: string, asked: string): boolean {
  if (CONTENT_ID.test(reported)) return asked.startsWith('local/')
  const [one, other] = [parseImageReference(reported), parseImageReference(asked)]
  return one.ok && other.ok ? repositoryOf(one.reference) === repositoryOf(other.reference) : reported === asked
}

const repositoryOf = ({ domain, path }: ImageReference): string =>
  DEFAULT_REGISTRIES.includes(domain) ? path.replace(/^library\//, '') : `${domain}/${path}`

/** Whether the value is the answer of a call without a result. */
export const readNothing = (value: JsonValue): true | undefined => (value === null ? true : undefined)
