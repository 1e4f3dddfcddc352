import { pauseReason, shownStatus } from '../machine/record'
import type { Service } from '../node/service'
import type { ProjectProblem } from '../project/problem'
import { toIso } from '../shared/time'
import { sentenceOf } from './sentence'

/** Returns a problem for each machine that takes no new servers for a while, because launches on it failed for reasons of the machine. */
export function pausedMachines(ctx: Service): ProjectProblem[] {
  const at = ctx.clock.now()
  return ctx.node.machines.records().flatMap((machine): ProjectProblem[] => {
    const cause = pauseReason(machine, shownStatus(machine, { isHeard: true, at }))
    if (cause === null || machine.rest === null) return []
    const { until, times } = machine.rest
    return [
      {
        code: 'machine_paused',
        severity: 'warning',
        sentence: sentenceOf(
          machine.id,
          `launches on the machine failed: ${cause}; it gets no new servers until ${toIso(until)}`,
          'Mend the machine, then run matchyard machines uncordon; other machines start the servers meanwhile.',
        ),
        subject: { kind: 'node', id: machine.id },
        since: machine.updatedAt,
        count: times,
        details: { cause },
      },
    ]
  })
}
