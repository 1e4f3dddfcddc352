import type { Build } from '@matchyard/core'

/** Returns a build for tests of pure functions. */
export function aBuild(fields: Partial<Build> = {}): Build {
  return {
    id: 'bld_1',
    version: 1,
    projectId: 'prj_1',
    accountId: 'acc_1',
    name: 'arena',
    buildVersion: 1,
    status: 'uploading',
    type: 'zip',
    executablePath: 'server',
    imageUrl: null,
    imageDigest: null,
    errorMessage: null,
    uploadExpiresAt: 1_000,
    sizeBytes: null,
    logs: [],
    createdAt: 0,
    updatedAt: 0,
    ...fields,
  }
}
