import type { Build } from '../build/build'
import { ServiceError } from '../errors/service-error'
import type { Ports } from '../ports/ports'

const PURPOSE = 'upload'

/** Whether uploads go to the build store itself. */
export const takesDirectUploads = (ctx: Ports): boolean => directOf(ctx) !== null

const directOf = (ctx: Ports) => ctx.buildStore.direct

/** Where the archive of a build goes: below the service's address, or to the store itself. Signing is no effect: nothing happens yet. */
export async function uploadUrlOf(ctx: Ports, build: Build, expiresAt: number): Promise<string> {
  const direct = directOf(ctx)
  if (build.isDirect !== true || direct === null) return uploadPathOf(ctx, build.id, expiresAt)
  const { sizeBytes, sha256 } = build.announced ?? { sizeBytes: null, sha256: null }
  return direct.urlOf(build.id, { at: build.createdAt, expiresAt, sizeBytes, sha256 })
}

/** The signed path of a build's upload, good until `expiresAt` and for one use. */
function uploadPathOf(ctx: Ports, buildId: string, expiresAt: number): string {
  const signature = ctx.tokens.sign(PURPOSE, signedText(buildId, `${expiresAt}`))
  return `/v1/uploads/${buildId}?expires=${expiresAt}&signature=${signature}`
}

/** When a signed URL expires. Throws UPLOAD_REJECTED where the signature does not fit. */
export function verifyUpload(
  ctx: Ports,
  { buildId, expires, signature }: { buildId: string; expires: string; signature: string },
): number {
  if (!/^[0-9]{1,15}$/.test(expires) || !ctx.tokens.verify(PURPOSE, signedText(buildId, expires), signature)) {
    throw new ServiceError('UPLOAD_REJECTED', 'the signature of the upload URL is wrong; use it as it was answered')
  }
  return Number(expires)
}

const signedText = (buildId: string, expires: string) => `${buildId}\n${expires}`
