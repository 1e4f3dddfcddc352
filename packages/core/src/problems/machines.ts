import { restBeganAt } from '../machine/decide'
import { isReady, isResting } from '../machine/record'
import type { Service } from '../node/service'
import type { ProjectProblem } from '../project/problem'
import { counted } from '../shared/counted'
import { toIso } from '../shared/time'
import { sentenceOf } from './sentence'

/** Maximum machines that are examined. */
const LOOKED_AT = 100

/**
 * Returns a problem for each machine with servers of the project that takes no new servers for a while, because launches on it failed for
 * reasons of the machine. The cause is for operators, so the problem does not have it.
 */
export async function pausedMachines(ctx: Service, projectId: string): Promise<ProjectProblem[]> {
  const at = ctx.clock.now()
  const paused = ctx.node.machines.records().filter((machine) => isReady(machine) && isResting(machine, at))
  const found: ProjectProblem[] = []
  for (const { id, rest } of paused.slice(0, LOOKED_AT)) {
    const mine = (await ctx.storage.servers.listLive(id)).filter((server) => server.projectId === projectId)
    if (rest === null || mine.length === 0) continue
    const until = toIso(rest.until)
    found.push({
      code: 'machine_paused',
      severity: 'warning',
      sentence: sentenceOf(
        id,
        `launches on the machine failed, so it gets no new servers until ${until}; ${counted(mine.length, 'server')} of this project ran on it`,
        'Other machines start the servers meanwhile; the operator finds the cause with matchyard machines show.',
      ),
      subject: { kind: 'node', id },
      since: restBeganAt(rest),
      count: mine.length,
      details: { instanceIds: mine.slice(0, 5).map((server) => server.id) },
    })
  }
  return found
}
