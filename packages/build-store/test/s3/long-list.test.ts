import { expect, test } from 'vitest'
import type { Bucket } from '../../src/s3/bucket'
import { Objects } from '../../src/s3/objects'
import { S3Refused } from '../../src/s3/s3-errors'

test('a list that never ends is refused, and does not look whole', async () => {
  const page =
    '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken></ListBucketResult>'
  let asked = 0
  const bucket = {
    place: 'a bucket',
    async ask() {
      asked++
      return { text: async () => page }
    },
  } as unknown as Bucket
  const listed = async () => {
    for await (const _ of new Objects(bucket).list('builds/')) {
      // The pages are empty.
    }
  }
  await expect(listed()).rejects.toThrow(S3Refused)
  expect(asked).toBe(1_000)
})
