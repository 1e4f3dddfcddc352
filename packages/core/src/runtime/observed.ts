import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import type { Context } from '../context/context'
import { accept } from '../errors/decision'
import type { ObservedServer, ServerExit } from '../ports/orchestrator'
import { processEnded as decideEnded } from '../server/decide'
import type { GameServer } from '../server/game-server'
import { becomeReady, learnPorts } from '../server/launch'

/** The process takes players: its server runs, its lobbies are in the game, the meter starts. */
export async function becameReady(
  ctx: Context,
  { id, attempt }: GameServer,
  { networkPorts }: ObservedServer,
): Promise<void> {
  await change(ctx, ofServer, id, (server, { at }) =>
    accept(...learnPorts(server, { attempt, networkPorts }), ...becomeReady(server, { attempt, at })),
  )
}

/** The platform has given it ports, where it was not the one that asked who chose them. */
export async function learnedPorts(
  ctx: Context,
  seen: GameServer,
  { attempt, networkPorts }: ObservedServer,
): Promise<void> {
  if (learnPorts(seen, { attempt, networkPorts }).length === 0) return
  await change(ctx, ofServer, seen.id, (server) => accept(...learnPorts(server, { attempt, networkPorts })))
}

/** The process of a running or stopping server ended: normally, by a crash that is mended, or for good. */
export async function processEnded(ctx: Context, { id, attempt }: GameServer, exit: ServerExit): Promise<void> {
  await change(ctx, ofServer, id, (server, { at }) => accept(...decideEnded(server, { attempt, exit, at })))
}

/** A process that nobody watched when it ended stopped when it was last seen alive (docs/http-api.md §3). */
export async function endedUnseen(ctx: Context, server: GameServer): Promise<ServerExit> {
  const seen = (await ctx.storage.presence.read(server.id)).map((sighting) => sighting.at)
  return { code: null, signal: null, at: Math.max(server.runningAt ?? server.createdAt, ...seen) }
}
