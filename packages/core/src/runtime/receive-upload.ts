import { takesUploads } from '../account/decide'
import type { Build } from '../build/build'
import {
  beginUpload,
  claimUpload,
  completeUpload,
  hashMismatch,
  judgeUpload,
  releaseUpload,
  uploadInTime,
} from '../build/decide'
import { ofBuild } from '../commit/of-build'
import { change, unavailableInsteadOf } from '../commit/transact'
import { orThrow, ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import { ArchiveMismatch, PayloadTooLarge, UploadUnderway } from '../ports/build-store'
import type { Ports } from '../ports/ports'
import { accountRow } from '../reads/require'
import { verifyUpload } from '../tokens/upload-url'

/** Upload of an archive to the URL of a build. */
export interface ReceiveUploadInput {
  /** Build that waits for the archive. */
  readonly buildId: string
  /** Expiry of the upload URL, as the text in the URL's query. */
  readonly expires: string
  /** Signature of the upload URL, as the text in the URL's query. */
  readonly signature: string
  /** Bytes of the archive, in parts. */
  readonly body: AsyncIterable<Uint8Array>
}

export async function receiveUpload(ctx: Service, input: ReceiveUploadInput): Promise<void> {
  const { buildId } = input
  const expiresAt = verifyUpload(ctx, input)
  const build = await unavailableInsteadOf(() => ctx.storage.get('build', buildId))
  orThrow(beginUpload(build, { expiresAt, at: ctx.clock.now() }))
  if (build !== undefined) await requireTaken(ctx, build)
  await ctx.node.uploads.run(build?.accountId ?? '', async () => {
    const upload = claimedAtItsEnd(ctx, buildId, input.body, { expiresAt, announced: build?.announced })
    let stored: { readonly sha256: string }
    try {
      const sha256 = build?.announced?.sha256 ?? undefined
      const { maxUploadBytes: maxBytes } = ctx.settings
      const terms = { maxBytes, ...(sha256 === undefined ? {} : { sha256 }) }
      stored = await ctx.buildStore.receive(buildId, upload.body, terms)
    } catch (error) {
      if (upload.isClaimed()) await release(ctx, buildId, expiresAt)
      throw refusalOf(ctx, error, upload.refusal())
    }
    await complete(ctx, buildId, stored)
  })
}

/** Throws UPLOAD_REJECTED when the account may no longer upload, because it has changed since the URL was issued. */
async function requireTaken(ctx: Ports, build: Build): Promise<void> {
  orThrow(takesUploads(await unavailableInsteadOf(() => accountRow(ctx, build.accountId))))
}

interface BodyTerms {
  readonly expiresAt: number
  readonly announced: Build['announced']
}

/**
 * Returns the body of the upload. The build is claimed after the last byte of the body and before its end, and a build store moves an
 * archive into place only after that end. Of two simultaneous uploads, the upload that loses the claim therefore never replaces the archive
 * of the other, on any node.
 */
function claimedAtItsEnd(ctx: Service, buildId: string, body: AsyncIterable<Uint8Array>, terms: BodyTerms) {
  const { expiresAt, announced } = terms
  let claimed = false
  let refused: ServiceError | undefined
  const { maxUploadBytes } = ctx.settings
  async function* throughout() {
    let sizeBytes = 0
    for await (const chunk of body) {
      sizeBytes += chunk.length
      if (sizeBytes > maxUploadBytes) throw new PayloadTooLarge(`more than ${maxUploadBytes} bytes`)
      // After the deadline, an upload could not claim the build. This check ends it earlier, so that a slow body occupies a connection and
      // disk space only while its URL is valid.
      const inTime = uploadInTime({ expiresAt, at: ctx.clock.now() })
      if (!inTime.ok) {
        refused = ServiceError.of(inTime.rejected)
        throw refused
      }
      yield chunk
    }
    try {
      orThrow(judgeUpload(announced === undefined ? {} : { announced }, { sizeBytes, maxBytes: maxUploadBytes }))
      const build = await ctx.storage.get('build', buildId)
      if (build !== undefined) await requireTaken(ctx, build)
      const claim = (build?: Build) => claimUpload(build, { sizeBytes })
      await change(ctx, ofBuild, buildId, claim, { missing: claim })
      claimed = true
    } catch (error) {
      if (error instanceof ServiceError) refused = error
      throw error
    }
  }
  return { body: throughout(), isClaimed: () => claimed, refusal: () => refused }
}

async function release(ctx: Service, buildId: string, expiresAt: number): Promise<void> {
  await change(ctx, ofBuild, buildId, (build) => releaseUpload(build, { expiresAt }))
}

async function complete(ctx: Service, buildId: string, { sha256 }: { readonly sha256: string }): Promise<void> {
  let isOurs = true
  const decide = (build?: Build) => {
    const decision = completeUpload(build, { sha256 })
    isOurs = decision.ok
    return decision
  }
  try {
    await change(ctx, ofBuild, buildId, decide, { missing: decide })
  } catch (error) {
    // The build was deleted meanwhile, or its upload URL expired, so the stored archive is removed.
    if (!isOurs) await ctx.buildStore.remove(buildId)
    throw error
  }
}

function refusalOf(ctx: Ports, error: unknown, refused: ServiceError | undefined): ServiceError {
  if (refused !== undefined) return refused
  if (error instanceof UploadUnderway) {
    return new ServiceError(
      'CONFLICT',
      'another upload of this build is in progress; the upload URL accepts one upload at a time',
    )
  }
  if (error instanceof ArchiveMismatch)
    return new ServiceError('UPLOAD_REJECTED', hashMismatch(error.found, error.announced))
  if (error instanceof PayloadTooLarge) {
    const limit = ctx.settings.maxUploadBytes
    return new ServiceError('PAYLOAD_TOO_LARGE', `an archive may have at most ${limit} bytes`, { limit })
  }
  ctx.logger.warn('an upload was interrupted', { error: String(error) })
  return new ServiceError(
    'UNAVAILABLE',
    'the upload was interrupted before the archive was stored; send the archive again',
  )
}
