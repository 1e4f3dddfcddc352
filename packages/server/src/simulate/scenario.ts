import { readFileSync } from 'node:fs'
import type { JsonValue, MatchmakingConfig } from '@matchyard/core'
import { validateConfig } from '@matchyard/core/matchmaking'
import { matchmaking as matchmakingCodec } from '@matchyard/http'
import { z } from 'zod'
import { ConfigurationError } from '../service/storage-url'

const weights = z.record(z.string(), z.number().positive())

/** How one field of a player's state is drawn. */
const fieldSchema = z.union([
  z.strictObject({
    normal: z.strictObject({ mean: z.number(), deviation: z.number().positive() }),
    min: z.number().optional(),
    max: z.number().optional(),
  }),
  z.strictObject({ uniform: z.strictObject({ min: z.number(), max: z.number() }) }),
  /** One of these texts, each as often as its weight says. */
  z.strictObject({ choice: weights }),
  /** Some of these texts, each drawn once; `count` says how many, by weight. */
  z.strictObject({ some: weights, count: weights }),
  z.strictObject({ constant: z.json() }),
])
export type FieldDraw = z.output<typeof fieldSchema>

const scenarioSchema = z.strictObject({
  seed: z.number().int().optional(),
  /** As in the body of POST /v1/queues. */
  matchmaking: matchmakingCodec.body,
  /** The queue's own timeout in seconds, default 300. */
  timeout: z.number().positive().optional(),
  server_region: z.string().optional(),
  /** Seconds between ticks when people keep arriving; default 0.05, as fast as a director that ticks on change. */
  tick_seconds: z.number().positive().optional(),
  arrivals: z.union([
    z.strictObject({
      /** Parties per second. */
      rate: z.number().positive(),
      parties: z.number().int().positive(),
      /** Players per party, by weight; default all alone. */
      party_sizes: weights.optional(),
      fields: z.record(z.string(), fieldSchema).optional(),
    }),
    /** A recorded file: one JSON object a line, `{"at": seconds, "players": [{"state": {…}}]}`. */
    z.strictObject({ file: z.string() }),
  ]),
})

export interface Scenario {
  readonly name: string
  readonly seed: number
  readonly config: MatchmakingConfig
  readonly timeoutSeconds: number
  readonly tickSeconds: number
  readonly arrivals: z.output<typeof scenarioSchema>['arrivals']
}

/** Reads a scenario; every fault is named with its place. */
export function readScenario(file: string): Scenario {
  const parsed = scenarioSchema.safeParse(readJson(file))
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`)
    throw new ConfigurationError(`${file}: ${faults.join('; ')}`)
  }
  const { matchmaking, timeout, server_region: serverRegion, seed, tick_seconds: tickSeconds, arrivals } = parsed.data
  const { timeoutSeconds, ...config } = { ...matchmakingCodec.decode(matchmaking), serverRegion: serverRegion ?? null }
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
    timeoutSeconds: Math.min(timeout ?? 300, timeoutSeconds ?? Number.POSITIVE_INFINITY),
    tickSeconds: tickSeconds ?? 0.05,
    arrivals,
  }
}

function readJson(file: string): JsonValue {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JsonValue
  } catch (error) {
    throw new ConfigurationError(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`)
  }
}
