import type { Matchyard } from '@matchyard/core'
import { freeSeatsOf, openSeatsOf } from '@matchyard/core/domain'
import type { Storage } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { codeOf, LATE, type LateMatch, lateMatch } from './late-arena'

/** Most storage calls of one action before which the other action is tried. */
const CALLS = 30

interface Arena extends LateMatch {
  /** Another node on the same storage, whose calls run without the hook. */
  readonly other: Matchyard
  /** Runs before each storage call of the first node. */
  before: () => Promise<void>
}

async function arena(): Promise<Arena> {
  const hook = { before: async () => {} }
  const around = (storage: Storage): Partial<Storage> => ({
    async get(kind, id) {
      await hook.before()
      return storage.get(kind, id)
    },
    async getMany(kind, ids) {
      await hook.before()
      return storage.getMany(kind, ids)
    },
    async find(kind, key) {
      await hook.before()
      return storage.find(kind, key)
    },
    async commit(commit) {
      await hook.before()
      return storage.commit(commit)
    },
  })
  const given = await lateMatch({ ...LATE, backfill: { automatic: true } }, around)
  const { matchyard, projectId, lobby, searching, now, match } = given
  for (const lobbyId of (await match()).lobbyIds) {
    const { hostPlayerId: playerId } = await now({ lobbyId })
    if (playerId === 'bob') await matchyard.lobbies.leave({ projectId, lobbyId, playerId })
  }
  await lobby('eve')
  await given.keep('eve', 'cat')
  for (const playerId of ['gil', 'hal']) await searching(playerId)
  const other = given.node(2, {})
  await other.open()
  return Object.assign(hook, given, { other })
}

type Action = (given: Arena, by: Matchyard) => Promise<unknown>

const keep =
  (targetPlayerId: string, playerId: string): Action =>
  ({ on }, by) =>
    by.matches.keepSeat({ ...on, targetPlayerId, playerId, backend: false })
const free: Action = ({ on }, by) => by.matches.freeSeat({ ...on, targetPlayerId: 'eve', backend: true })
const join: Action = async ({ on, projectId }, by) => {
  const { data } = await by.lobbies.ofPlayer({ projectId, playerId: 'eve', limit: 1, offset: 0 })
  return by.matches.join({ ...on, lobbyId: data[0]?.id ?? '', backend: true })
}
const fill: Action = ({ tick }, by) => tick(by)
const expiry: Action = async ({ clock, work, tick }, by) => {
  clock.advance(30_000)
  await work(by)
  await tick(by)
}

const keepForEve = keep('eve', 'ann')
const keepForFay = keep('fay', 'ann')

/** Two seats are open; cat keeps one of them for eve, and two players search for the other one. */
const RACES: readonly (readonly [string, Action, string, Action])[] = [
  ['a fill from the queue', fill, 'the other seat is kept', keepForFay],
  ['a fill from the queue', fill, 'the kept seat is given back', free],
  ['a fill from the queue', fill, 'the friend joins', join],
  ['keeping the other seat', keepForFay, 'it is filled from the queue', fill],
  ['keeping the other seat', keepForFay, 'the friend of the first seat gets it', keepForEve],
  [
    'the friend who joins',
    join,
    'the seat is given back and filled',
    (given, by) => free(given, by).then(() => fill(given, by)),
  ],
  ['the friend who joins', join, 'the time of the seat ends', expiry],
  ['the friend who joins', join, 'the friend joins by another node', join],
  ['the end of the time', expiry, 'the friend joins', join],
]

/** Returns the faults of the match: seats that are given twice, or that another commit has overwritten. */
async function faultsOf({ match, matchyard, projectId, playing, kept, on }: Arena): Promise<string[]> {
  const { seats = [], backfill, ...rest } = await match()
  const here = (await playing()).map(({ playerId }) => playerId)
  const free = freeSeatsOf(rest, seats)
  const open = openSeatsOf(rest, seats).reduce((sum, team) => sum + team.open, 0)
  const asked = backfill?.teams.reduce((sum, team) => sum + team.open, 0) ?? 0
  const isOver = seats.some(
    (team) =>
      (rest.teams.find(({ name }) => name === team.name)?.players ?? []).filter(({ leftAt }) => leftAt === null)
        .length > team.seats,
  )
  const { data } = await matchyard.lobbies.ofProject({ projectId })
  const lost = data.filter(({ matchId, hostPlayerId }) => matchId === on.matchId && !here.includes(hostPlayerId))
  return [
    ...lost.map(({ hostPlayerId }) => `the lobby of ${hostPlayerId} shows the match, which has no seat for it`),
    ...(isOver ? ['a team has more players than seats'] : []),
    ...((await kept()).length > open ? ['more seats are kept than are open'] : []),
    ...(asked > free.reduce((sum, team) => sum + team.open, 0) ? ['a kept seat is asked for'] : []),
    ...(new Set(here).size < here.length ? ['a player has two seats'] : []),
  ]
}

describe.each(RACES)('%s, while', (_, first, name, second) => {
  it(`${name} before any of its storage calls, gives no seat twice`, async () => {
    let calls = 0
    for (let isOver = false; !isOver && calls < CALLS; calls++) {
      const given = await arena()
      const { matchyard, work, tick, playing, kept, other } = given
      let left = calls
      let outcome: unknown = 'ok'
      given.before = async () => {
        if (left-- === 0) outcome = await codeOf(second(given, other))
      }
      const outcomes = [await codeOf(first(given, matchyard))]
      given.before = async () => {}
      isOver = left >= 0
      if (!isOver) outcomes.push(outcome)
      for (const one of outcomes) expect(one).toBeTypeOf('string')
      // The only other action of these races is a fill, so a seat that was promised to fay is still kept for fay.
      const isPromised = [first, second].every((action) => action === keepForFay || action === fill)
      const code = outcomes[[first, second].indexOf(keepForFay)]
      if (isPromised && code === 'ok') expect(await kept()).toContain('fay')
      await work()
      await tick()
      expect([calls, await faultsOf(given)]).toEqual([calls, []])
      expect((await playing()).length).toBeLessThanOrEqual(4)
    }
    expect(calls).toBeGreaterThan(3)
  })
})
