import { isGuest } from '../../account/account'
import { MAX_PROJECTS, PROJECT_NAME_LENGTH } from '../../catalog/limits'
import { checkName } from '../../catalog/names'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { withoutValue } from '../../commit/rows/api-key'
import { type CreatedProject, putProjectWithKeys } from '../../commit/rows/project'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { uniqueKey } from '../../ports/storage/index'
import { numberedSlug, slugOf } from '../../project/slug'
import { accountOf } from '../../reads/require'
import { requireFewer } from '../../reads/require-fewer'

const PROJECTS = { limit: 'max_projects', allowed: MAX_PROJECTS, what: 'project' }
/** Bound of an account that an invitation created while registration was closed. */
const NO_PROJECTS = { ...PROJECTS, allowed: 0 }

/** New project of an account. */
export interface CreateProjectInput {
  /** Account that owns the project: `acc_` and a ULID. */
  readonly accountId: string
  /** Name of 1 to 64 characters. */
  readonly name: string
}

export type { CreatedProject }

export function createProject(ctx: Service, input: CreateProjectInput, call?: CallOptions): Promise<CreatedProject> {
  // The calls of one account run one at a time, because concurrent projects of one name would conflict about the next slug.
  return ctx.node.turns.run(`projects:${input.accountId}`, () =>
    transact(ctx, call, async () => {
      checkName(input.name, PROJECT_NAME_LENGTH)
      const account = await accountOf(ctx, input)
      await requireFewer(account, isGuest(account) ? NO_PROJECTS : PROJECTS, (page) =>
        ctx.storage.projects.list(input.accountId, page),
      )
      const slug = await freeSlug(ctx, input)
      const draft = new Draft(ctx.clock.now())
      const answer = putProjectWithKeys(ctx, draft, { ...input, slug })
      const [client, server] = answer.keys
      const recorded: CreatedProject = { ...answer, keys: [withoutValue(client), withoutValue(server)] }
      return { draft, answer, recorded }
    }),
  )
}

async function freeSlug(ctx: Ports, { accountId, name }: CreateProjectInput): Promise<string> {
  const base = slugOf(name)
  for (let n = 1; ; n++) {
    const slug = numberedSlug(base, n)
    if ((await ctx.storage.find('project', uniqueKey.slug(accountId, slug))) === undefined) return slug
  }
}
