import { AwsClient } from 'aws4fetch'
import type { TestBucket } from './s3-server'

/**
 * Returns the keys of the objects in a bucket, at most one page. The function sends its own request, because the code
 * of the build store is under test.
 */
export async function keysIn({ bucket, endpoint, credentials }: Omit<TestBucket, 'pathStyle'>): Promise<string[]> {
  const client = new AwsClient({ ...credentials, service: 's3', region: 'us-east-1' })
  const answer = await client.fetch(`${endpoint}/${bucket}?list-type=2`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`the bucket cannot be listed: ${answer.status} ${text}`)
  return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key)
}
