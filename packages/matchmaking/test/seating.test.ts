import { expect, test } from 'vitest'
import { TicketColumns } from '../src/columns/ticket-columns'
import { formatOf } from '../src/config/match-format'
import { Seater } from '../src/seating/seat-symmetric'

const draws = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 4294967296
}

interface Shape {
  readonly teams: number
  readonly playersPerTeam: number
  readonly parties: readonly number[]
  /** Upper bound of the mean spread, as a multiple of the least possible spread. */
  readonly within: number
}

/** Matches with more parties than the exhaustive division takes. */
const SHAPES: readonly Shape[] = [
  { teams: 2, playersPerTeam: 5, parties: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], within: 2.6 },
  { teams: 2, playersPerTeam: 6, parties: [3, 2, 1, 1, 1, 1, 1, 1, 1], within: 2.6 },
  { teams: 3, playersPerTeam: 4, parties: [2, 2, 2, 1, 1, 1, 1, 1, 1], within: 1.7 },
  { teams: 5, playersPerTeam: 2, parties: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], within: 1.2 },
]

const seaterOf = ({ teams, playersPerTeam, parties }: Shape, draw: () => number) => {
  const format = formatOf({
    teams,
    playersPerTeam,
    rules: [{ type: 'difference', field: 'mmr', maxDifference: 3000 }],
  })
  const columns = new TicketColumns(format)
  const slots = parties.map((size, index) => {
    const players = Array.from({ length: size }, (_, seat) => ({
      playerId: `${index}.${seat}`,
      state: { mmr: Math.floor(draw() * 3000) },
    }))
    return columns.add({ id: `t${index}`, enteredAt: index, players })
  })
  const spreadOf = (teamOf: ArrayLike<number>): number => {
    const averages = Array.from({ length: teams }, (_, team) => {
      const members = slots.filter((_, index) => teamOf[index] === team)
      const sum = members.reduce((total, slot) => total + (columns.sums[0]?.sum[slot] as number), 0)
      return sum / members.reduce((total, slot) => total + (columns.players[slot] as number), 0)
    })
    return Math.max(...averages) - Math.min(...averages)
  }
  return { seater: () => new Seater(format, columns, slots, teams, 0), spreadOf }
}

test.each(SHAPES)('large teams are dealt out full and even: %o', (shape) => {
  const draw = draws(7)
  let ours = 0
  let best = 0
  for (let match = 0; match < 40; match++) {
    const { seater, spreadOf } = seaterOf(shape, draw)
    const teamOf = seater().good() as Int32Array
    for (let team = 0; team < shape.teams; team++) {
      const players = shape.parties.reduce((sum, size, index) => sum + (teamOf[index] === team ? size : 0), 0)
      expect(players).toBe(shape.playersPerTeam)
    }
    ours += spreadOf(teamOf)
    best += spreadOf(seater().exact() as Int32Array)
  }
  expect(ours / best).toBeLessThan(shape.within)
})
