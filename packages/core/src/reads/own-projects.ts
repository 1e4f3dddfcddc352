import type { Role } from '../catalog/roles'
import type { Ports } from '../ports/ports'
import type { Project } from '../project/project'
import type { ListWindow, Page } from '../shared/page'
import { grantsOf } from './members'

/** Project, with the rights of the account that reads it. */
export interface ListedProject extends Project {
  /** Role of the account in the project; `owner` for the account that owns the project. */
  readonly role: Role
}

/** Returns a page of the projects of an account: its own projects, then those of which it is a member, both oldest first. */
export async function projectsOf(ctx: Ports, accountId: string, window: ListWindow): Promise<Page<ListedProject>> {
  const own = await ctx.storage.projects.list(accountId, window)
  const grants = await grantsOf(ctx, accountId)
  const listed = own.data.map((project): ListedProject => ({ ...project, role: 'owner' }))
  if (grants.length === 0) return { total: own.total, data: listed }
  const roles = new Map(grants.map(({ projectId, role }) => [projectId, role]))
  const shared = (await ctx.storage.getMany('project', [...roles.keys()]))
    .filter(({ deletedAt }) => deletedAt === null)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .map((project): ListedProject => ({ ...project, role: roles.get(project.id) ?? 'viewer' }))
  const total = own.total + shared.length
  // A page of own projects that ended early because of its bytes is not filled up.
  const isCut = window.offset + own.data.length < own.total
  const from = Math.max(0, window.offset - own.total)
  const more = isCut ? [] : shared.slice(from, from + window.limit - own.data.length)
  return { total, data: [...listed, ...more] }
}
