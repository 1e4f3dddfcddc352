import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import type { Context } from '../context/context'
import { accept } from '../errors/decision'
import type { ObservedServer, ServerExit } from '../ports/orchestrator'
import { processEnded as decideEnded } from '../server/decide'
import type { GameServer } from '../server/game-server'
import { becomeReady, learnPorts, learnWarm } from '../server/launch'

/** The process takes players: its server runs, its lobbies are in the game, the meter starts. */
export async function becameReady(
  ctx: Context,
  { id, attempt }: GameServer,
  { networkPorts, warm }: ObservedServer,
): Promise<void> {
  await change(ctx, ofServer, id, (server, { at }) =>
    accept(...learned(server, { attempt, networkPorts, warm }), ...becomeReady(server, { attempt, at })),
  )
}

type Told = { readonly [Name in 'networkPorts' | 'warm']: ObservedServer[Name] | undefined } & {
  readonly attempt: number
}

const learned = (server: GameServer, { attempt, networkPorts, warm }: Told) => [
  ...learnPorts(server, { attempt, networkPorts }),
  ...learnWarm(server, { attempt, warm }),
]

/** What the platform alone knows of it: the ports that it was given, and whether it had been started before. */
export async function learnedMore(ctx: Context, seen: GameServer, told: ObservedServer): Promise<void> {
  const { attempt, networkPorts, warm } = told
  if (learned(seen, { attempt, networkPorts, warm }).length === 0) return
  await change(ctx, ofServer, seen.id, (server) => accept(...learned(server, { attempt, networkPorts, warm })))
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
