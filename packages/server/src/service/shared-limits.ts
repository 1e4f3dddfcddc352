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

/**
 * The table is in the schema of the storage, because a database user may lack the permission to create tables
 * elsewhere.
 */
const [SCHEMA, TABLE] = ['matchyard', 'rate_limit']
export const LIMITS_POOL_SIZE = 4
/**
 * Timeout in milliseconds of the statement that counts a call. If this short statement takes longer, the call fails
 * instead of waiting in a queue. Its connection is then closed, so all four connections of the pool are replaced within
 * ten seconds if they are dead.
 */
const ANSWER_WITHIN_MS = 2_500

/**
 * Client that sends statements without names. A pooler in transaction mode may send the next statement to another
 * server process, which does not know the name.
 */
class NamelessClient extends Client {
  constructor(...given: ConstructorParameters<typeof Client>) {
    super(...given)
    const send = this.query.bind(this) as (config: QueryConfig, callback: unknown) => Promise<QueryResult>
    // The pool calls `query` with a callback.
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
    // The server's timeout ends a slow statement before the client closes its connection. A pooler accepts no session
    // settings.
    ...(isPooled ? { Client: NamelessClient } : { statement_timeout: Math.ceil(0.8 * answerWithinMs) }),
    query_timeout: answerWithinMs,
    keepAlive: true,
  })

/** Error codes for a table that another process created at the same time. */
const MADE_MEANWHILE = ['23505', '42P07']

export interface LimitsOptions {
  readonly answerWithinMs?: number
  /** Whether the URL leads to a pooler in transaction mode. */
  readonly isPooled?: boolean
  /** Returns the time in milliseconds. Default: the system's time. Rows are written with this time. */
  readonly now?: () => number
}

/** Number of counted calls, and milliseconds, after which expired rows are removed again, whichever comes first. */
const SWEEP_AFTER_COUNTS = 1_000
const SWEEP_AFTER_MS = 60_000

export interface SharedLimits {
  readonly limiter: RateLimiter
  close(): Promise<void>
}

/**
 * Returns rate limits that are counted in the nodes' shared database, so that a limit (for example of cancellations)
 * holds for all nodes together (docs/http-api.md §6).
 */
export function sharedLimitsOf(
  databaseUrl: string,
  logger: Logger,
  { answerWithinMs = ANSWER_WITHIN_MS, isPooled = false, now = Date.now }: LimitsOptions = {},
): SharedLimits {
  const pool = poolOf(databaseUrl, { answerWithinMs, isPooled })
  // A connection that is lost while idle is replaced when a connection is needed again.
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

/**
 * Returns a limiter that counts in the database as long as the owner of the key has free rows, and in this process
 * otherwise.
 */
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

/** Returns a function that removes expired rows from time to time, without delaying the counts. */
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
    // The package's own removal of expired rows is off. The sweeper in this file removes them much sooner.
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

/** Removes all counts. Otherwise counts that were made while the clock was ahead would stay valid for weeks. */
export async function forgetSharedLimits(databaseUrl: string): Promise<void> {
  const pool = poolOf(databaseUrl, { answerWithinMs: ANSWER_WITHIN_MS, isPooled: false })
  try {
    await makeTable(pool)
    await pool.query(`delete from ${SCHEMA}.${TABLE}`)
  } finally {
    await pool.end()
  }
}

/**
 * Returns the hash of a key. The column is short, while keys may contain e-mail addresses and player names in any
 * script.
 */
const columnOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

async function makeTable(pool: Pool): Promise<void> {
  try {
    // The table is unlogged: counts of seconds and minutes need not survive a power cut.
    await pool.query(
      `create unlogged table if not exists ${SCHEMA}.${TABLE} (key varchar(255) primary key, points integer not null default 0, expire bigint)`,
    )
  } catch (error) {
    if (!MADE_MEANWHILE.includes((error as { code?: string }).code ?? '')) throw error
  }
}
