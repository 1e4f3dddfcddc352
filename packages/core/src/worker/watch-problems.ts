import type { HistorySeries } from '../catalog/history-series'
import { queueOwner } from '../commit/history-cells'
import type { Service } from '../node/service'
import { Slices } from '../node/slices'
import { HISTORY_STEPS, historyPlaceAt, historySlot } from '../ports/storage/index'
import { keepProblems } from '../problems/keep-problems'
import { MINUTE_MS, SECOND_MS } from '../shared/time'

/** Milliseconds between two looks for problems. */
export const WATCH_PROBLEMS_MS = 30 * SECOND_MS
/** Maximum number of projects that one run examines. With more, each run begins at a place of chance. */
export const PROJECTS_A_RUN = 200
/** Milliseconds before now in which a project had something to count. */
const ACTIVE_FOR_MS = 3 * MINUTE_MS
/** Maximum number of rows that one read returns, and maximum number of reads of one kind. */
const AT_ONCE = 1_000
const READS = 10

/**
 * Opens and closes problems of the projects that have something to look at: waiting players, figures of the last minutes, or an open
 * problem. Returns the time of the next run. An idle project costs nothing.
 */
export async function watchProblems(ctx: Service): Promise<number> {
  const active = [...(await activeProjects(ctx))].sort()
  const start = active.length > PROJECTS_A_RUN ? ctx.random.int(active.length) : 0
  const slices = new Slices(ctx)
  for (const projectId of [...active.slice(start), ...active.slice(0, start)].slice(0, PROJECTS_A_RUN)) {
    await keepProblems(ctx, projectId)
    await slices.pause()
  }
  return ctx.clock.now() + WATCH_PROBLEMS_MS
}

/**
 * Series that no problem is made of. A server that runs, a stream that is open, and a client whose calls are refused make no project active,
 * so that a look costs nothing while nothing changes.
 */
const QUIET: ReadonlySet<HistorySeries> = new Set<HistorySeries>(['servers', 'streams', 'refusals'])

async function activeProjects(ctx: Service): Promise<ReadonlySet<string>> {
  const { storage, clock } = ctx
  const found = new Set<string>()
  for (const { queueKey } of await storage.tickets.waiting()) found.add(queueOwner(queueKey).projectId)
  const now = clock.now()
  let place = historyPlaceAt(historySlot(now - ACTIVE_FOR_MS, MINUTE_MS))
  for (let reads = 0; reads < READS; reads++) {
    const rows = await storage.history.rows(HISTORY_STEPS['1m'], place, now + MINUTE_MS, AT_ONCE)
    for (const { projectId, series } of rows) if (!QUIET.has(series)) found.add(projectId)
    const last = rows.at(-1)
    if (last === undefined || rows.length < AT_ONCE) break
    const { slot, projectId, series, queueId, key } = last
    place = { slot, projectId, series, queueId, key }
  }
  let after = ''
  for (let reads = 0; reads < READS; reads++) {
    const open = await storage.problems.projectsWithOpen(after, AT_ONCE)
    for (const projectId of open) found.add(projectId)
    after = open.at(-1) ?? ''
    if (open.length < AT_ONCE) break
  }
  return found
}
