import type { Match, ResultReport } from '@matchyard/core'
import type { SimulatedNode } from '../node'
import { RATED_QUEUES } from '../rated-place'
import { type Act, at, type Scene } from './scene'

/** Returns the matches of queues with the rating that began. */
const begun = ({ now }: Scene): Match[] =>
  [...now.matches.values()].filter(
    ({ queueId, startedAt }) => RATED_QUEUES.includes(queueId) && startedAt !== undefined,
  )

/**
 * Returns a result of the match. The draw chooses the order of the teams, ties, ranks or scores, the players who left, and whether the match
 * was played to its end. Another draw is another result in most cases.
 */
function reportOf({ teams }: Match, draw: number): ResultReport {
  const playerIds = new Set(teams.flatMap(({ players }) => players.map(({ playerId }) => playerId)))
  const place = (team: number) => (draw % 7 === 0 ? 1 : 1 + ((team + draw) % Math.max(2, teams.length)))
  return {
    teams: teams.map(({ name }, team) => ({
      name,
      ...(draw % 3 === 0 ? { score: 10 - place(team) } : { rank: place(team) }),
    })),
    players: [...playerIds]
      .filter((playerId) => playerId !== '')
      .map((playerId, player) => ({ playerId, stats: { draw }, left: draw % 5 === player })),
    ...(draw % 6 === 0 ? { completed: false } : {}),
  }
}

/** Returns the recorded result as a report. */
const recordedOf = ({ result }: Match): ResultReport => ({
  teams: (result?.teams ?? []).map(({ name, rank, score }) => ({
    name,
    ...(rank === null ? {} : { rank }),
    ...(score === null ? {} : { score }),
  })),
  players: (result?.players ?? []).map(({ score, ...player }) => ({ ...player, ...(score === null ? {} : { score }) })),
  completed: result?.completed ?? true,
})

/** Reports a result on one node and, in two of three cases, the same or another result on another node at the same time. */
function race(
  scene: Scene,
  name: string,
  match: Match,
  wish: { readonly end?: boolean; readonly amend?: boolean },
): void {
  const { world, node, projectId, command } = scene
  const report = (on: SimulatedNode, draw: number) =>
    world.call(on, name, ({ matches }) =>
      matches.result({ projectId, matchId: match.id, ...wish, ...reportOf(match, draw) }),
    )
  const other = world.nodes.find((one) => one !== node) ?? node
  report(node, command.c)
  if (command.b % 3 === 0) report(other, command.c)
  if (command.b % 3 === 1) report(other, command.c + 1)
}

/** In a world with faults, lets one of four results meet a fault of its node. */
function troubled({ world, node, command: { fault, a } }: Scene): void {
  if (fault !== undefined && a % 4 === 0) world.faults.arm(fault, node.id)
}

/** Results of matches in queues with a rating: the first, the same again, and amendments, also from two nodes at once. */
export const ratedResultActs = {
  'rated-result': (scene) => {
    const { command } = scene
    const all = begun(scene)
    const open = all.filter(({ result }) => result === undefined)
    const match = at(open.length > 0 ? open : all, command.a)
    if (match === undefined) return
    troubled(scene)
    race(scene, 'rated-result', match, { end: command.b % 2 === 0 })
  },
  'result-again': (scene) => {
    const { world, node, projectId, command } = scene
    const match = at(
      begun(scene).filter(({ result }) => result !== undefined),
      command.a,
    )
    if (match === undefined || match.result?.players.some(({ playerId }) => playerId === '')) return
    const report = { projectId, matchId: match.id, ...recordedOf(match), amend: command.b % 2 === 0 }
    world.call(node, 'result-again', ({ matches }) => matches.result(report))
  },
  'amend-rated': (scene) => {
    const recorded = begun(scene).filter(({ result }) => result !== undefined)
    const match = at(recorded, scene.command.a)
    if (match === undefined) return
    troubled(scene)
    race(scene, 'amend-rated', match, { amend: true })
  },
} satisfies Record<string, Act>
