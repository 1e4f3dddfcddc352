export { type S3Server, startS3Server, type TestBucket } from './s3-server'
