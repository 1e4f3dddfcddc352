import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import type { Service } from '../node/service'
import type { ObservedServer, ServerExit } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import { uniqueKeysOf } from '../ports/storage/index'
import { decideProcessEnded as decideEnded, isCrash } from '../server/decide'
import type { ServerEvent } from '../server/events'
import type { GameServer } from '../server/game-server'
import { becomeReady, learnPorts, learnWarm, type NeverReady } from '../server/launch'
import type { Instant } from '../shared/time'
import { crashReport } from './crash-report'

/** Records a server as running when its process accepts players. The server's lobbies become `in_game`, and metering begins. */
export async function becameReady(ctx: Service, server: GameServer, told: ObservedServer): Promise<void> {
  await learn(ctx, server, told, (now, at) => becomeReady(now, { attempt: server.attempt, at }))
}

/** Records facts that only the platform knows: the assigned ports, and whether the process was a warm server before. */
export async function learnedMore(ctx: Service, seen: GameServer, told: ObservedServer): Promise<void> {
  if (learned(seen, seen.attempt, told).length > 0) await learn(ctx, seen, told, () => [])
}

const learned = (server: GameServer, attempt: number, { networkPorts, warm }: ObservedServer) => [
  ...learnPorts(server, { attempt, networkPorts }),
  ...learnWarm(server, { attempt, warm }),
]

/**
 * Records the facts of an observation. A port that the platform assigned may still belong to another server in the records. If two servers
 * were restarted and each got the other's ports, each would wait for the other forever. A server whose ports conflict therefore releases
 * its recorded ports, and the next observation finds the ports free.
 */
async function learn(
  ctx: Service,
  seen: GameServer,
  told: ObservedServer,
  more: (server: GameServer, at: Instant) => readonly ServerEvent[],
): Promise<void> {
  const { id, attempt } = seen
  const { networkPorts = [] } = told
  const isItsPort = (key: string) => uniqueKeysOf({ kind: 'server', value: { ...seen, networkPorts } }).includes(key)
  let areTaken = false
  const decide = (server: GameServer, at: Instant) =>
    areTaken
      ? learnPorts(server, { attempt, networkPorts: [] })
      : [...learned(server, attempt, told), ...more(server, at)]
  await change(ctx, ofServer, id, (server, { at }) => accept(...decide(server, at)), {
    onConflict: (conflict) => {
      areTaken ||= conflict.on === 'unique' && isItsPort(conflict.id)
      return undefined
    },
  })
}

/**
 * Records the end of a running or stopping server's process. The end is normal, or a crash that leads to a restart, or a failure of the
 * server.
 */
export async function processEnded(ctx: Service, seen: GameServer, exit: ServerExit, ran?: NeverReady): Promise<void> {
  const { id, attempt } = seen
  const crash = isCrash(seen, exit) ? await crashReport(ctx, seen, exit) : undefined
  await change(ctx, ofServer, id, (server, { at }) => accept(...decideEnded(server, { attempt, exit, at, ran, crash })))
}

/**
 * Returns the exit of a process that ended while no node observed it. The process counts as ended at the time when it was last seen running
 * (docs/http-api.md §3).
 */
export async function endedUnseen(ctx: Ports, server: GameServer): Promise<ServerExit> {
  const seen = (await ctx.storage.presence.read(server.id)).map((sighting) => sighting.at)
  return { code: null, signal: null, at: Math.max(server.runningAt ?? server.createdAt, ...seen) }
}
