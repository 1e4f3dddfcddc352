import { given, lobbyIn } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  changePlayerState,
  decideCancelMatchmaking,
  decideDeleteLobby,
  departFromLobby,
  type leaveQueue,
  matchLobby,
} from '../../src/lobby/decide'
import { evolveLobby } from '../../src/lobby/evolve'
import {
  acceptProposal,
  countAnswers,
  decideDeclineProposal,
  holdLobby,
  leaveProposal,
  partingOf,
} from '../../src/lobby/in-proposal'
import { LOBBY_STATUSES, type Lobby } from '../../src/lobby/lobby'
import { proposalOf, stayOf } from '../../src/lobby/stay'

const at = 2_000
const asked = { id: 'mat_1', expiresAt: 15_000, needed: 4, ticketExpiresAt: 300_000 }

/** Returns a lobby of ann, its host, and bob, held by a proposal. */
function held(): Lobby {
  const lobby = lobbyIn('in_queue')
  const decision = holdLobby(lobby, lobby.ticket as NonNullable<Lobby['ticket']>, asked)
  if (!decision.ok) throw new Error(decision.rejected.detail)
  return decision.events.reduce(evolveLobby, lobby)
}

const accept =
  (playerId: string, given: { matchId?: string; at?: number } = {}) =>
  (lobby: Lobby) =>
    acceptProposal(lobby, { playerId, accepted: 2, at, ...given })
const decline = (playerId: string, matchId?: string) => (lobby: Lobby) =>
  decideDeclineProposal(lobby, { playerId, matchId, at })

describe('a lobby that a proposed match holds', () => {
  it('stays in the queue, without a ticket, and keeps its stay', () => {
    const lobby = held()
    expect(lobby).toMatchObject({ status: 'in_queue', ticket: null, matchId: null })
    expect(proposalOf(lobby)).toMatchObject({
      matchId: 'mat_1',
      needed: 4,
      accepted: 0,
      players: [
        { playerId: 'ann', answer: 'none' },
        { playerId: 'bob', answer: 'none' },
      ],
    })
    expect(stayOf(lobby)?.enteredAt).toBe(stayOf(lobbyIn('in_queue'))?.enteredAt)
  })

  it.each(LOBBY_STATUSES.filter((status) => status !== 'in_queue'))('is held by none while %s', (status) => {
    const lobby = lobbyIn(status)
    expect(holdLobby(lobby, { id: 'tkt_1', version: 1, enteredAt: 1 }, asked)).toMatchObject({
      ok: false,
      rejected: { code: 'INVALID_LOBBY_STATE' },
    })
    // A node of an earlier release keeps a `proposal` that it does not know, in any status.
    expect(proposalOf({ ...lobby, proposal: held().proposal as NonNullable<Lobby['proposal']> })).toBeUndefined()
  })

  it('is held by one at a time', () => {
    const lobby = held()
    expect(holdLobby(lobby, { id: 'tkt_9', version: 1, enteredAt: 1 }, asked).ok).toBe(false)
  })

  it('is matched with nothing left of the proposal', () => {
    const { state } = given(held(), evolveLobby).when((lobby) => matchLobby(lobby, 'mat_1'))
    expect(state).toMatchObject({ status: 'matched', matchId: 'mat_1' })
    expect('proposal' in state).toBe(false)
  })
})

describe('answering', () => {
  it.each([
    ['accept', accept],
    ['decline', decline],
  ] as const)('%s: refused to a stranger, without a proposal, and for another one', (_, answer) => {
    expect(given(held(), evolveLobby).when(answer('zed')).rejected).toBe('PLAYER_NOT_IN_LOBBY')
    expect(given(lobbyIn('waiting'), evolveLobby).when(answer('zed')).rejected).toBe('PLAYER_NOT_IN_LOBBY')
    expect(given(lobbyIn('in_queue'), evolveLobby).when(answer('ann')).rejected).toBe('NO_PROPOSAL')
    const another = answer === decline ? decline('ann', 'mat_0') : accept('ann', { matchId: 'mat_0' })
    expect(given(held(), evolveLobby).when(another).rejected).toBe('PROPOSAL_CHANGED')
  })

  it('accepting counts once, and in time', () => {
    const once = given(held(), evolveLobby).when(accept('bob'))
    expect(proposalOf(once.state)).toMatchObject({ accepted: 2, players: [{ answer: 'none' }, { answer: 'accepted' }] })
    expect(given(once.state, evolveLobby).when(accept('bob', { at: 99_000 }))).toMatchObject({ happened: [] })
    expect(given(held(), evolveLobby).when(accept('bob', { at: 15_000 })).rejected).toBe('NO_PROPOSAL')
  })

  it('whoever has accepted may still decline, and takes the party along', () => {
    const { state } = given(held(), evolveLobby).when(accept('bob'))
    const then = given(state, evolveLobby).when(decline('bob'))
    expect(then.state).toMatchObject({ status: 'waiting', ticket: null })
    expect('proposal' in then.state).toBe(false)
  })

  it('numbers of others only grow, and are of the proposal that holds it', () => {
    const lobby = held()
    expect(countAnswers(lobby, 'mat_0', 3)).toEqual([])
    expect(countAnswers(lobby, 'mat_1', 3)).toEqual([{ type: 'proposal_counted', accepted: 3 }])
    const told = evolveLobby(lobby, { type: 'proposal_counted', accepted: 3 })
    expect(countAnswers(told, 'mat_1', 2)).toEqual([])
  })
})

describe('a proposal that is over', () => {
  const calm = { isSilent: false, fitsQueue: true, ticketId: 'tkt_2', at }
  const after = (parts: Partial<typeof calm>) =>
    leaveProposal(held(), 'mat_1', { ...calm, ...parts }).reduce(evolveLobby, held())

  it('leads back to the pool with the age and the deadline of before', () => {
    const { enteredAt } = lobbyIn('in_queue').ticket as NonNullable<Lobby['ticket']>
    expect(after({})).toMatchObject({
      status: 'in_queue',
      ticket: { id: 'tkt_2', version: 1, enteredAt, expiresAt: 300_000 },
    })
    expect('proposal' in after({})).toBe(false)
  })

  it.each([
    ['not_answered', { isSilent: true, fitsQueue: false, at: 300_000 }],
    ['timeout', { at: 300_000, fitsQueue: false }],
    ['unmatchable', { fitsQueue: false }],
  ] as const)('leads to waiting: %s', (reason, parts) => {
    expect(leaveProposal(held(), 'mat_1', { ...calm, ...parts })).toEqual([{ type: 'queue_left', reason }])
    expect(after(parts)).toMatchObject({ status: 'waiting', ticket: null })
  })

  it('of another match is nothing to it', () => {
    expect(leaveProposal(held(), 'mat_0', calm)).toEqual([])
    expect(leaveProposal(lobbyIn('in_queue'), 'mat_1', calm)).toEqual([])
  })

  it("is the doing of whoever declined, left, cancelled or deleted; a kick is nobody's", () => {
    const parting = (decide: (lobby: Lobby) => ReturnType<typeof leaveQueue>) => {
      const decision = decide(held())
      return decision.ok ? partingOf(held(), decision.events) : undefined
    }
    const depart = (reason: 'left' | 'kicked' | 'heartbeat_lost') => (lobby: Lobby) =>
      departFromLobby(lobby, { playerId: 'bob', reason, hostLeaveBehavior: 'promote' })
    expect(parting(decline('bob'))).toMatchObject({ outcome: 'declined', blamed: ['bob'] })
    expect(parting(depart('left'))).toMatchObject({ outcome: 'declined', blamed: ['bob'] })
    expect(parting(depart('heartbeat_lost'))).toMatchObject({ blamed: ['bob'] })
    expect(parting(depart('kicked'))).toMatchObject({ outcome: 'declined', blamed: [] })
    expect(parting((lobby) => decideCancelMatchmaking(lobby, { by: 'ann' }))).toMatchObject({ blamed: ['ann'] })
    expect(parting((lobby) => decideDeleteLobby(lobby, { by: 'ann', backend: false }))).toMatchObject({
      blamed: ['ann'],
    })
    expect(parting((lobby) => decideDeleteLobby(lobby, { by: undefined, backend: true }))).toMatchObject({ blamed: [] })
  })

  it("is nobody's doing where a state made it impossible", () => {
    const events = leaveProposal(held(), 'mat_1', calm)
    expect(partingOf(held(), events)).toMatchObject({ outcome: 'impossible', blamed: [] })
  })
})

describe('a held lobby otherwise', () => {
  it('changes states without a ticket to change', () => {
    const change = (lobby: Lobby) =>
      changePlayerState(lobby, { playerId: 'bob', by: 'bob', state: { mmr: 1 }, merge: true })
    expect(given(held(), evolveLobby).when(change).happened).toEqual(['player_state_changed'])
  })
})
