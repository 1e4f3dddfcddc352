import type { Matchyard } from '@matchyard/core'
import { expect } from 'vitest'
import { type Arena, outcomeOf, type Seat } from './arena'
import { Delay, type Race, type Tally } from './race'

/** A match of two with one open seat, a friend of its player, and a party that searches for a match. */
interface Short {
  readonly matchId: string
  readonly host: Seat
  readonly friend: Seat
  readonly guest: Seat
}

/**
 * A player keeps the open seat of a match for a friend while two nodes fill it from the queue, and in every second
 * round the friend joins at the same time. The seat is kept or filled, never both, and the match never has more players
 * than seats. A seat that is given back is filled.
 */
export async function seatAndBackfill(arena: Arena, { rounds, random }: Race): Promise<Tally> {
  const tally = { kept: 0, filled: 0, joinedAtOnce: 0, joinedLater: 0, givenBack: 0 }
  const [keeping, filling, joining] = [new Delay(random), new Delay(random), new Delay(random)]
  const { projectId } = arena
  for (let round = 0; round < rounds; round++) {
    const short = await shortMatch(arena)
    const { matchId, host, friend, guest } = short
    const on = { projectId, matchId, backend: false }
    const join = () => outcomeOf(arena.next().matches.join({ ...on, ...friend }))
    const keep = () =>
      arena.next().matches.keepSeat({ ...on, playerId: host.playerId, targetPlayerId: friend.playerId })
    const comes = round % 2 === 0
    const [kept, joined] = await Promise.all([
      keeping.pass().then(() => outcomeOf(keep())),
      comes ? joining.pass().then(join) : 'none',
      filling.pass().then(() => arena.tick(arena.next(), 'late')),
      filling.pass().then(() => arena.tick(arena.next(), 'late')),
    ])
    await arena.work()
    tally[kept === 'ok' ? 'kept' : 'filled']++
    keeping.adapt(kept === 'ok')
    filling.adapt(kept !== 'ok')
    if (kept !== 'ok') {
      expect([kept, joined]).toEqual(['MATCH_FULL', comes ? 'SEAT_NOT_FOUND' : 'none'])
      await expectSeats(arena, short, { playing: guest, kept: [] })
    } else if (joined === 'ok') {
      tally.joinedAtOnce++
      await expectSeats(arena, short, { playing: friend, kept: [] })
    } else {
      expect(joined).toBe(comes ? 'SEAT_NOT_FOUND' : 'none')
      await arena.tick(arena.next(), 'late')
      await expectSeats(arena, short, { kept: [friend.playerId] })
      if (comes) {
        tally.joinedLater++
        expect(await join()).toBe('ok')
      } else {
        tally.givenBack++
        await arena.next().matches.freeSeat({ ...on, playerId: host.playerId, targetPlayerId: friend.playerId })
        await arena.tick(arena.next(), 'late')
      }
      await arena.work()
      await expectSeats(arena, short, { playing: comes ? friend : guest, kept: [] })
    }
    if (comes && kept === 'ok') joining.adapt(joined !== 'ok')
    await arena.clear(host, friend, guest)
  }
  expect(Math.min(tally.kept, tally.filled), 'each side wins').toBeGreaterThan(0)
  return tally
}

async function shortMatch(arena: Arena): Promise<Short> {
  const [host, leaver] = await arena.playing('late')
  const { matchId } = await arena.read(host)
  await arena.next().lobbies.leave(leaver)
  const friend = await arena.lobby('late')
  const guest = await arena.searching('late')
  return { matchId: matchId ?? '', host, friend, guest }
}

interface Seats {
  /** Party that plays besides the host; absent while the seat is kept. */
  readonly playing?: Seat
  readonly kept: readonly string[]
}

/** All nodes show the same players and kept seats in the match, and the lobbies agree with them. */
async function expectSeats(arena: Arena, { matchId, host, friend, guest }: Short, seats: Seats): Promise<void> {
  const players = [host, ...(seats.playing === undefined ? [] : [seats.playing])].map(({ playerId }) => playerId)
  expect(players.length + seats.kept.length, 'one seat is given once').toBe(2)
  const look = (node: Matchyard) =>
    Promise.all([arena.matchOf(matchId, node), arena.read(friend, node), arena.read(guest, node)])
  for (const [match, ofFriend, ofGuest] of await Promise.all(arena.nodes.map(look))) {
    const { teams, keptSeats = [] } = match
    const here = teams.flatMap((team) => team.players.filter(({ leftAt }) => leftAt === null))
    expect(here.map(({ playerId }) => playerId).sort()).toEqual([...players].sort())
    expect(keptSeats.map(({ playerId }) => playerId)).toEqual(seats.kept)
    expect(ofFriend).toMatchObject(stateOf(seats, friend, { matchId, idle: 'waiting' }))
    expect(ofGuest).toMatchObject(stateOf(seats, guest, { matchId, idle: 'in_queue' }))
  }
}

const stateOf = ({ playing }: Seats, party: Seat, { matchId, idle }: { matchId: string; idle: string }) =>
  playing === party ? { status: 'in_game', matchId } : { status: idle, matchId: null }
