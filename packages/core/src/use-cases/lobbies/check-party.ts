import { checkParty as checkPartyAgainst } from '@matchyard/matchmaking'
import type { Plan } from '../../commit/draft'
import type { Context } from '../../context/context'
import { requireQueue } from '../../context/require'
import type { Lobby } from '../../lobby/lobby'
import type { Queue } from '../../queue/queue'
import { reject } from '../../shared/decision'

type Refusal = ReturnType<typeof reject>

/**
 * Why this lobby's party may not wait in its queue, or undefined when it may (design, "Validity" 4 and 6). What it was judged
 * by is checked in the plan's commit. Rejects MATCHMAKING_NOT_CONFIGURED, PARTY_TOO_LARGE, PARTY_CANNOT_MATCH, BUILD_NOT_READY.
 */
export async function checkParty(ctx: Context, lobby: Lobby, plan: Plan): Promise<Refusal | undefined> {
  const queue = await requireQueue(ctx, lobby.projectId, lobby.queueId)
  plan.check('queue', queue)
  const { matchmaking } = queue
  if (matchmaking === null) {
    return reject(
      'MATCHMAKING_NOT_CONFIGURED',
      `queue ${queue.queueId} has no matchmaking; set it, or start the lobby directly`,
    )
  }
  const verdict = checkPartyAgainst(matchmaking, lobby.players)
  if (!verdict.ok) {
    const details = verdict.rule === undefined ? undefined : { rule: verdict.rule }
    return reject(verdict.code, partyDetail(lobby, verdict), details)
  }
  return checkVersionBuild(ctx, lobby, queue)
}

function partyDetail(lobby: Lobby, verdict: { code: string; rule?: string }): string {
  return verdict.code === 'PARTY_TOO_LARGE'
    ? `${lobby.players.length} players are more than one party of this queue may have`
    : `the party of ${lobby.id} breaks the rule ${JSON.stringify(verdict.rule ?? '')} by itself and could never be matched`
}

/** Where a server is launched from the players' version, that version must name a ready build. */
async function checkVersionBuild(ctx: Context, lobby: Lobby, queue: Queue): Promise<Refusal | undefined> {
  if (queue.matchmaking?.useVersionFromState !== true || queue.serverSettings === null) return undefined
  const version = lobby.players[0]?.state.game_version
  if (typeof version !== 'string') return undefined
  const build = await ctx.storage.builds.newestReady(lobby.projectId, version)
  return build === undefined
    ? reject('BUILD_NOT_READY', `no build named ${JSON.stringify(version)} is ready`)
    : undefined
}
