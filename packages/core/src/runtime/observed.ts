import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import type { Service } from '../node/service'
import type { ObservedServer, ServerExit } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import { uniqueKeysOf } from '../ports/storage/index'
import { decideProcessEnded as decideEnded } from '../server/decide'
import type { ServerEvent } from '../server/events'
import type { GameServer } from '../server/game-server'
import { becomeReady, learnPorts, learnWarm, type NeverReady } from '../server/launch'
import type { Instant } from '../shared/time'

/** The process takes players: its server runs, its lobbies are in the game, the meter starts. */
export async function becameReady(ctx: Service, server: GameServer, told: ObservedServer): Promise<void> {
  await learn(ctx, server, told, (now, at) => becomeReady(now, { attempt: server.attempt, at }))
}

/** Records facts that only the platform knows: the assigned ports, and whether the server had been started before. */
export async function learnedMore(ctx: Service, seen: GameServer, told: ObservedServer): Promise<void> {
  if (learned(seen, seen.attempt, told).length > 0) await learn(ctx, seen, told, () => [])
}

const learned = (server: GameServer, attempt: number, { networkPorts, warm }: ObservedServer) => [
  ...learnPorts(server, { attempt, networkPorts }),
  ...learnWarm(server, { attempt, warm }),
]

/**
 * A port that the platform gave it may be another's still by the record: where both were restarted and changed ports, for ever, were each to wait for
 * the other. So it lets go of those that it had, and the next look finds them free.
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

/** The process of a running or stopping server ended: normally, by a crash that is mended, or for good. */
export async function processEnded(
  ctx: Service,
  { id, attempt }: GameServer,
  exit: ServerExit,
  ran?: NeverReady,
): Promise<void> {
  await change(ctx, ofServer, id, (server, { at }) => accept(...decideEnded(server, { attempt, exit, at, ran })))
}

/** A process that nobody watched when it ended stopped when it was last seen alive (docs/http-api.md §3). */
export async function endedUnseen(ctx: Ports, server: GameServer): Promise<ServerExit> {
  const seen = (await ctx.storage.presence.read(server.id)).map((sighting) => sighting.at)
  return { code: null, signal: null, at: Math.max(server.runningAt ?? server.createdAt, ...seen) }
}
