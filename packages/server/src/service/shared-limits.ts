import { createHash } from 'node:crypto'
import type { Logger } from '@matchyard/core/ports'
import {
  type FlexibleLimiter,
  flexibleRateLimiter,
  memoryRateLimiter,
  type RateLimiter,
  type RateRule,
} from '@matchyard/http'
import { postgresAddress } from '@matchyard/storage-postgres'
import { Client, Pool, type QueryConfig, type QueryResult } from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { RowBudget } from './row-budget'

/** Beside the tables of the storage: a database user need not be allowed to make tables anywhere else. */
const [SCHEMA, TABLE] = ['matchyard', 'rate_limit']
export const LIMITS_POOL_SIZE = 4
/**
 * Counting is one short statement, in milliseconds; what waits longer is refused rather than queued. A connection that has not answered
 * by then is given up: were all four dead without a word, the fourth would be by the tenth second.
 */
const ANSWER_WITHIN_MS = 2_500

/** A pooler in transaction mode knows no names of statements: the next one comes to a server process that never heard it. */
class NamelessClient extends Client {
  constructor(...given: ConstructorParameters<typeof Client>) {
    super(...given)
    const send = this.query.bind(this) as (config: QueryConfig, callback: unknown) => Promise<QueryResult>
    // The pool asks with a callback.
    const query = (given: string | QueryConfig, values?: unknown, callback?: unknown) => {
      const { text, values: bound = values } = typeof given === 'string' ? { text: given } : given
      return send(Array.isArray(bound) ? { text, values: bound } : { text }, callback)
    }
    this.query = query as unknown as Client['query']
  }
}

const poolOf = (databaseUrl: string, { answerWithinMs, isPooled }: Required<Omit<LimitsOptions, 'now'>>) =>
  new Pool({
    ...postgresAddress(databaseUrl),
    max: LIMITS_POOL_SIZE,
    connectionTimeoutMillis: answerWithinMs,
    // The server has the first word on what is only slow. A pooler takes no settings of a session.
    ...(isPooled ? { Client: NamelessClient } : { statement_timeout: Math.ceil(0.8 * answerWithinMs) }),
    query_timeout: answerWithinMs,
    keepAlive: true,
  })

/** Somebody else made the table at the same instant. */
const MADE_MEANWHILE = ['23505', '42P07']

export interface LimitsOptions {
  readonly answerWithinMs?: number
  /** Whether the URL leads to a pooler in transaction mode. */
  readonly isPooled?: boolean
  /** Default: the system's time, by which the rows are written. */
  readonly now?: () => number
}

/** Counts between two removals of the rows whose windows are over, and milliseconds likewise. */
const SWEEP_AFTER_COUNTS = 1_000
const SWEEP_AFTER_MS = 60_000

export interface SharedLimits {
  readonly limiter: RateLimiter
  close(): Promise<void>
}

/** Limits counted in the database that the nodes share: the cancel limit holds across nodes (docs/http-api.md §6). */
export function sharedLimitsOf(
  databaseUrl: string,
  logger: Logger,
  { answerWithinMs = ANSWER_WITHIN_MS, isPooled = false, now = Date.now }: LimitsOptions = {},
): SharedLimits {
  const pool = poolOf(databaseUrl, { answerWithinMs, isPooled })
  // A connection that is cut while nobody uses it is replaced at the next use.
  pool.on('error', (error) => logger.debug('an idle connection for limits ended', { error: error.message }))
  let table: Promise<void> | undefined
  const ready = () => {
    table ??= makeTable(pool).catch((error: unknown) => {
      table = undefined
      throw error
    })
    return table
  }
  const swept = sweeper(pool, logger, now)
  const counted = async () => {
    await ready()
    swept()
  }
  const limiter = flexibleRateLimiter((rule) => counterOf(pool, counted, rule))
  return { limiter: withinBudget(limiter, now), close: () => pool.end() }
}

/** Counts in the database as long as there are rows left for the owner of the key, and then in this process. */
function withinBudget(shared: RateLimiter, now: () => number): RateLimiter {
  const local = memoryRateLimiter({ now })
  const budgets = new Map<string, RowBudget>()
  const budgetOf = ({ name, windowMs }: RateRule) => {
    const budget = budgets.get(name) ?? new RowBudget(windowMs)
    budgets.set(name, budget)
    return budget
  }
  return {
    async consume(rule, key, owner = '') {
      const where = budgetOf(rule).takes(owner, key, now()) ? shared : local
      return where.consume(rule, key, owner)
    },
    async peek(rule, key) {
      const here = await local.peek(rule, key)
      return here.consumed > 0 ? here : shared.peek(rule, key)
    },
  }
}

/** Removes the rows whose windows are over, now and then, beside the counting. */
function sweeper(pool: Pool, logger: Logger, now: () => number): () => void {
  let [counts, sweptAt, isSweeping] = [0, now(), false]
  const sweep = async () => {
    isSweeping = true
    try {
      await pool.query(`delete from ${SCHEMA}.${TABLE} where expire < $1`, [now()])
    } catch (error) {
      logger.debug('limits that are over could not be removed', { error: String(error) })
    } finally {
      isSweeping = false
    }
  }
  return () => {
    counts++
    if (isSweeping || (counts < SWEEP_AFTER_COUNTS && now() - sweptAt < SWEEP_AFTER_MS)) return
    ;[counts, sweptAt] = [0, now()]
    void sweep()
  }
}

function counterOf(pool: Pool, ready: () => Promise<void>, rule: RateRule): FlexibleLimiter {
  const counter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: SCHEMA,
    tableName: TABLE,
    tableCreated: true,
    // Expired counts are removed here, much sooner.
    clearExpiredByTimeout: false,
    keyPrefix: rule.name,
    points: rule.points,
    duration: rule.windowMs / 1_000,
  })
  return {
    async consume(key) {
      await ready()
      return counter.consume(columnOf(key))
    },
    async get(key) {
      await ready()
      return counter.get(columnOf(key))
    },
  }
}

/** Takes every count back: those made by a clock that was ahead would hold for weeks. */
export async function forgetSharedLimits(databaseUrl: string): Promise<void> {
  const pool = poolOf(databaseUrl, { answerWithinMs: ANSWER_WITHIN_MS, isPooled: false })
  try {
    await makeTable(pool)
    await pool.query(`delete from ${SCHEMA}.${TABLE}`)
  } finally {
    await pool.end()
  }
}

/** The key column is short, and keys hold e-mail addresses and names of players in any script. */
const columnOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

async function makeTable(pool: Pool): Promise<void> {
  try {
    // Counts of seconds and minutes need not outlive a power cut.
    await pool.query(
      `create unlogged table if not exists ${SCHEMA}.${TABLE} (key varchar(255) primary key, points integer not null default 0, expire bigint)`,
    )
  } catch (error) {
    if (!MADE_MEANWHILE.includes((error as { code?: string }).code ?? '')) throw error
  }
}
