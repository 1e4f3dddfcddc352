import type { Build } from '../build/build'
import { ServiceError } from '../errors/service-error'
import type { Ports } from '../ports/ports'

const PURPOSE = 'upload'

/** Whether uploads go directly to the build store. */
export const takesDirectUploads = (ctx: Ports): boolean => directOf(ctx) !== null

const directOf = (ctx: Ports) => ctx.buildStore.direct

/**
 * Returns the upload address of a build: a path below the service's URL, or the URL of the build store for direct uploads. The call changes
 * nothing.
 */
export async function uploadUrlOf(ctx: Ports, build: Build, expiresAt: number): Promise<string> {
  const direct = directOf(ctx)
  if (build.isDirect !== true || direct === null) return uploadPathOf(ctx, build.id, expiresAt)
  const { sizeBytes, sha256 } = build.announced ?? { sizeBytes: null, sha256: null }
  return direct.urlOf(build.id, { at: build.createdAt, expiresAt, sizeBytes, sha256 })
}

/** Returns the signed path for one upload of a build, valid until `expiresAt`. */
function uploadPathOf(ctx: Ports, buildId: string, expiresAt: number): string {
  const signature = ctx.tokens.sign(PURPOSE, signedText(buildId, `${expiresAt}`))
  return `/v1/uploads/${buildId}?expires=${expiresAt}&signature=${signature}`
}

/** Returns the instant at which a signed upload URL expires. Throws UPLOAD_REJECTED for a wrong signature. */
export function verifyUpload(
  ctx: Ports,
  { buildId, expires, signature }: { buildId: string; expires: string; signature: string },
): number {
  if (!/^[0-9]{1,15}$/.test(expires) || !ctx.tokens.verify(PURPOSE, signedText(buildId, expires), signature)) {
    throw new ServiceError(
      'UPLOAD_REJECTED',
      'the signature of the upload URL is wrong; use the URL exactly as the service returned it',
    )
  }
  return Number(expires)
}

const signedText = (buildId: string, expires: string) => `${buildId}\n${expires}`
