export type { S3BucketOptions, S3BuildStoreOptions, S3Credentials } from './options'
export { s3BuildStore } from './s3-build-store'
export { type BucketTrial, tryBucket, uploadOriginOf } from './try-bucket'
