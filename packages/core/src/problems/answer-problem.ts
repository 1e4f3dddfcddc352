import type { CallOptions } from '../commit/call-options'
import { Draft } from '../commit/draft'
import { writeProblem } from '../commit/rows/problem'
import { transact } from '../commit/transact'
import { ServiceError, type ValidationIssue, validationFailed } from '../errors/service-error'
import type { Service } from '../node/service'
import { acknowledged, muted, muteFaults, noSuchProblem, noteFaults } from '../problem/decide'
import type { KeptProblem } from '../problem/kept-problem'
import type { InProject } from '../project/in-project'
import { actorOf, type ByActor } from '../reads/actor'
import { requireProject } from '../reads/require'
import { type Instant, MINUTE_MS } from '../shared/time'
import { keepProblems } from './keep-problems'

export interface OnProblem extends InProject {
  /** Id of the problem: `prb_` and a hash. */
  readonly problemId: string
}

export interface AcknowledgeProblemInput extends OnProblem, ByActor {
  /** Note, at most 1,024 characters. */
  readonly note?: string | null | undefined
}

export interface MuteProblemInput extends OnProblem, ByActor {
  /** Minutes for which the problem is muted, at most 30 days; 0 ends a mute. */
  readonly minutes?: number | null | undefined
  /** Time at which the mute ends, in place of `minutes`. */
  readonly until?: Instant | null | undefined
  /** Reason, at most 256 characters. */
  readonly reason?: string | null | undefined
}

/** Records that a person looks after an open problem. Throws PROBLEM_NOT_FOUND, VALIDATION_FAILED, PROJECT_NOT_FOUND. */
export function acknowledgeProblem(
  ctx: Service,
  input: AcknowledgeProblemInput,
  call?: CallOptions,
): Promise<KeptProblem> {
  const faults = () => noteFaults(input.note)
  return answer(ctx, input, call, faults, async (before, at) => {
    const by = await actorOf(ctx, input.by)
    return acknowledged(before, { by, at, note: input.note ?? null })
  })
}

/** Mutes an open problem for a time. Throws PROBLEM_NOT_FOUND, VALIDATION_FAILED, PROJECT_NOT_FOUND. */
export function muteProblem(ctx: Service, input: MuteProblemInput, call?: CallOptions): Promise<KeptProblem> {
  const { minutes, until, reason = null } = input
  const faults = (at: Instant) => muteFaults(input, at)
  return answer(ctx, input, call, faults, async (before, at) => {
    const by = await actorOf(ctx, input.by)
    return muted(before, { by, until: until ?? at + (minutes ?? 0) * MINUTE_MS, reason }, at)
  })
}

async function answer(
  ctx: Service,
  input: OnProblem,
  call: CallOptions | undefined,
  faults: (at: Instant) => ValidationIssue[],
  next: (before: KeptProblem, at: Instant) => Promise<KeptProblem>,
): Promise<KeptProblem> {
  const { projectId, problemId } = input
  const change = async () => {
    const draft = new Draft(ctx.clock.now())
    const issues = faults(draft.at)
    if (issues.length > 0) throw validationFailed(issues)
    await requireProject(ctx, projectId)
    const before = await openProblem(ctx, input)
    const after = writeProblem(draft, before, await next(before, draft.at))
    return { draft, answer: after, about: { id: problemId } }
  }
  return transact(ctx, call, change, () => openProblem(ctx, input))
}

/** Returns an open problem. A problem that exists and is not kept yet is kept first. Throws PROBLEM_NOT_FOUND. */
async function openProblem(ctx: Service, { projectId, problemId }: OnProblem): Promise<KeptProblem> {
  const isOpen = (row: KeptProblem | undefined): row is KeptProblem =>
    row !== undefined && row.projectId === projectId && row.closedAt === null
  const row = await ctx.storage.get('problem', problemId)
  if (isOpen(row)) return row
  await keepProblems(ctx, projectId)
  const kept = await ctx.storage.get('problem', problemId)
  if (!isOpen(kept)) throw ServiceError.of(noSuchProblem(problemId).rejected)
  return kept
}
