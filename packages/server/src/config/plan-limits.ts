import { readFileSync } from 'node:fs'
import { type PlanLimits, REGIONS, TIERS, UNLIMITED } from '@matchyard/core'
import { z } from 'zod'
import { Fault } from './setting'

const countOrUnlimited = z.int().min(UNLIMITED)

/** Schema of plan limits, with the names of `limits` in the answer of GET /v1/billing/plan. */
const limitsSchema = z.strictObject({
  max_concurrent_servers: countOrUnlimited,
  max_tier: z.enum(TIERS),
  max_server_ttl: countOrUnlimited,
  regions: z.array(z.enum(REGIONS)).min(1),
  max_builds: countOrUnlimited,
  queues_enabled: z.boolean(),
  lobbies_enabled: z.boolean(),
  matchmaking_enabled: z.boolean(),
})

const someLimits = limitsSchema.partial()

/**
 * Reads the plan limits of the operator's accounts, from JSON or from a JSON file. A limit that is left out does not
 * apply.
 */
export function readPlanLimits(text: string): Partial<PlanLimits> | Fault {
  const isInline = text.trimStart().startsWith('{')
  let json: unknown
  try {
    json = JSON.parse(isInline ? text : readFileSync(text, 'utf8'))
  } catch (error) {
    const what = isInline ? 'it' : text
    const why =
      error instanceof SyntaxError ? 'is not JSON' : `cannot be read (${(error as NodeJS.ErrnoException).code})`
    return new Fault(`${what} ${why}; give limits like {"max_concurrent_servers": 20}, or a file of them`)
  }
  const parsed = someLimits.safeParse(json)
  if (parsed.success) return inWordsOfCore(parsed.data)
  const issue = parsed.error.issues[0]
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return new Fault(
    `${where}${issue?.message ?? 'not limits'}; the names are ${Object.keys(limitsSchema.shape).join(', ')}`,
  )
}

function inWordsOfCore(sent: z.output<typeof someLimits>): Partial<PlanLimits> {
  const limits = {
    maxConcurrentServers: sent.max_concurrent_servers,
    maxTier: sent.max_tier,
    maxServerTtl: sent.max_server_ttl,
    regions: sent.regions,
    maxBuilds: sent.max_builds,
    queuesEnabled: sent.queues_enabled,
    lobbiesEnabled: sent.lobbies_enabled,
    matchmakingEnabled: sent.matchmaking_enabled,
  }
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) as Partial<PlanLimits>
}
