import type { Account } from '../account/account'
import { BUILD_NAME_PATTERN, BUILD_NAME_RULE } from '../catalog/limits'
import type { ValidationIssue } from '../errors/decision'
import type { Instant } from '../shared/time'
import { type AnnouncedArchive, type Build, UPLOAD_URL_LIFETIME_MS } from './build'

/** Properties of a new build that both an upload and the registration of an image supply. */
export type BuildDesign = Pick<
  Build,
  'name' | 'status' | 'type' | 'executablePath' | 'imageUrl' | 'isDirect' | 'announced' | 'createdBy'
>

export function buildNameIssues(name: string): ValidationIssue[] {
  if (BUILD_NAME_PATTERN.test(name)) return []
  return [{ path: 'name', message: BUILD_NAME_RULE }]
}

const SHA256 = /^[0-9a-f]{64}$/

export function announcedIssues({ sizeBytes, sha256 }: AnnouncedArchive): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  if (sizeBytes !== null && !(Number.isSafeInteger(sizeBytes) && sizeBytes > 0)) {
    issues.push({ path: 'sizeBytes', message: 'must be a whole number of bytes, at least 1' })
  }
  if (sha256 !== null && !SHA256.test(sha256)) {
    issues.push({ path: 'sha256', message: 'must be 64 lower-case hexadecimal digits' })
  }
  return issues
}

/** Returns a new build. A build with status `uploading` waits for its archive until its upload URL expires. */
export function newBuild(
  design: BuildDesign & Pick<Build, 'projectId' | 'buildVersion'>,
  { id, account, at }: { readonly id: string; readonly account: Account; readonly at: Instant },
): Build {
  return {
    ...design,
    id,
    version: 1,
    accountId: account.id,
    imageDigest: null,
    errorMessage: null,
    uploadExpiresAt: design.status === 'uploading' ? at + UPLOAD_URL_LIFETIME_MS : null,
    sizeBytes: null,
    logs: [],
    createdAt: at,
    updatedAt: at,
  }
}
