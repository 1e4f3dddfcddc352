import { startCephGateway } from './ceph-gateway'
import { type S3Server, startS3Server } from './s3-server'

export * from './archives'
export { startCephGateway } from './ceph-gateway'
export { keysIn } from './keys-in'
export { type S3Server, startS3Server, type TestBucket } from './s3-server'

/** Starts the S3 store for tests. `MATCHYARD_TEST_S3=ceph` selects Ceph's gateway (`npm run prove -- s3-ceph`). */
export const startTestStore = (): Promise<S3Server> =>
  process.env.MATCHYARD_TEST_S3 === 'ceph' ? startCephGateway() : startS3Server()
