import { readFileSync } from 'node:fs'
import type { JsonValue } from '@matchyard/core'
import { DEFAULT_BACKFILL_SECONDS, isJsonObject } from '@matchyard/core/domain'
import { matchmaking as matchmakingCodec } from '@matchyard/http'
import { validateConfig } from '@matchyard/matchmaking'
import {
  configOfQueue,
  DEFAULT_TIMEOUT_SECONDS,
  type FieldDraw,
  type GeneratedArrivals,
  type Live,
  type QueueJson,
  type Scenario,
  scenarioOfQueue,
  TICK_SECONDS,
  WILLING,
} from '@matchyard/matchmaking/simulation'
import { z } from 'zod'
import { ConfigurationError } from '../service/storage-url'

const weights = z.record(z.string(), z.number().positive())

/** Schema of the random distribution of one field of a player's state. */
const fieldSchema: z.ZodType<FieldDraw> = z.union([
  z.strictObject({
    normal: z.strictObject({ mean: z.number(), deviation: z.number().positive() }),
    min: z.number().optional(),
    max: z.number().optional(),
  }),
  z.strictObject({ uniform: z.strictObject({ min: z.number(), max: z.number() }) }),
  /** A text from this list, chosen by weight. */
  z.strictObject({ choice: weights }),
  /** Several different texts of this list, chosen by weight. `count` is the number of texts, also chosen by weight. */
  z.strictObject({ some: weights, count: weights }),
  z.strictObject({ constant: z.json() }),
])

const share = z.number().min(0).max(1)

/** Schema of the behaviour of players and game servers after a match was found. */
const liveSchema = z
  .strictObject({
    /** Share of the players in a ready check who decline; `silent` is the share who do not answer. */
    decline: share.optional(),
    silent: share.optional(),
    /** Maximum time of an answer in seconds; all times up to it are equally likely. Default: 5. */
    answer_seconds: z.number().positive().optional(),
    /** Duration of a match in seconds. If it is missing, each match ends as soon as it is made. */
    match_seconds: z.number().positive().optional(),
    /** Share of the matches that lose a player before they end. */
    leave: share.optional(),
    /** Maximum number of matches that run at the same time. Default: no limit. */
    capacity: z.number().int().positive().optional(),
    /** Seconds for which a match waits for free capacity. Default: 120. */
    capacity_timeout: z.number().positive().optional(),
  })
  .refine(({ decline = 0, silent = 0 }) => decline + silent <= 1, 'decline and silent are more than everybody')
  .refine(
    ({ leave, capacity, match_seconds }) => match_seconds !== undefined || (leave ?? capacity) === undefined,
    'leave and capacity need match_seconds: how long a match is played',
  )

const liveOf = (given: z.output<typeof liveSchema>): Live => ({
  decline: given.decline ?? WILLING.decline,
  silent: given.silent ?? WILLING.silent,
  answerSeconds: given.answer_seconds ?? WILLING.answerSeconds,
  matchSeconds: given.match_seconds,
  leave: given.leave ?? WILLING.leave,
  capacity: given.capacity ?? WILLING.capacity,
  capacityTimeoutSeconds: given.capacity_timeout ?? WILLING.capacityTimeoutSeconds,
})

const scenarioSchema = z.strictObject({
  seed: z.number().int().optional(),
  /** Settings as in the body of POST /v1/queues. */
  matchmaking: matchmakingCodec.body,
  /** Seconds after which a waiting ticket expires. Default: 300. */
  timeout: z.number().positive().optional(),
  server_region: z.string().optional(),
  live: liveSchema.optional(),
  /** Seconds between two ticks while players arrive. Default: 0.05, as for a director that ticks after each change. */
  tick_seconds: z.number().positive().optional(),
  arrivals: z.union([
    z.strictObject({
      /** Parties per second. */
      rate: z.number().positive(),
      parties: z.number().int().positive(),
      /** Weights of the numbers of players per party. Default: every party is one player. */
      party_sizes: weights.optional(),
      fields: z.record(z.string(), fieldSchema).optional(),
    }),
    /** Recorded file with one JSON object per line: `{"at": seconds, "players": [{"state": {…}}]}`. */
    z.strictObject({ file: z.string() }),
  ]),
})

/** Assumed duration of the arrivals in seconds, for a file that is read while it is replayed. */
const UNKNOWN_SPAN_SECONDS = 3_600

/** Scenario together with its arrivals. */
export interface ScenarioFile extends Scenario {
  readonly arrivals: GeneratedArrivals | { readonly file: string }
}

/**
 * Reads a scenario. `instead` replaces the arrivals of the scenario. Throws ConfigurationError, which names the
 * location of every fault in the file.
 */
export function readScenario(file: string, instead?: GeneratedArrivals): ScenarioFile {
  const read = readJson(file)
  const parsed = scenarioSchema.safeParse(
    instead === undefined || !isJsonObject(read) ? read : { ...read, arrivals: instead },
  )
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`)
    throw new ConfigurationError(`${file}: ${faults.join('; ')}`)
  }
  const {
    matchmaking,
    timeout,
    server_region: serverRegion,
    seed,
    tick_seconds: tickSeconds,
    arrivals,
    live,
  } = parsed.data
  const { timeoutSeconds, readyCheck, backfill, lateJoin: _, ...rules } = matchmakingCodec.decode(matchmaking)
  const priority = backfill?.priority === undefined ? {} : { backfillPriority: backfill.priority }
  const config = { ...rules, ...priority, serverRegion: serverRegion ?? null }
  const issues = validateConfig(config)
  if (issues.length > 0) {
    throw new ConfigurationError(
      `${file}: ${issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
    )
  }
  return {
    name: file,
    seed: seed ?? 1,
    config,
    live: live && liveOf(live),
    readyCheckSeconds: readyCheck?.timeoutSeconds,
    backfillSeconds: backfill?.automatic === true ? (backfill.timeoutSeconds ?? DEFAULT_BACKFILL_SECONDS) : undefined,
    timeoutSeconds: Math.min(timeout ?? DEFAULT_TIMEOUT_SECONDS, timeoutSeconds ?? Number.POSITIVE_INFINITY),
    tickSeconds: tickSeconds ?? TICK_SECONDS,
    spanSeconds: 'file' in arrivals ? UNKNOWN_SPAN_SECONDS : arrivals.parties / arrivals.rate,
    arrivals,
  }
}

/**
 * Reads rules for recorded arrivals. The file contains a scenario, whose own arrivals are ignored, or a queue in the
 * form of the API's answers or requests. Throws ConfigurationError, which names the location of every fault in the
 * file.
 */
export function readRules(file: string, spanSeconds: number): Scenario {
  const value = readJson(file)
  const isQueue = isJsonObject(value) && !('arrivals' in value) && ('queue_id' in value || 'server_settings' in value)
  if (!isQueue) return { ...readScenario(file, NOBODY), spanSeconds }
  const queue = value as QueueJson
  const parsed = matchmakingCodec.body.safeParse(queue.matchmaking)
  const faults = parsed.success
    ? validateConfig(configOfQueue(queue))
    : parsed.error.issues.map(({ path, message }) => ({ path: path.map(String), message }))
  if (faults.length > 0) {
    throw new ConfigurationError(
      `${file}: ${faults.map(({ path, message }) => `matchmaking.${path.join('.')}: ${message}`).join('; ')}`,
    )
  }
  return scenarioOfQueue(file, queue, spanSeconds)
}

const NOBODY: GeneratedArrivals = { rate: 1, parties: 1 }

function readJson(file: string): JsonValue {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JsonValue
  } catch (error) {
    throw new ConfigurationError(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`)
  }
}
