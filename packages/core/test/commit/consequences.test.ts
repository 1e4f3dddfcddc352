import { aServer, lobbyIn, serverIn } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { metered } from '../../src/commit/consequences/metered'
import { proposalBroken } from '../../src/commit/consequences/proposal-broken'
import { type Consequence, registerConsequences } from '../../src/commit/consequences/register'
import { serverMoved } from '../../src/commit/consequences/server-moved'
import type { LobbyEvent } from '../../src/lobby/events'
import { evolveLobby } from '../../src/lobby/evolve'
import { isHeldBy } from '../../src/lobby/stay'
import type { ServerEvent } from '../../src/server/events'
import { evolveServer, summaryOf } from '../../src/server/evolve'
import { type GameServer, isEnding, SERVER_STATUSES } from '../../src/server/game-server'

type OneOfEach<Event extends { readonly type: string }> = {
  readonly [Type in Event['type']]: Extract<Event, { readonly type: Type }>
}

const at = 5_000
const exit = { exitCode: 0, stopReason: 'asked', at }
const ports = [
  { name: 'game', protocol: 'udp', internalPort: 1, tlsEnabled: false, externalPort: 2, host: 'h' },
] as const

const SERVER_EVENTS: OneOfEach<ServerEvent> = {
  server_launch_attempted: {
    type: 'server_launch_attempted',
    nodeId: 'other',
    networkPorts: ports,
    buildId: 'bld_2',
    buildVersion: 2,
    admittedAt: at,
    launchDeadlineAt: at,
  },
  server_ports_given: { type: 'server_ports_given', networkPorts: ports },
  server_was_warm: { type: 'server_was_warm' },
  server_attempt_failed: { type: 'server_attempt_failed', counts: true },
  server_launch_postponed: { type: 'server_launch_postponed', launchDeadlineAt: at },
  server_waiting: { type: 'server_waiting', orchestrator: 'fake', until: at, admittedAt: null },
  server_passed: { type: 'server_passed', at },
  server_rerouted: { type: 'server_rerouted', region: 'fra' },
  server_running: { type: 'server_running', at },
  server_relaunched: { type: 'server_relaunched', at },
  server_up_again: { type: 'server_up_again', at },
  server_crashed: { type: 'server_crashed', reason: 'crashed', exitCode: 1, crashesInARow: 1, relaunchAt: at },
  server_restarting: { type: 'server_restarting', relaunchAt: at },
  server_ttl_capped: { type: 'server_ttl_capped', expiresAt: at },
  server_stopping: { type: 'server_stopping', stopReason: 'asked', cause: 'server_stopped' },
  server_stopped: { type: 'server_stopped', ...exit },
  server_failed: { type: 'server_failed', ...exit },
}

const player = { playerId: 'cat', joinedAt: at, state: {} }
const held = lobbyIn('in_queue', {
  ticket: null,
  proposal: {
    matchId: 'mat_1',
    expiresAt: at,
    needed: 2,
    accepted: 0,
    players: [],
    ticketId: 'tkt_1',
    enteredAt: at,
    ticketExpiresAt: at,
  },
})

const LOBBY_EVENTS: OneOfEach<LobbyEvent> = {
  lobby_created: { type: 'lobby_created', lobby: held },
  settings_changed: { type: 'settings_changed', changes: { name: 'Other' } },
  player_joined: { type: 'player_joined', player },
  player_state_changed: { type: 'player_state_changed', playerId: 'ann', state: {} },
  player_left: { type: 'player_left', playerId: 'bob', reason: 'left' },
  host_changed: { type: 'host_changed', playerId: 'bob' },
  lobby_ban_added: { type: 'lobby_ban_added', playerId: 'cat' },
  lobby_ban_removed: { type: 'lobby_ban_removed', playerId: 'cat' },
  queue_entered: { type: 'queue_entered', ticketId: 'tkt_2', at, expiresAt: at },
  ticket_changed: { type: 'ticket_changed' },
  meeting_erased: { type: 'meeting_erased', playerId: 'ann' },
  queue_left: { type: 'queue_left', reason: 'cancelled' },
  proposal_opened: { type: 'proposal_opened', proposal: held.proposal as NonNullable<typeof held.proposal> },
  proposal_answered: { type: 'proposal_answered', playerId: 'ann', accepted: 1 },
  proposal_counted: { type: 'proposal_counted', accepted: 1 },
  queue_rejoined: { type: 'queue_rejoined', ticketId: 'tkt_2', expiresAt: at },
  lobby_matched: { type: 'lobby_matched', matchId: 'mat_1' },
  lobby_started: { type: 'lobby_started', matchId: 'mat_2' },
  server_changed: { type: 'server_changed', server: null },
  game_began: { type: 'game_began', server: null },
  game_ended: { type: 'game_ended', exit: 'match_ended', reason: 'over' },
  launch_failed: { type: 'launch_failed', exit: 'launch_failed', reason: 'failed' },
  requeue_given_up: { type: 'requeue_given_up' },
  lobby_deleted: { type: 'lobby_deleted', reason: 'deleted' },
}

/** Returns the state after an event; undefined when the event cannot happen in that state. */
function possibly<State, Event>(evolve: (state: State, event: Event) => State, state: State, event: Event) {
  try {
    return evolve(state, event)
  } catch {
    return undefined
  }
}

describe('a register of consequences', () => {
  type Event = { readonly type: 'opened' | 'closed' | 'painted' }
  const ran: string[] = []
  const noting = (name: string, ...after: Event['type'][]): Consequence<object, Event> => ({
    after,
    run: async () => void ran.push(name),
  })
  const carry = registerConsequences(noting('both', 'opened', 'closed'), noting('end', 'closed'))
  const carried = async (...types: Event['type'][]) => {
    ran.length = 0
    await carry({} as never, {} as never, { before: {}, events: types.map((type) => ({ type })), after: {} })
    return [...ran]
  }

  it('runs those of the events, each once, and no others', async () => {
    expect(await carried('opened')).toEqual(['both'])
    expect(await carried('opened', 'closed')).toEqual(['both', 'end'])
    expect(await carried('painted')).toEqual([])
    expect(await carried()).toEqual([])
  })
})

describe('an event that a consequence is not registered for does not concern it', () => {
  const servers: GameServer[] = [aServer(), ...SERVER_STATUSES.map((status) => serverIn(status))]
  /** Events that need a process of an attempt. */
  const ofProcess: readonly ServerEvent['type'][] = ['server_crashed', 'server_restarting']
  const changes = servers.flatMap((before) =>
    Object.values(SERVER_EVENTS).flatMap((event) => {
      if (before.attempt === 0 && ofProcess.includes(event.type)) return []
      const after = possibly(evolveServer, before, event)
      return after === undefined ? [] : [{ before, event, after }]
    }),
  )

  it('what lobbies show of a server, and that it ends, change by no other event', () => {
    const shown = (server: GameServer) => ({ summary: summaryOf(server), isEnding: isEnding(server) })
    for (const { before, event, after } of changes) {
      if (!serverMoved.after.includes(event.type))
        expect({ event, ...shown(after) }).toEqual({ event, ...shown(before) })
    }
  })

  it('no other event ends a server', () => {
    for (const { before, event, after } of changes) {
      if (!metered.after.includes(event.type)) expect(after.stoppedAt).toBe(before.stoppedAt)
    }
  })

  it('no other event takes a lobby out of its proposal', () => {
    const freeing = Object.values(LOBBY_EVENTS).filter((event) => {
      const after = possibly(evolveLobby, held, event)
      return event.type === 'lobby_deleted' || (after !== undefined && !isHeldBy(after, 'mat_1'))
    })
    expect(freeing.map(({ type }) => type).sort()).toEqual([...proposalBroken.after].sort())
  })
})
