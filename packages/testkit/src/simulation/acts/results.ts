import type { Match, ResultReport } from '@matchyard/core'
import { type Act, at, type Scene } from './scene'

/** Returns a match; in most cases a running one, otherwise one that may have ended or not begun. */
function chooseMatch({ now, command }: Scene): Match | undefined {
  const all = [...now.matches.values()]
  const running = all.filter(({ status }) => status === 'running')
  return at(running.length > 0 && command.c % 4 !== 0 ? running : all, command.a)
}

/** Returns a result of the match in which the ranks begin with `first`. Another `first` is another result. */
function reportOf({ teams }: Match, first: number): ResultReport {
  const players = teams.flatMap((team) => team.players.filter(({ playerId }) => playerId !== ''))
  return {
    teams: teams.map(({ name }, index) => ({ name, rank: 1 + ((index + first) % Math.max(2, teams.length)) })),
    players: players.map(({ playerId, leftAt }) => ({ playerId, stats: { first }, left: leftAt !== null })),
    ...(first % 5 === 0 ? { completed: false } : {}),
  }
}

/** Reports of a match's result: first, repeated, another, amended, and two at once from two nodes. */
export const resultActs = {
  result: (scene) => {
    const { world, node, projectId, command } = scene
    const match = chooseMatch(scene)
    if (match === undefined) return
    const on = { projectId, matchId: match.id }
    const report = (first: number) => ({ ...on, ...reportOf(match, first), end: command.b % 5 === 0 })
    world.call(node, 'result', ({ matches }) => matches.result(report(command.a)))
    const other = at(world.nodes, command.c) ?? node
    if (command.b % 3 === 0) world.call(other, 'result', ({ matches }) => matches.result(report(command.a)))
    if (command.b % 3 === 1) world.call(other, 'result', ({ matches }) => matches.result(report(command.a + 1)))
  },
  'process-result': ({ world, node, projectId, now, command }) => {
    const matches = [...now.matches.values()].filter(({ serverId }) => serverId !== null)
    const match = at(matches, command.a)
    const server = match === undefined ? undefined : now.servers.get(match.serverId ?? '')
    if (match === undefined || server === undefined) return
    const self = { projectId, instanceId: server.id, attempt: server.attempt }
    const report = { ...reportOf(match, command.b), end: command.c % 2 === 0, amend: command.c % 3 === 0 }
    world.call(node, 'process-result', ({ servers }) => servers.selfResult({ ...self, ...report }))
  },
  'amend-result': (scene) => {
    const { world, node, projectId, command } = scene
    const recorded = [...scene.now.matches.values()].filter(({ result }) => result !== undefined)
    const match = at(recorded, command.a)
    if (match === undefined) return
    const on = { projectId, matchId: match.id, amend: command.b % 4 !== 0 }
    world.call(node, 'amend-result', ({ matches }) => matches.result({ ...on, ...reportOf(match, command.c) }))
  },
  'end-match': (scene) => {
    const { world, node, projectId, command } = scene
    const match = chooseMatch(scene)
    if (match === undefined) return
    const on = { projectId, matchId: match.id }
    const result = command.b % 3 === 0 ? {} : { result: reportOf(match, command.c) }
    world.call(node, 'end-match', ({ matches }) => matches.end({ ...on, ...result }))
  },
} satisfies Record<string, Act>
