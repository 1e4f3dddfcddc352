import { z } from '@hono/zod-openapi'
import {
  type AgentAnswer,
  type AgentFacts,
  type BatchEffect,
  BUILD_TYPES,
  type MachineBeacon,
  type ObservedBatch,
  REGIONS,
} from '@matchyard/core'
import { AGENT_BATCH, AGENT_FACTS, holdsUnseen, PORT_NUMBER } from '@matchyard/core/domain'
import type { NodeLimits, StoredArchive } from '@matchyard/core/ports'
import { answerOf, type BodyCodec, described, given, plain, required } from './codec/index'
import { oneOf, string, whole } from './shared'

const { amount, idLength, hostLength } = AGENT_FACTS
const count = z.int().min(0).max(amount)
const id = z.string().min(1).max(AGENT_BATCH.idLength)

const limits = z
  .object({
    servers: count,
    cpus: z.number().positive().max(amount),
    memory_mb: count,
  })
  .partial()

const NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?$/i
const isAddress = (text: string) => z.union([z.ipv4(), z.ipv6()]).safeParse(text).success

/** Host that players and their programs connect to: the rule of `SERVER_HOST`. */
const host = z
  .string()
  .min(hostLength.min)
  .max(hostLength.max)
  .refine((text) => NAME.test(text) || isAddress(text), 'must be a name or an address, without scheme and port')

/** Whether a text is a URL that pages of games may call, and that no browser takes for a program. */
function isBeaconUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === ''
}

const beacon = z
  .object({
    host,
    udp_port: z.int().min(PORT_NUMBER.min).max(PORT_NUMBER.max).optional(),
    url: z.string().max(AGENT_FACTS.urlLength).refine(isBeaconUrl, 'must be an https URL').optional(),
    region: z.enum(REGIONS).optional(),
  })
  .refine(({ udp_port, url }) => udp_port !== undefined || url !== undefined, 'must have a udp_port or a url')

/** Schema of the properties of an agent, in the header `matchyard-agent`. Unknown fields are those of a newer agent. */
export const agentFactsBody = z.object({
  agent_id: z
    .string()
    .min(idLength.min)
    .max(idLength.max)
    .regex(/^[A-Za-z0-9_-]*$/, 'must be letters, digits, dashes and underscores'),
  version: z
    .string()
    .max(AGENT_FACTS.versionLength)
    .refine((text) => !holdsUnseen(text), 'must not contain invisible characters')
    .nullable(),
  regions: z
    .array(z.enum(REGIONS))
    .min(1)
    .refine((regions) => new Set(regions).size === regions.length, 'must name each region once'),
  host,
  limits,
  capabilities: z.object({
    build_types: z.array(z.enum(BUILD_TYPES)).max(BUILD_TYPES.length),
    limitations: z.array(z.string().max(AGENT_FACTS.limitationLength)).max(AGENT_FACTS.limitations),
    keeps_warm: z.boolean(),
    keeps_secrets_cold: z.boolean().optional(),
    ends_tls: z.boolean().optional(),
  }),
  beacons: z.array(beacon).max(AGENT_FACTS.beacons),
})

type FactsBody = z.output<typeof agentFactsBody>

/** Returns the properties of an agent in the form of the header. */
export const writtenFacts = ({ agentId, release, regions, host, limits, capabilities, beacons }: AgentFacts) => ({
  agent_id: agentId,
  version: release,
  regions: [...regions],
  host,
  limits: { servers: limits.maxServers, cpus: limits.maxServerCpus, memory_mb: limits.maxServerMemoryMb },
  capabilities: {
    build_types: [...capabilities.buildTypes],
    limitations: [...capabilities.limitations],
    keeps_warm: capabilities.keepsWarm,
    keeps_secrets_cold: capabilities.keepsSecretsCold,
    ends_tls: capabilities.endsTls,
  },
  beacons: beacons.map(({ host, udpPort, url, region }) => ({ host, udp_port: udpPort, url, region })),
})

/** Returns the properties of an agent from the form of the header. */
export function readFacts({
  agent_id: agentId,
  version,
  limits,
  capabilities,
  beacons,
  ...facts
}: FactsBody): AgentFacts {
  const { build_types: buildTypes, limitations, keeps_warm: keepsWarm } = capabilities
  const { keeps_secrets_cold: keepsSecretsCold, ends_tls: endsTls } = capabilities
  return {
    ...facts,
    agentId,
    release: version,
    limits: known<NodeLimits>({
      maxServers: limits.servers,
      maxServerCpus: limits.cpus,
      maxServerMemoryMb: limits.memory_mb,
    }),
    capabilities: { buildTypes, limitations, keepsWarm, ...known({ keepsSecretsCold, endsTls }) },
    beacons: beacons.map(
      ({ udp_port: udpPort, host, url, region }) => ({ host, ...known({ udpPort, url, region }) }) as MachineBeacon,
    ),
  }
}

/** Returns an object without the fields that have no value. */
const known = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never

const answer = z
  .strictObject({
    number: described(z.int().min(1), 'Number of the call.'),
    value: described(z.unknown().optional(), 'Result of the call.'),
    error: described(z.string().max(AGENT_BATCH.errorLength).optional(), 'Message of the error that the call threw.'),
  })
  .refine((one) => 'value' in one !== 'error' in one, 'must have either a value or an error')

const load = z.strictObject({
  cpu_percent: described(z.number().min(0), 'Load average of the last minute, in percent of all processors.'),
  memory_mb: described(z.number().min(0), 'Memory in use by all programs, in megabytes.'),
})

const batchBody = z.strictObject({
  session: described(id, 'Session that the first event of the stream named.'),
  number: described(z.int().min(1), 'Number of the batch; the first of a session is 1.'),
  answers: described(z.array(answer).max(AGENT_BATCH.answers), 'Answers to calls.'),
  hints: described(
    z.array(z.string().max(AGENT_BATCH.idLength)).max(AGENT_BATCH.hints),
    'Servers whose state may have changed; an empty text means that capacity became free.',
  ),
  load: described(load.optional(), 'Load of the machine, when it was measured.'),
})

/** Codec of a batch of an agent. */
export const observedBatch: BodyCodec<ObservedBatch, typeof batchBody> = {
  body: batchBody,
  decode: ({ load, answers, ...batch }) => ({
    ...batch,
    answers: answers as readonly AgentAnswer[],
    ...(load === undefined ? {} : { load: { cpuPercent: load.cpu_percent, memoryMb: load.memory_mb } }),
  }),
  names: undefined,
}

/** Returns a batch in the form of the body. */
export const writtenBatch = ({ session, number, answers, hints, load }: ObservedBatch) => ({
  session,
  number,
  answers,
  hints,
  ...(load === undefined ? {} : { load: { cpu_percent: load.cpuPercent, memory_mb: load.memoryMb } }),
})

export const takenBatch = answerOf<{ readonly taken: Exclude<BatchEffect, 'elsewhere'> }>()({
  taken: required(
    oneOf(['heard', 'repeated', 'foreign']),
    '`heard`: the batch was taken. `repeated`: it was taken before. `foreign`: it is of another session, and the agent drops it.',
  ),
})

export const machineBuild = answerOf<StoredArchive & { readonly url: string; readonly sha256: string | null }>({
  sizeBytes: 'size_bytes',
})({
  url: required(
    string,
    'URL of the archive in the build store, valid for 5 minutes; or a path of this service, to which the agent sends its token.',
  ),
  sizeBytes: required(whole, 'Bytes of the archive.'),
  sha256: given(string, 'SHA-256 of the archive in hexadecimal digits; absent when the service does not know it.'),
})

/** First event of an agent's stream. */
export interface BegunSession {
  /** Name of the session, which the agent repeats in its batches. */
  readonly session: string
  /** Machine of the token. */
  readonly machineId: string
  /** Milliseconds between two heartbeats of the stream. */
  readonly heartbeatMs: number
}

/** Returns the first event in the form of its data. */
export const writtenSession = ({ session, machineId, heartbeatMs }: BegunSession) => ({
  session,
  machine_id: machineId,
  heartbeat_ms: heartbeatMs,
})

/** Codec of the data of the events of an agent's stream. */
export const agentEvent = plain(
  z.union([
    z.object({
      session: described(z.string(), 'Session of the stream.'),
      machine_id: described(z.string(), 'Machine of the agent.'),
      heartbeat_ms: described(z.int(), 'Milliseconds between two heartbeats.'),
    }),
    z.object({
      number: described(z.int(), 'Number of the call.'),
      call: described(
        z.string(),
        'Name of the call of the Orchestrator port; its further fields are those of the port.',
      ),
    }),
    z.object({ reason: described(z.enum(['replaced', 'revoked', 'stopped']), 'Reason for which the stream ends.') }),
  ]),
)
