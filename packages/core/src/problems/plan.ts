import { buildQuota, serverQuota } from '../billing/limits'
import { buildCounter, serverCounter } from '../commit/counters'
import type { Ports } from '../ports/ports'
import type { ProjectProblem } from '../project/problem'
import type { Project } from '../project/project'
import { accountOf } from '../reads/require'
import { sentenceOf } from './sentence'

/** Share of a limit from which on the account is near the limit. */
const NEAR = 0.8

/** Returns the problems of an account that is near or at a limit. */
export async function planLimits(ctx: Ports, project: Project): Promise<ProjectProblem[]> {
  const account = await accountOf(ctx, project)
  const { counters } = ctx.storage
  const limits = [
    ['max_concurrent_servers', serverQuota(account), serverCounter(account.id), 'servers', 'are running'],
    ['max_builds', buildQuota(account), buildCounter(account.id), 'builds', 'are stored'],
  ] as const
  const found = limits.map(async ([limit, allowed, counter, what, verb]): Promise<ProjectProblem[]> => {
    if (allowed === undefined) return []
    const used = await counters.read(counter)
    const reached = used >= allowed
    if (!reached && used < NEAR * allowed) return []
    const full =
      limit === 'max_builds' ? 'no further build can be uploaded' : 'the next match waits until a server ends'
    const mend = limit === 'max_builds' ? 'Delete a build' : 'Stop a server'
    return [
      {
        code: reached ? 'plan_limit_reached' : 'plan_limit_near',
        severity: reached ? 'error' : 'warning',
        sentence: sentenceOf(
          'account',
          `${used} of ${allowed} ${what} ${verb}${reached ? `: ${full}` : ''}`,
          `${mend}, or raise the limit${account.tariff === undefined ? ' with a higher plan' : ' (PLAN_LIMITS)'}.`,
        ),
        subject: { kind: 'account', id: account.id },
        since: ctx.clock.now(),
        count: used,
        details: { limit, allowed, used },
      },
    ]
  })
  return (await Promise.all(found)).flat()
}
