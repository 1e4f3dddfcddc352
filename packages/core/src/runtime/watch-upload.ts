import { takesUploads } from '../account/decide'
import type { Build } from '../build/build'
import {
  awaitsUpload,
  claimUpload,
  completeUpload,
  decideExpireUpload,
  isClaimed,
  judgeUpload,
  refuseUpload,
} from '../build/decide'
import { ofBuild } from '../commit/of-build'
import { change } from '../commit/transact'
import { accept, type Decision, type Rejection } from '../errors/decision'
import { ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import type { FoundUpload } from '../ports/build-store'
import type { Ports } from '../ports/ports'
import { accountRow } from '../reads/require'
import { SECOND_MS } from '../shared/time'

/** Shortest and longest interval between two checks for the archive. The interval grows with the age of the upload URL. */
const FIRST_GAP_MS = 1 * SECOND_MS
const LAST_GAP_MS = 10 * SECOND_MS
const GAP_SHARE = 1 / 30

/**
 * Checks whether the archive of a direct upload has arrived, and makes the first complete archive the build's archive. Later uploads to the
 * URL change nothing. An archive that does not match the announced size or hash fails the build. Returns the time of the next check.
 */
export function watchUpload(ctx: Service, buildId: string): Promise<number | undefined> {
  // Only one run at a time is allowed. A large archive may take longer than the lease of its job, and another worker then claims the job
  // too.
  return ctx.node.turns.run(`upload:${buildId}`, () => watchInTurn(ctx, buildId))
}

async function watchInTurn(ctx: Service, buildId: string): Promise<number | undefined> {
  const build = await ctx.storage.get('build', buildId)
  if (build === undefined || !awaitsUpload(build)) return undefined
  const { direct } = ctx.buildStore
  const found = await direct?.find(buildId)
  if (direct === null || found === undefined) return waitOn(ctx, build)
  const taking = takingOf(ctx, build, found)
  try {
    // The size is compared before the archive is read.
    taking.judge(judged(ctx, build, found))
    if ((await direct.keep(buildId, found, taking.claim)) === 'gone') return ctx.clock.now() + FIRST_GAP_MS
  } catch (error) {
    const { refusal } = taking
    if (refusal === undefined) throw error
    const why = `${refusal.code}: ${ServiceError.of(refusal).detail}`
    await change(ctx, ofBuild, buildId, (now) => accept(...refuseUpload(now, { why })))
    return undefined
  }
  await complete(ctx, buildId)
  return undefined
}

const judged = (ctx: Ports, build: Build, { sizeBytes }: FoundUpload, sha256?: string): Decision<never> =>
  judgeUpload(build, {
    sizeBytes,
    maxBytes: ctx.settings.maxUploadBytes,
    ...(sha256 === undefined ? {} : { sha256 }),
  })

/**
 * Returns the functions that check and claim the archive that was found. `refusal` has the reason when the archive does not match. After
 * any other error the job is retried.
 */
function takingOf(ctx: Service, build: Build, found: FoundUpload) {
  const taking = {
    refusal: undefined as Rejection | undefined,
    judge(decision: Decision<unknown>): void {
      if (decision.ok) return
      taking.refusal = decision.rejected
      throw ServiceError.of(decision.rejected)
    },
    async claim(sha256: string): Promise<void> {
      const claim = (now?: Build) => claimUpload(now, { sizeBytes: found.sizeBytes, sha256 })
      taking.judge(judged(ctx, build, found, sha256))
      taking.judge(takesUploads(await accountRow(ctx, build.accountId)))
      taking.judge(claim(await ctx.storage.get('build', build.id)))
      await change(ctx, ofBuild, build.id, claim, { missing: claim })
    },
  }
  return taking
}

async function complete(ctx: Service, buildId: string): Promise<void> {
  let isOurs = true
  const decide = (now?: Build) => {
    const decision = completeUpload(now)
    isOurs = decision.ok
    return decision
  }
  try {
    await change(ctx, ofBuild, buildId, decide, { missing: decide })
  } catch (error) {
    if (isOurs) throw error
    // The build was deleted meanwhile, so its stored archive is removed.
    await ctx.buildStore.remove(buildId)
  }
}

/**
 * Waits for an archive that has not arrived. If the build is claimed already, either its archive was stored and the worker died before it
 * recorded this, or the archive is lost.
 */
async function waitOn(ctx: Service, build: Build): Promise<number | undefined> {
  const hasArchive = isClaimed(build) && (await ctx.buildStore.has(build.id))
  const after = await change(ctx, ofBuild, build.id, (now, { at }) =>
    accept(...decideExpireUpload(now, { hasArchive, at })),
  )
  if (after === undefined || !awaitsUpload(after)) return undefined
  const now = ctx.clock.now()
  const gap = Math.min(LAST_GAP_MS, Math.max(FIRST_GAP_MS, (now - build.createdAt) * GAP_SHARE))
  // The last check happens at the deadline.
  const expiresAt = after.uploadExpiresAt ?? 0
  return expiresAt > now ? Math.min(now + gap, expiresAt) : now + gap
}
