import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changePlayerState, decideJoinLobby } from '../../src/lobby/decide'
import type { LobbyEvent } from '../../src/lobby/events'
import { evolveLobbyAll } from '../../src/lobby/evolve'
import type { Lobby } from '../../src/lobby/lobby'
import { newLobby } from '../../src/lobby/new-lobby'
import { settleStates, writtenState } from '../../src/lobby/trusted-state'

/** Values that a backend or a token has given have this form. Values from clients are forged, or copies of values that they see. */
const signed = fc.nat({ max: 5 }).map((n) => `signed-${n}`)
const forged = fc.constantFrom('forged', 'signed-99', null, 0, true)
const FIELDS = ['mmr', 'rank', 'hat'] as const
const QUEUES = { open: [] as string[], rated: ['mmr'], ranked: ['mmr', 'rank'] }
type QueueName = keyof typeof QUEUES

const stateOf = <T>(value: fc.Arbitrary<T>) =>
  fc.dictionary(fc.constantFrom(...FIELDS), value as fc.Arbitrary<never>, { maxKeys: 3 })
const player = fc.constantFrom('ann', 'bob', 'cat')
const client = fc.record({ proven: stateOf(signed) })

const step = fc.oneof(
  fc.record({
    type: fc.constant('join' as const),
    player,
    client,
    state: fc.option(stateOf(forged), { nil: undefined }),
  }),
  fc.record({ type: fc.constant('echo' as const), player, target: player, client, merge: fc.boolean() }),
  fc.record({
    type: fc.constant('write' as const),
    player,
    target: player,
    client,
    state: stateOf(forged),
    merge: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('backend' as const),
    player,
    target: player,
    state: stateOf(signed),
    merge: fc.boolean(),
  }),
  fc.record({ type: fc.constant('move' as const), queueId: fc.constantFrom<QueueName>('open', 'rated', 'ranked') }),
)

function decided(lobby: Lobby, trusted: readonly string[], one: typeof step extends fc.Arbitrary<infer S> ? S : never) {
  switch (one.type) {
    case 'join': {
      const state = one.state === undefined ? {} : { state: one.state as never }
      const source = { trusted, hidden: [], client: one.client as never }
      return decideJoinLobby(lobby, { playerId: one.player, ...state, by: 'id', source, at: 1 })
    }
    case 'echo': {
      const state = lobby.players.find(({ playerId }) => playerId === one.target)?.state ?? {}
      const source = { trusted, hidden: [], client: one.client as never }
      return changePlayerState(lobby, { playerId: one.target, by: one.player, state, merge: one.merge, source })
    }
    case 'write': {
      const source = { trusted, hidden: [], client: one.client as never }
      const { target: playerId, player: by, merge } = one
      return changePlayerState(lobby, { playerId, by, state: one.state as never, merge, source })
    }
    case 'backend': {
      const { target: playerId, player: by, merge } = one
      return changePlayerState(lobby, {
        playerId,
        by,
        state: one.state as never,
        merge,
        source: { trusted, hidden: [] },
      })
    }
    case 'move': {
      const events: LobbyEvent[] = [{ type: 'settings_changed', changes: { queueId: one.queueId } }]
      return {
        ok: true as const,
        events: [...events, ...settleStates(lobby, { trusted: QUEUES[one.queueId], hidden: [] })],
      }
    }
  }
}

it('no sequence of calls by clients puts a value of theirs where only others may write', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const design = { projectId: 'prj', playerId: 'ann', queueId: 'rated' }
      let lobby: Lobby = newLobby(design, { id: 'lob', accountId: 'acc', maxPlayers: 3, inviteCode: null, at: 0 })
      for (const one of steps) {
        const decision = decided(lobby, QUEUES[lobby.queueId as QueueName], one)
        if (decision.ok) lobby = evolveLobbyAll(lobby, decision.events, 1)
        const trusted = QUEUES[lobby.queueId as QueueName]
        for (const { state, proven = [] } of lobby.players) {
          for (const field of trusted) {
            if (!Object.hasOwn(state, field)) continue
            expect(String(state[field])).toMatch(/^signed-[0-5]$/)
            expect(proven).toContain(field)
          }
          // Every field that is marked as proven holds a signed value, in every queue.
          for (const field of proven) expect(String(state[field])).toMatch(/^signed-[0-5]$/)
        }
      }
    }),
    { numRuns: 2_000 },
  )
})

it('a backend may write everything, and a client what is not trusted', () => {
  const state = { mmr: 1, hat: 2 }
  expect(writtenState(undefined, { state, merge: true }, { trusted: ['mmr'], hidden: [] })).toMatchObject({
    ok: true,
    events: [{ state, proven: ['mmr', 'hat'] }],
  })
  const byClient = { trusted: ['mmr'], hidden: [], client: { proven: {} } }
  expect(writtenState(undefined, { state: { hat: 2 }, merge: true }, byClient)).toMatchObject({ ok: true })
  expect(writtenState(undefined, { state, merge: true }, byClient)).toMatchObject({
    ok: false,
    rejected: { code: 'PLAYER_STATE_FORBIDDEN', details: { fields: ['mmr'] } },
  })
})
