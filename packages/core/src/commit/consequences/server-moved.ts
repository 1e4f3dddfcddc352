import { showServer } from '../../lobby/in-match'
import { decideBeginMatch } from '../../match/decide'
import type { MatchBuild } from '../../match/match'
import { endCauseOf } from '../../server/end-cause'
import type { ServerEvent } from '../../server/events'
import { summaryOf } from '../../server/evolve'
import { type GameServer, isEnding, isRunning } from '../../server/game-server'
import { type JsonValue, jsonEqual } from '../../shared/json'
import { writeLobby } from '../rows/lobby'
import { writeMatch } from '../rows/match'
import { matchOver } from './match-over'
import { withRequest } from './open-seats'
import type { Consequence } from './register'

/**
 * Applies the events of a server to its match: the lobbies of the match show the new state of the server, and the match begins and ends
 * with its server (docs/http-api.md §6).
 */
export const serverMoved: Consequence<GameServer, ServerEvent> = {
  after: [
    'server_launch_attempted',
    'server_ports_given',
    'server_waiting',
    'server_rerouted',
    'server_running',
    'server_stopping',
    'server_stopped',
    'server_failed',
  ],
  async run(ctx, draft, { before, events, after }) {
    if (after.matchId === null) return
    const match = await ctx.storage.get('match', after.matchId)
    if (match === undefined || match.endedAt !== null) return
    if (isEnding(after)) {
      const detail = after.stopReason ?? 'the game server of the match ended'
      const { exitCode, exitSignal = null } = after
      const ending = { reason: endCauseOf(before, events), detail, exitCode, exitSignal }
      return void (await matchOver(ctx, draft, match, ending, [], buildOf(after)))
    }
    const server = summaryOf(after)
    if (isSameSummary(before, after)) return
    for (const lobby of await ctx.storage.getMany('lobby', match.lobbyIds)) {
      writeLobby(draft, lobby, showServer(lobby, match.id, server))
    }
    if (isRunning(after))
      writeMatch(
        draft,
        match,
        await withRequest(ctx, match, decideBeginMatch(match, draft.at, buildOf(after)), draft.at),
      )
  },
}

/** Returns the build of a server; undefined before the first attempt to launch the server. */
const buildOf = ({ buildId, buildVersion, versionTag }: GameServer): MatchBuild | undefined =>
  buildId === null || buildVersion === null ? undefined : { id: buildId, versionTag, buildVersion }

const isSameSummary = (a: GameServer, b: GameServer): boolean =>
  jsonEqual(summaryOf(a) as unknown as JsonValue, summaryOf(b) as unknown as JsonValue)
