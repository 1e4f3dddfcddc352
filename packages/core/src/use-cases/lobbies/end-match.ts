import type { CallOptions } from '../../commit/call-options'
import { matchOver, stopServerOf } from '../../commit/consequences/match-over'
import { Draft } from '../../commit/draft'
import type { Outcome } from '../../commit/outcome'
import { transact } from '../../commit/transact'
import { orThrow } from '../../errors/service-error'
import { endGame, hostOrBackend } from '../../lobby/decide'
import type { Ending } from '../../lobby/last-exit'
import type { Lobby } from '../../lobby/lobby'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'
import { mayEndMatch } from '../../match/decide'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { lobbyNow, requireLobby, requireMatch } from '../../reads/require'

export interface EndMatchInput extends OnLobbyByBackend {
  /** Whether a person acts with the rights of the backend, for example in the console. Default: no. */
  readonly isOperator?: boolean
}

export async function endMatch(ctx: Service, input: EndMatchInput, call?: CallOptions): Promise<Lobby> {
  const lobby = await transact(
    ctx,
    call,
    () => decideEnd(ctx, input),
    ({ id }) => lobbyNow(ctx, input, id),
  )
  if (!input.backend && input.playerId !== undefined) {
    await ctx.node.presence.touchMember(lobby, input.playerId, ctx.clock.now())
  }
  return lobby
}

const endingBy = ({ backend, isOperator = false }: EndMatchInput): Ending =>
  backend
    ? { reason: 'backend_ended', detail: `${isOperator ? 'an operator' : 'the backend'} ended the match` }
    : { reason: 'match_ended', detail: 'the host ended the match' }

async function decideEnd(ctx: Ports, input: EndMatchInput): Promise<Outcome<Lobby>> {
  const { projectId, backend } = input
  const lobby = await requireLobby(ctx, projectId, input.lobbyId)
  orThrow(hostOrBackend(lobby, { by: input.playerId, backend }))
  const match = lobby.matchId === null ? undefined : await requireMatch(ctx, projectId, lobby.matchId)
  if (match !== undefined) orThrow(mayEndMatch(match, { backend }))
  const ending = endingBy(input)
  orThrow(endGame(lobby, ending))
  if (match === undefined) throw new Error(`${lobby.id} is in a game without a match`)
  const draft = new Draft(ctx.clock.now())
  const lobbies = await matchOver(ctx, draft, match, ending)
  await stopServerOf(ctx, draft, match, 'its match ended')
  return { draft, answer: lobbies.find((after) => after.id === lobby.id) ?? lobby, about: { id: lobby.id } }
}
