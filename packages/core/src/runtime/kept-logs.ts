import { isSharedPlace, runningPlaceOf } from '../node/place'
import type { Service } from '../node/service'
import type { KeptLogEntry, KeptLogs } from '../ports/kept-logs'
import type { Logger } from '../ports/logger'
import type { Ports } from '../ports/ports'
import { StorageUnavailable } from '../ports/storage/commit'
import { nodeSighting } from '../reads/node-presence'
import { type GameServer, isLive } from '../server/game-server'
import { newestLines, type ServerLogLine } from '../server/log-line'
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../shared/time'
import { isAnyAlive, seenHere } from './seen-here'

/** Maximum bytes of the kept log of one server; the newest lines are kept. */
const KEPT_LOG_BYTES = 1_000_000
/** Maximum number of lines of the kept log of one server. */
const KEPT_LOG_LINES = 20_000
/** Maximum bytes of all kept logs of one project. The oldest logs are removed first. */
const KEPT_LOG_BYTES_PER_PROJECT = 1_000_000_000
/** Maximum number of kept logs of one project. The oldest logs are removed first. */
const KEPT_LOGS_PER_PROJECT = 10_000
/** Milliseconds between two removals of kept logs that are too old or too many. */
const PRUNE_LOGS_EVERY_MS = 15 * MINUTE_MS
/** Maximum number of removals that fail in one run before the run ends. The next run tries all of them again. */
const MAX_FAILED_REMOVALS = 10
/** Milliseconds after the end of a server within which its log must be kept, while its node or the build store is away. */
const KEEP_LOG_WITHIN_MS = 15 * MINUTE_MS
/**
 * Milliseconds until a node claims the job again that another node cannot do. Any node may claim it, so the node with the log does after
 * about as many seconds as there are nodes.
 */
const CLAIM_AGAIN_MS = SECOND_MS
/** Milliseconds until the next claim of that job while the node with the log is away. */
const CLAIM_AGAIN_WHILE_AWAY_MS = 30 * SECOND_MS

type Ended = Pick<GameServer, 'id' | 'projectId'> & { readonly stoppedAt: Instant }

const hasEnded = (server: GameServer | undefined): server is GameServer & Ended =>
  server !== undefined && !isLive(server) && server.stoppedAt !== null

/** Returns the name of a server's kept log. The names of a project's logs are in the order of the servers' ends. */
const nameOf = ({ id, projectId, stoppedAt }: Ended): string =>
  `${projectId}/${String(stoppedAt).padStart(13, '0')}-${id}`

const endOf = ({ name }: KeptLogEntry): Instant => Number(/\/(\d+)-/.exec(name)?.[1] ?? Number.NaN)
const projectOf = ({ name }: KeptLogEntry): string => name.slice(0, name.indexOf('/'))

/**
 * Keeps the log of an ended server in the build store, so that every node can read it. The node that has the log does this; another node
 * leaves the job to it. Returns the time of the next look; undefined when nothing is left to do.
 */
export async function keepServerLog(ctx: Service, instanceId: string): Promise<number | undefined> {
  const server = await ctx.storage.get('server', instanceId)
  if (!hasEnded(server) || server.nodeId === null) return undefined
  const now = ctx.clock.now()
  if (now - server.stoppedAt > KEEP_LOG_WITHIN_MS) return undefined
  const place = runningPlaceOf(ctx, server.nodeId)
  if (place === undefined) {
    const seenAt = (await nodeSighting(ctx, server.nodeId))?.at ?? 0
    const isAway = now - seenAt > ctx.settings.nodeLostAfterMs
    return now + (isAway ? CLAIM_AGAIN_WHILE_AWAY_MS : CLAIM_AGAIN_MS)
  }
  // The node with the log decides this, because a node without game servers may have no build store. Nodes that share an orchestrator can
  // all read the logs that it keeps itself.
  const { logs } = ctx.buildStore
  if (logs === null || ctx.settings.logRetentionHours === 0 || isSharedPlace(place)) return undefined
  // A process that is still being stopped may write more lines.
  if (isAnyAlive(await seenHere(place, server))) return now + SECOND_MS
  const lines = await place.orchestrator.logs(server.id, { limit: KEPT_LOG_LINES, region: server.region })
  await logs.put(nameOf(server), JSON.stringify({ lines: newestLines(lines, KEPT_LOG_BYTES) }))
  return undefined
}

/** Returns the lines of a kept log. Throws SyntaxError when the text is damaged. */
function linesIn(text: string): readonly ServerLogLine[] {
  const { lines } = (JSON.parse(text) ?? {}) as { readonly lines?: readonly ServerLogLine[] }
  if (!Array.isArray(lines)) throw new SyntaxError('the kept log has no lines')
  return lines
}

/**
 * Returns the newest lines of a server's kept log, oldest first. Returns undefined when the log is not kept or is damaged, or when the
 * build store does not answer.
 */
export async function keptLogOf(
  ctx: Ports,
  server: GameServer,
  { limit, since = Number.NEGATIVE_INFINITY }: { readonly limit: number; readonly since?: Instant },
): Promise<ServerLogLine[] | undefined> {
  const { logs } = ctx.buildStore
  if (logs === null || !hasEnded(server)) return undefined
  try {
    const text = await logs.get(nameOf(server))
    return text === undefined
      ? undefined
      : linesIn(text)
          .filter(({ at }) => at >= since)
          .slice(-limit)
  } catch (error) {
    if (!(error instanceof StorageUnavailable || error instanceof SyntaxError)) throw error
    ctx.logger.warn('the kept log of a game server was not read', { instance_id: server.id, error: String(error) })
    return undefined
  }
}

/** Removes kept logs that are too old, and the oldest ones of a project that has too many. Returns the time of the next run. */
export async function pruneLogs(ctx: Ports): Promise<number> {
  const { logs } = ctx.buildStore
  if (logs !== null) {
    await pruneIn(removingFrom(logs, ctx.logger), ctx.clock.now() - ctx.settings.logRetentionHours * HOUR_MS).catch(
      (error: unknown) =>
        ctx.logger.warn('old logs of game servers were not removed; retrying', { error: String(error) }),
    )
  }
  return ctx.clock.now() + PRUNE_LOGS_EVERY_MS
}

/** Returns kept logs of which a few may fail to be removed. One log that cannot be removed holds up no other. */
function removingFrom(logs: KeptLogs, logger: Logger): Pick<KeptLogs, 'list' | 'remove'> {
  let failures = 0
  const remove = (name: string) =>
    logs.remove(name).catch((error: unknown) => {
      if (++failures > MAX_FAILED_REMOVALS) throw error
      logger.warn('an old log of a game server was not removed; retrying', { log: name, error: String(error) })
    })
  return { list: (after) => logs.list(after), remove }
}

async function pruneIn(logs: Pick<KeptLogs, 'list' | 'remove'>, oldest: Instant): Promise<void> {
  let kept: KeptLogEntry[] = []
  let bytes = 0
  for (let page = await logs.list(); page.length > 0; page = await logs.list(page.at(-1)?.name)) {
    for (const log of page) {
      if (endOf(log) < oldest) {
        await logs.remove(log.name)
        continue
      }
      if (kept[0] === undefined || projectOf(kept[0]) !== projectOf(log)) {
        kept = []
        bytes = 0
      }
      kept.push(log)
      bytes += log.bytes
      while (kept.length > KEPT_LOGS_PER_PROJECT || bytes > KEPT_LOG_BYTES_PER_PROJECT) {
        const first = kept.shift()
        if (first === undefined) break
        bytes -= first.bytes
        await logs.remove(first.name)
      }
    }
  }
}
