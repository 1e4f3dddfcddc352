import type { CallOptions, Context } from '../context/context'
import type { ServiceError } from '../errors/service-error'
import { canMove } from '../lobby/evolve'
import type { Match } from '../match/match'
import type { CommitConflict } from '../ports/storage/index'
import type { ServerEvent } from '../server/events'
import { summaryOf } from '../server/evolve'
import { type GameServer, isLive } from '../server/game-server'
import { type JsonValue, jsonEqual } from '../shared/json'
import { finishMatch } from './close-match'
import { Plan } from './draft'
import { transact } from './transact'

export interface ServerChange {
  readonly events: readonly ServerEvent[]
  /** Turns a conflict into a refusal, for what another try cannot mend. */
  readonly onConflict?: (conflict: CommitConflict) => ServiceError | undefined
}

export type DecideServer = (server: GameServer, plan: Plan) => ServerChange | Promise<ServerChange>

/**
 * The way of every change of one server: read, decide, commit; its match follows in the same commit, so lobbies never show
 * a server that is not so (contract §6). Answers the server as the commit left it, undefined when there is none.
 */
export async function changeServer(
  ctx: Context,
  instanceId: string,
  decide: DecideServer,
  call?: CallOptions,
): Promise<GameServer | undefined> {
  return ctx.turns.run(instanceId, () =>
    transact(ctx, call, async () => {
      const plan = new Plan(ctx.clock.now())
      const before = await ctx.storage.get('server', instanceId)
      if (before === undefined) return { plan, answer: undefined }
      const { events, onConflict } = await decide(before, plan)
      const after = plan.server(before, events)
      if (after !== before) await carryToMatch(ctx, plan, before, after)
      return onConflict === undefined ? { plan, answer: after } : { plan, answer: after, onConflict }
    }),
  )
}

async function carryToMatch(ctx: Context, plan: Plan, before: GameServer, after: GameServer): Promise<void> {
  if (after.matchId === null) return
  const match = await ctx.storage.get('match', after.matchId)
  if (match === undefined || match.endedAt !== null) return
  if (!isLive(after) || after.status === 'stopping') {
    await finishMatch(ctx, plan, match, after.stopReason ?? 'its server ended')
  } else if (!sameSummary(before, after)) {
    await showServer(ctx, plan, match, after)
  }
}

async function showServer(ctx: Context, plan: Plan, match: Match, after: GameServer): Promise<void> {
  const server = summaryOf(after)
  if (server === null) return
  for (const lobby of await ctx.storage.getMany('lobby', match.lobbyIds)) {
    if (lobby.matchId !== match.id) continue
    const begins = after.status === 'running' && canMove(lobby, 'begin')
    plan.lobby(lobby, [begins ? { type: 'game_began', server } : { type: 'server_changed', server }])
  }
}

const sameSummary = (a: GameServer, b: GameServer): boolean =>
  jsonEqual(summaryOf(a) as unknown as JsonValue, summaryOf(b) as unknown as JsonValue)
