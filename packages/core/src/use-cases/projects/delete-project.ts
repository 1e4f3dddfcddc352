import type { CallOptions } from '../../commit/call-options'
import { projectServerCounter } from '../../commit/counters'
import { Draft } from '../../commit/draft'
import { endProject } from '../../commit/rows/project'
import { transact } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { requireOwnProject } from '../../reads/require'
import { counted } from '../../shared/counted'

/** Project that is deleted. */
export interface DeleteProjectInput {
  /** Account that owns the project. */
  readonly accountId: string
  /** Project to delete: `prj_` and a ULID. */
  readonly projectId: string
}

export function deleteProject(ctx: Service, input: DeleteProjectInput, call?: CallOptions): Promise<void> {
  return transact(ctx, call, async () => {
    const project = await requireOwnProject(ctx, input)
    const running = await ctx.storage.servers.countLive(project.id)
    if (running > 0) throw hasRunningServers(project.id, running)
    const draft = new Draft(ctx.clock.now())
    endProject(draft, project)
    // The number that was read above may have changed. A launch checks the project and adds to this counter, so one of the two commits
    // fails.
    draft.counter(projectServerCounter(project.id), 0, 0)
    return {
      draft,
      answer: undefined,
      onConflict: ({ on }) => (on === 'limit' ? hasRunningServers(project.id, 1) : undefined),
    }
  })
}

function hasRunningServers(projectId: string, running: number): ServiceError {
  const detail = `${projectId} still has ${counted(running, 'live server')}; stop ${running === 1 ? 'it' : 'them'} first`
  return new ServiceError('PROJECT_HAS_RUNNING_SERVERS', detail, { running })
}
