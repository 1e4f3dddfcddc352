import { EMBEDDED } from '../../access/actor'
import type { Account } from '../../account/account'
import { normaliseEmail, registrationIssues } from '../../account/credentials'
import { newAccount } from '../../account/new-account'
import { gateFeature } from '../../billing/limits'
import { requirePlan } from '../../billing/require-plan'
import { PROJECT_NAME_LENGTH } from '../../catalog/limits'
import { nameFault } from '../../catalog/names'
import { OPERATOR_PLAN, PLAN_CHOICES, type PlanChoice, SELF_HOSTED } from '../../catalog/plans'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { type CreatedProject, putProjectWithKeys } from '../../commit/rows/project'
import { putQueue } from '../../commit/rows/queue'
import { transact } from '../../commit/transact'
import { ServiceError, type ValidationIssue, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { uniqueKey } from '../../ports/storage/index'
import { slugOf } from '../../project/slug'
import { queueFaults, unknownSettings } from '../../queue/faults'
import type { QueueSettings } from '../../queue/queue'
import { newQueue } from '../../queue/settings'
import { within } from '../../reads/require'
import { type NamesOf, unknownFields } from '../../shared/known-names'
import { type AccountProfile, profileOf } from './account-profile'
import { emailTaken } from './email-taken'

/** Account that an operator creates. */
export interface CreateAccountInput {
  /** E-mail address with which the developer logs in, at most 254 characters; case is ignored. */
  readonly email: string
  /** Password of 8 to 256 characters. */
  readonly password: string
  /** Name of 1 to 128 characters. */
  readonly name: string
  /** Plan of the account. Default `self_hosted`: the limits that the operator configured, and no charges. */
  readonly plan?: PlanChoice | undefined
  /** Whether the account belongs to an operator of the installation, who may see and change its machines. Default: no. */
  readonly operator?: boolean | undefined
  /** Whether the account is a guest, which cannot create projects of its own. Default: no. */
  readonly guest?: boolean | undefined
  /** Project to create in the same commit, with a client key and a server key. Default: no project. */
  readonly project?: FirstProject | undefined
}

/** Project that is created together with an account. */
export interface FirstProject {
  /** Name of 1 to 64 characters. */
  readonly name: string
  /** Queue to create in the project. Default: no queue. */
  readonly queue?:
    | (QueueSettings & {
        /** Id by which games name the queue: 1 to 64 characters of a-z, 0-9 and underscore. */
        readonly queueId: string
        /** Display name, 1 to 128 characters. */
        readonly name: string
      })
    | undefined
}

export interface CreatedAccount extends AccountProfile {
  /** First project with its client key and server key, when the call requested a project. */
  readonly first?: CreatedProject
}

export async function createAccount(
  ctx: Service,
  input: CreateAccountInput,
  call?: CallOptions,
): Promise<CreatedAccount> {
  const issues = [...registrationIssues(input), ...projectIssues(input.project)]
  if (issues.length > 0) throw validationFailed(issues)
  requirePlan(input.plan, PLAN_CHOICES)
  const email = normaliseEmail(input.email)
  const { plan = SELF_HOSTED, name } = input
  const on = plan === SELF_HOSTED ? { plan: OPERATOR_PLAN, tariff: plan } : { plan }
  let passwordHash: string | undefined
  return transact(ctx, call, async () => {
    if ((await ctx.storage.find('account', uniqueKey.email(email))) !== undefined) throw emailTaken(email)
    passwordHash ??= await ctx.passwords.hash(input.password)
    const draft = new Draft(ctx.clock.now())
    const design = {
      id: ctx.ids.next('acc'),
      email,
      name,
      passwordHash,
      operator: input.operator,
      guest: input.guest,
      ...on,
    }
    const account = draft.create('account', newAccount(design, draft.at))
    const first = input.project && putFirstProject(ctx, draft, account, input.project)
    return {
      draft,
      answer: { ...profileOf(account), ...(first && { first }) },
      onConflict: ({ id: key }) => (key === uniqueKey.email(email) ? emailTaken(email) : undefined),
    }
  })
}

const projectIssues = (project: FirstProject | undefined): ValidationIssue[] => {
  if (project === undefined) return []
  const fault = nameFault(project.name, PROJECT_NAME_LENGTH)
  return [
    ...(fault === undefined ? [] : [{ path: 'project.name', message: fault }]),
    ...unknownFields(project, Object.keys(FIRST_PROJECT), 'project.'),
  ]
}

const FIRST_PROJECT: NamesOf<FirstProject> = { name: true, queue: true }

function putFirstProject(ctx: Ports, draft: Draft, account: Account, { name, queue }: FirstProject): CreatedProject {
  const made = putProjectWithKeys(ctx, draft, { accountId: account.id, name, slug: slugOf(name) })
  if (queue !== undefined) {
    const { queueId, ...settings } = queue
    const first = newQueue(made.project.id, queueId, settings, draft.at)
    const issues = [...unknownSettings(settings), ...queueFaults(first)]
    if (issues.length > 0) throw validationFailed(issues)
    const gate = gateFeature(within(ctx, account), 'queues_enabled')
    if (!gate.ok) throw ServiceError.of(gate.rejected)
    putQueue(draft, first, EMBEDDED)
  }
  return made
}
