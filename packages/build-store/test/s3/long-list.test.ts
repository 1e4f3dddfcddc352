import { expect, test } from 'vitest'
import type { Bucket } from '../../src/s3/bucket'
import { Objects } from '../../src/s3/objects'
import { S3Refused } from '../../src/s3/s3-errors'

test.each([
  ['a list that never ends', '<NextContinuationToken>more</NextContinuationToken>', 1_000],
  ['a list that has more and does not say how to get it', '', 1],
])('%s is refused, and does not look whole', async (_whose, token, pages) => {
  let asked = 0
  const bucket = {
    place: 'a bucket',
    async ask() {
      asked++
      return { text: async () => `<ListBucketResult><IsTruncated>true</IsTruncated>${token}</ListBucketResult>` }
    },
  } as unknown as Bucket
  const listed = async () => {
    for await (const _ of new Objects(bucket).list('builds/')) {
      // The pages are empty.
    }
  }
  await expect(listed()).rejects.toThrow(S3Refused)
  expect(asked).toBe(pages)
})
