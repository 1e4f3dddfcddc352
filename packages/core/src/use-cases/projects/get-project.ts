import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import { type ByPerson, requireActor } from '../../reads/members'
import type { ListedProject } from '../../reads/own-projects'

export function getProject(ctx: Ports, input: ByPerson): Promise<ListedProject> {
  return unavailableInsteadOf(async () => {
    const { project, role } = await requireActor(ctx, input)
    return { ...project, role }
  })
}
